// Programs that run as flows, and what their model says: its turn is known from the conversation alone, as that of a
// model on the other side of the world is.
import type { Turn } from '@toolwright/core'
import { calls, says } from '@toolwright/core/test'

export interface FlowProgram {
  source: string
  input?: Record<string, unknown>
  /** The turns by the last prompt on the thread that is among them. */
  turns: { readonly [prompt: string]: readonly Turn[] }
  gives: unknown
}

const tidy = calls([['tidy', { note: '3' }]])

export const programs: { readonly [name: string]: FlowProgram } = {
  'one question': {
    source: 'node main(name: string) { return llm(`Greet ${name}`) }',
    input: { name: 'Ann' },
    turns: { 'Greet Ann': [says('Hello, Ann.')] },
    gives: 'Hello, Ann.',
  },
  'a record, and arguments that are left out': {
    source: `type City = { name: string, size: number }
node main(place: string, many: number = 2, ...more: string[]) {
  const c: City = llm("Which?")
  return [c.name, c.size * many, place, more]
}`,
    input: { place: 'there' },
    turns: { 'Which?': [calls([['answer', { name: 'Rome', size: 4 }]])] },
    gives: ['Rome', 8, 'there', []],
  },
  'tools that ask a model, and one that asks a person': {
    source: `import { tidy, note } from "./host.ts"
def look(place: string): string {
  """
  Looks at a place.
  """
  const seen = llm(\`look at \${place}\`)
  return \`seen \${seen}\`
}
node main() {
  note("begun")
  const said = llm("look around", tools: [look, tidy])
  return [said, llm("and now?")]
}`,
    turns: {
      'look around': [
        calls([
          ['look', { place: 'x' }],
          ['tidy', { note: '3' }],
          ['look', { place: 'y' }],
        ]),
        says('done'),
      ],
      'look at x': [says('a view')],
      'look at y': [says('a wall')],
      'and now?': [says('sleep')],
    },
    gives: ['done', 'sleep'],
  },
  'a person who says no': {
    source: `import { tidy } from "./host.ts"
node main() { return llm("tidy five", tools: [tidy]) }`,
    turns: { 'tidy five': [calls([['tidy', { note: '5' }]]), says('then not')] },
    gives: 'then not',
  },
  'goto, threads and what they hold': {
    source: `import { systemMessage, userMessage } from "std::thread"
node main(n: number) {
  systemMessage("Be brief.")
  llm("count")
  if (n < 3) { goto other(n + 1, llm("go on?")) }
  return "never"
}
node other(n: number, said: string) {
  const apart = thread {
    userMessage("apart")
    llm("one")
    subthread { llm("two") }
  }
  if (n < 3) { goto other(n + 1, said) }
  return [n, said, apart]
}`,
    input: { n: 1 },
    turns: { count: [says('1')], 'go on?': [says('yes')], one: [says('I')], two: [says('II')] },
    gives: [
      3,
      'yes',
      [
        { role: 'user', content: 'apart' },
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'I' },
      ],
    ],
  },
  'a handoff that hands back, and one that ends the turn': {
    source: `import { handBack, endTurn } from "std::thread"
import { tidy } from "./host.ts"
handoff def expert(topic: string) {
  """
  Knows it.
  """
  const said = llm(\`be an expert of \${topic}\`, tools: [tidy])
  handBack("The expert is gone.")
  return said
}
def last(): string {
  endTurn()
  return "the end"
}
node main() {
  const a = llm("ask the expert", tools: [expert])
  return [a, llm("finish", tools: [last])]
}`,
    turns: {
      'ask the expert': [calls([['expert', { topic: 'bees' }]]), says('so it is')],
      'be an expert of bees': [tidy, says('bees are'), says('so it is')],
      finish: [calls([['last', {}]])],
    },
    gives: ['so it is', 'the end'],
  },
  'what std::thread tells and attaches': {
    source: `import { assistantMessage, attachToReply, getCost, getThread, getTokens, listThreads, systemMessage, userMessage } from "std::thread"
import { dot } from "./host.ts"
def draw(): string {
  """
  Draws it.
  """
  attachToReply(dot)
  return "drawn"
}
node main() {
  systemMessage("Be brief.")
  userMessage(["look", dot])
  assistantMessage("I see.")
  const first = llm("draw it", tools: [draw])
  const apart = thread { llm("apart") }
  const tokens = getTokens()
  return [first, apart, tokens, getCost(), map(getThread(), \\m -> m.role), map(listThreads(), \\t -> t.messages.length)]
}`,
    turns: {
      'draw it': [calls([['draw', {}]]), says('a dot')],
      apart: [says('yes')],
    },
    gives: [
      'a dot',
      [
        { role: 'user', content: 'apart' },
        { role: 'assistant', content: 'yes' },
      ],
      330,
      0,
      ['system', 'user', 'assistant', 'user', 'assistant', 'tool', 'user', 'assistant'],
      [8, 2],
    ],
  },
  'blocks and lists that ask, and what fails and is caught': {
    source: `import { shaky } from "./host.ts"
node main() {
  const said = map(["a", "b"], \\x -> llm(x))
  const none = llm("nothing is known of this") catch "none"
  let left = 2
  const tried = llm("try it", tools: [shaky])
  while (left > 0) {
    left = left - 1
    llm("again")
  }
  return [said, none, tried, [llm(x) for x in ["c"]]]
}`,
    turns: {
      a: [says('A')],
      b: [says('B')],
      c: [says('C')],
      'try it': [calls([['shaky', {}]]), says('it failed')],
      again: [says('yes')],
    },
    gives: [['A', 'B'], 'none', 'it failed', ['C']],
  },
}

/** What the programs import. */
export const host = `import { tool } from '@toolwright/core'
import { text } from '@toolwright/core/values'
const effects = (globalThis.effects ??= [])
export const tidy = tool('tidy', {
  about: 'Tidies a note', input: { note: text() }, danger: 'ask',
  run: async ({ note }, { step }) => await step('tidy', () => { effects.push('tidy ' + note); return 'tidied ' + note }),
})
export const dot = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const note = what => effects.push('note ' + what)
export const shaky = tool('shaky', { about: 'Fails', run: () => { effects.push('shaky'); throw new Error('it broke') } })
`
