// What the program `desk.agency` does to the world: a tool that asks a person first.
import { tool } from 'toolwright'
import { text } from 'toolwright/values'

export const tidy = tool('tidy', {
  about: 'Throws a note away.',
  input: { note: text() },
  danger: 'ask',
  run: ({ note }) => `threw away: ${note}`,
})
