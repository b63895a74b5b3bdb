// An agent is a tool of another agent: it gets a message, works on a thread of its own, and its answer is the result.
import { agent, type LogEvent, run, tool, tree } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { text } from 'toolwright/values'

const search = tool('search', {
  about: 'Searches the library.',
  input: { words: text() },
  readOnly: true,
  run: ({ words }) => [`"On ${words}", 1921`, `"A history of ${words}", 1974`],
})

const librarian = agent('librarian', {
  about: 'Finds books about a subject and says which one to begin with.',
  model: scripted([calls([['search', { words: 'tea' }]]), says('Begin with "A history of tea".')]),
  instructions: 'You are a librarian.',
  tools: [search],
  // Its own limit. What it uses also counts for the run that it is part of.
  limits: { steps: 4 },
})

const host = agent('host', {
  model: scripted([
    calls([['librarian', { message: 'A book about tea for a beginner' }]]),
    says('Our librarian recommends "A history of tea".'),
  ]),
  instructions: 'You welcome the guests of a library.',
  tools: [librarian],
})

const events: LogEvent[] = []
await run(host, 'What should I read about tea?', { log: event => events.push(event) })
// Without the times, so that it prints the same each time.
console.log(tree(events).replace(/ \(\d[^)]*\)$/gm, ''))
