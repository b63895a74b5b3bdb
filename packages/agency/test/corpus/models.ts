// What models are asked, and threads.
import { type Case, c } from './case.ts'

export const models: Case[] = [
  { ...c('a text', 'return llm("Hi")', 'Hello.'), turns: [{ says: 'Hello.' }] },
  { ...c('a number', 'const n: number = llm("Hi")\nreturn n + 1', 6), turns: [{ says: '{"response":5}' }] },
  { ...c('a number, bare', 'const n: number = llm("Hi")\nreturn n + 1', 6), turns: [{ says: '5' }] },
  {
    ...c(
      'a list of records',
      'type P = { name: string, age?: number }\nnode main() {\n  const ps: P[] = llm("Who?")\n  return map(ps, \\p -> "${p.name}${p.age ?? 0}")\n}',
      ['a1', 'b0'],
    ),
    turns: [{ says: '{"response":[{"name":"a","age":1},{"name":"b","age":null}]}' }],
  },
  {
    ...c(
      'a union, by the answer tool',
      'type A = { kind: "a", n: number } | { kind: "b", s: string }\nnode main() {\n  const a: A = llm("Which?")\n  if (a.kind == "a") { return a.n }\n  return a.s\n}',
      'x',
    ),
    turns: [{ calls: [['answer', { response: { kind: 'b', s: 'x' } }]] }],
  },
  {
    ...c(
      'the type of the result',
      'def ask(): { ok: boolean } { return llm("Sure?") }\nnode main() {\n  const r = ask()\n  return r.ok\n}',
      true,
    ),
    turns: [{ says: '{"ok":true}' }],
  },
  {
    ...c(
      'a recursive type',
      'type T = { v: number, kids: T[] }\nnode main() {\n  const t: T = llm("A tree")\n  return t.kids[0].v\n}',
      2,
    ),
    turns: [{ says: '{"v":1,"kids":[{"v":2,"kids":[]}]}' }],
  },
  { ...c('a model that fails is caught', 'const a = llm("one") catch "none"\nreturn a', 'none'), turns: [] },
  {
    ...c(
      'tools that use tools',
      'def inner(n: number): number { return n + 1 }\ndef outer(n: number): string { return llm("inner ${n}", tools: [inner]) }\nnode main() { return llm("outer", tools: [outer]) }',
      'end',
    ),
    turns: [
      { calls: [['outer', { n: 1 }]] },
      { calls: [['inner', { n: 1 }]] },
      { says: '2' },
      { says: 'end' },
    ],
  },
  {
    ...c(
      'blocks that ask a model',
      'return [map(["a", "b"], \\x -> llm(x)), ["c"].map(\\x -> llm(x)), [llm(x) for x in ["d"]], filter(["e"], \\x -> llm(x) == "5")]',
      [['1', '2'], ['3'], ['4'], ['e']],
    ),
    turns: ['1', '2', '3', '4', '5'].map(says => ({ says })),
  },
  {
    ...c(
      'threads',
      'import { getThread } from "std::thread"\nnode main() {\n  llm("one")\n  const fresh = thread { llm("two") }\n  const copy = subthread { llm("three") }\n  return [fresh.length, copy.length, getThread().length]\n}',
      [2, 4, 2],
    ),
    turns: ['1', '2', '3'].map(says => ({ says })),
  },
  {
    ...c(
      'a return leaves a thread',
      'import { getThread } from "std::thread"\ndef f(): string {\n  thread {\n    return llm("in")\n  }\n}\nnode main() {\n  const a = f()\n  return [a, getThread().length]\n}',
      ['1', 0],
    ),
    turns: [{ says: '1' }],
  },
  {
    ...c(
      'messages',
      'import { systemMessage, userMessage, assistantMessage, getThread } from "std::thread"\nnode main() {\n  systemMessage("s")\n  userMessage("u")\n  assistantMessage("a")\n  llm("q")\n  return map(getThread(), \\m -> m.role)\n}',
      ['system', 'user', 'assistant', 'user', 'assistant'],
    ),
    turns: [{ says: 'x' }],
  },
  {
    ...c(
      'a failing tool is told to the model',
      'def bad(): string { return failure("broken") }\ndef worse(x: any): string { return x.a.b }\nnode main() { return llm("go", tools: [bad, worse]) }',
      'ok',
    ),
    turns: [
      {
        calls: [
          ['bad', {}],
          ['worse', { x: null }],
        ],
      },
      { says: 'ok' },
    ],
  },
  {
    ...c(
      'a module asks before main does',
      'const first = llm("early")\nnode main() { return [first, llm("late")] }',
      ['1', '2'],
    ),
    turns: [{ says: '1' }, { says: '2' }],
  },
]
