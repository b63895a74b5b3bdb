import fc from 'fast-check'
import { expect, test } from 'vitest'
import { thinkTags } from './think.ts'

/** What comes of content in these parts. */
function read(parts: string[]) {
  const think = thinkTags()
  let reasoning = ''
  let text = ''
  for (const told of [...parts.map(part => think.write(part)), think.flush()]) {
    reasoning += told.reasoning
    text += told.text
  }
  return { reasoning, text, tags: think.tags }
}

const cases: [string, ReturnType<typeof read>][] = [
  ['<think>a</think>b', { reasoning: 'a', text: 'b', tags: ['<think>', '</think>'] }],
  [
    '\n<think>\n a \n</think>\n\nb ',
    { reasoning: 'a', text: 'b ', tags: ['\n<think>\n ', ' \n</think>\n\n'] },
  ],
  ['<think>\n\n</think>\n\nb', { reasoning: '', text: 'b', tags: ['<think>\n\n', '</think>\n\n'] }],
  [
    '<think>a</thin> b</think>c</think>',
    { reasoning: 'a</thin> b', text: 'c</think>', tags: ['<think>', '</think>'] },
  ],
  ['<think>never closed </th', { reasoning: 'never closed </th', text: '', tags: ['<think>', ''] }],
  ['a <think>b</think>', { reasoning: '', text: 'a <think>b</think>', tags: undefined }],
  ['<thinking>a', { reasoning: '', text: '<thinking>a', tags: undefined }],
  ['  <thi', { reasoning: '', text: '  <thi', tags: undefined }],
  [' \n', { reasoning: '', text: ' \n', tags: undefined }],
  ['', { reasoning: '', text: '', tags: undefined }],
]

test.each(cases)('%j', (content, expected) => {
  expect(read([content])).toEqual(expected)
  expect(read([...content])).toEqual(expected)
  fc.assert(
    fc.property(fc.nat(content.length), fc.nat(content.length), (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      expect(read([content.slice(0, from), content.slice(from, to), content.slice(to)])).toEqual(expected)
    }),
  )
})
