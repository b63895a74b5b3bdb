// What models are asked, and threads.
import { llm, tool } from '@toolwright/core'
import { number } from '@toolwright/core/values'
import { type Case, c } from './case.ts'
import { said, say, subthread, thread } from './threads.ts'

/** What is asked for, as a word or as its schema. */
const answer = async <T>(prompt: string, output: unknown): Promise<T> =>
  (await llm(prompt, { output: output as never })) as T
const record = (properties: object, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export const models: Case[] = [
  { ...c('a text', 'return llm("Hi")', 'Hello.'), same: () => llm('Hi'), turns: [{ says: 'Hello.' }] },
  {
    ...c('a number', 'const n: number = llm("Hi")\nreturn n + 1', 6),
    same: async () => (await answer<number>('Hi', number())) + 1,
    turns: [{ says: '{"response":5}' }],
  },
  {
    ...c('a number, bare', 'const n: number = llm("Hi")\nreturn n + 1', 6),
    same: async () => (await answer<number>('Hi', number())) + 1,
    turns: [{ says: '5' }],
  },
  {
    ...c(
      'a list of records',
      'type P = { name: string, age?: number }\nnode main() {\n  const ps: P[] = llm("Who?")\n  return map(ps, \\p -> "${p.name}${p.age ?? 0}")\n}',
      ['a1', 'b0'],
    ),
    same: async () => {
      const person = record({ name: { type: 'string' }, age: { type: ['number', 'null'] } }, ['name'])
      const people = await answer<{ name: string; age: number | null }[]>('Who?', {
        type: 'array',
        items: person,
      })
      return people.map(p => `${p.name}${p.age ?? 0}`)
    },
    turns: [{ says: '{"response":[{"name":"a","age":1},{"name":"b","age":null}]}' }],
  },
  {
    ...c(
      'a union, by the answer tool',
      'type A = { kind: "a", n: number } | { kind: "b", s: string }\nnode main() {\n  const a: A = llm("Which?")\n  if (a.kind == "a") { return a.n }\n  return a.s\n}',
      'x',
    ),
    same: async () => {
      const a = record({ kind: { type: 'string', const: 'a' }, n: { type: 'number' } })
      const b = record({ kind: { type: 'string', const: 'b' }, s: { type: 'string' } })
      const got = await answer<{ kind: string; n?: number; s?: string }>('Which?', { anyOf: [a, b] })
      return got.kind === 'a' ? got.n : got.s
    },
    turns: [{ calls: [['answer', { response: { kind: 'b', s: 'x' } }]] }],
  },
  {
    ...c(
      'the type of the result',
      'def ask(): { ok: boolean } { return llm("Sure?") }\nnode main() {\n  const r = ask()\n  return r.ok\n}',
      true,
    ),
    same: async () => (await answer<{ ok: boolean }>('Sure?', record({ ok: { type: 'boolean' } }))).ok,
    turns: [{ says: '{"ok":true}' }],
  },
  {
    ...c(
      'a recursive type',
      'type T = { v: number, kids: T[] }\nnode main() {\n  const t: T = llm("A tree")\n  return t.kids[0].v\n}',
      2,
    ),
    same: async () => {
      const tree = record({ v: { type: 'number' }, kids: { type: 'array', items: { $ref: '#/$defs/T' } } })
      const got = await answer<{ kids: { v: number }[] }>('A tree', { $ref: '#/$defs/T', $defs: { T: tree } })
      return got.kids[0]!.v
    },
    turns: [{ says: '{"v":1,"kids":[{"v":2,"kids":[]}]}' }],
  },
  { ...c('a model that fails is caught', 'const a = llm("one") catch "none"\nreturn a', 'none'), turns: [] },
  {
    ...c(
      'tools that use tools',
      'def inner(n: number): number { return n + 1 }\ndef outer(n: number): string { return llm("inner ${n}", tools: [inner]) }\nnode main() { return llm("outer", tools: [outer]) }',
      'end',
    ),
    same: () => {
      const inner = tool('inner', { about: 'inner', input: { n: number() }, run: ({ n }) => n + 1 })
      const outer = tool('outer', {
        about: 'outer',
        input: { n: number() },
        run: ({ n }) => llm(`inner ${n}`, { tools: [inner] }),
      })
      return llm('outer', { tools: [outer] })
    },
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
    same: async () => [
      [await llm('a'), await llm('b')],
      [await llm('c')],
      [await llm('d')],
      (await llm('e')) === '5' ? ['e'] : [],
    ],
    turns: ['1', '2', '3', '4', '5'].map(says => ({ says })),
  },
  {
    ...c(
      'threads',
      'import { getThread } from "std::thread"\nnode main() {\n  llm("one")\n  const fresh = thread { llm("two") }\n  const copy = subthread { llm("three") }\n  return [fresh.length, copy.length, getThread().length]\n}',
      [2, 4, 2],
    ),
    same: async () => {
      await llm('one')
      const fresh = await thread(async () => {
        await llm('two')
        return said().length
      })
      const copy = await subthread(async () => {
        await llm('three')
        return said().length
      })
      return [fresh, copy, said().length]
    },
    turns: ['1', '2', '3'].map(says => ({ says })),
  },
  {
    ...c(
      'a return leaves a thread',
      'import { getThread } from "std::thread"\ndef f(): string {\n  thread {\n    return llm("in")\n  }\n}\nnode main() {\n  const a = f()\n  return [a, getThread().length]\n}',
      ['1', 0],
    ),
    same: async () => [await thread(() => llm('in')), said().length],
    turns: [{ says: '1' }],
  },
  {
    ...c(
      'messages',
      'import { systemMessage, userMessage, assistantMessage, getThread } from "std::thread"\nnode main() {\n  systemMessage("s")\n  userMessage("u")\n  assistantMessage("a")\n  llm("q")\n  return map(getThread(), \\m -> m.role)\n}',
      ['system', 'user', 'assistant', 'user', 'assistant'],
    ),
    same: async () => {
      say('system', 's')
      say('user', 'u')
      say('assistant', 'a')
      await llm('q')
      return said().map(m => m.role)
    },
    turns: [{ says: 'x' }],
  },
  {
    ...c(
      'a failing tool is told to the model',
      'def bad(): string { return failure("broken") }\ndef worse(x: any): string { return x.a.b }\nnode main() { return llm("go", tools: [bad, worse]) }',
      'ok',
    ),
    same: () => {
      const bad = tool('bad', {
        about: 'bad',
        run: () => {
          throw new Error('broken')
        },
      })
      const input = record({ x: {} }) as never
      const worse = tool('worse', {
        about: 'worse',
        input,
        run: ({ x }: { x: { a: { b: string } } }) => x.a.b,
      })
      return llm('go', { tools: [bad, worse] })
    },
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
    same: async () => [await thread(() => llm('early')), await llm('late')],
    turns: [{ says: '1' }, { says: '2' }],
  },
  {
    ...c(
      'few or many choices, by the answer',
      'type Mood = "good" | "bad" | 3 | null\nnode main() {\n  const a: boolean = llm("Sure?")\n  const b: Mood = llm("Mood?")\n  const c: string | number[] = llm("What?")\n  const d: Record<string, number> = llm("Counts?")\n  return [a, b, c, d]\n}',
      [true, 3, [1, 2], { x: 1 }],
      async () => [
        await answer('Sure?', { type: 'boolean' }),
        await answer('Mood?', {
          anyOf: [{ type: 'string', enum: ['good', 'bad'] }, { type: 'number', const: 3 }, { type: 'null' }],
        }),
        await answer('What?', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] }),
        await answer('Counts?', { type: 'object', additionalProperties: { type: 'number' } }),
      ],
    ),
    turns: ['{"response":true}', '{"response":3}', '{"response":[1,2]}', '{"x":1}'].map(says => ({ says })),
  },
  {
    ...c(
      'an answer that does not fit is asked for again',
      'const n: { n: number } = llm("How many?")\nreturn n.n',
      4,
      async () => (await answer<{ n: number }>('How many?', record({ n: { type: 'number' } }))).n,
    ),
    turns: [{ says: '{"n":"four"}' }, { says: '{"n":4}' }],
  },
  {
    ...c(
      'a prompt in a pipe, and the answer in the next',
      'def shout(s: string): string { return s.toUpperCase() }\nnode main() {\n  const first = "Name a " + "drink." |> llm |> shout\n  return llm("Where does ${first} grow?") |> shout\n}',
      'FAR AWAY.',
      async () => {
        const first = (await llm('Name a drink.')).toUpperCase()
        return (await llm(`Where does ${first} grow?`)).toUpperCase()
      },
    ),
    turns: [{ says: 'tea' }, { says: 'Far away.' }],
  },
  {
    ...c(
      'a picture is shown with the result, and in a message',
      'import { attachToReply, image, userMessage } from "std::thread"\nconst dot = "data:image/png;base64,iVBORw0KGgo="\ndef camera(): string {\n  attachToReply(image(dot))\n  return "see"\n}\nnode main() {\n  userMessage(["Like this.", image(dot)])\n  return llm("Look.", tools: [camera])\n}',
      'A dot.',
      async () => {
        const dot = 'data:image/png;base64,iVBORw0KGgo='
        const camera = tool('camera', {
          about: 'camera',
          run: (_: unknown, ctx) => {
            ctx.attachToReply(dot)
            return 'see'
          },
        })
        say('user', 'Like this.', [dot])
        return await llm('Look.', { tools: [camera] })
      },
    ),
    turns: [{ calls: [['camera', {}]] }, { says: 'A dot.' }],
  },
  {
    ...c(
      'conditions, loops and comprehensions that ask',
      'def sure(x: string): boolean { return llm("${x}?") == "yes" }\nnode main() {\n  let asked = 0\n  while (!sure("done ${asked}")) { asked += 1 }\n  const some1 = [x for x in ["a", "b"] if sure(x)]\n  const word = if sure("last") then llm("word") else "none"\n  const both = sure("x") && sure("y") || sure("z")\n  return { asked, some1, word, both }\n}',
      { asked: 1, some1: ['b'], word: 'w', both: true },
      async () => {
        const sure = async (x: string): Promise<boolean> => (await llm(`${x}?`)) === 'yes'
        let asked = 0
        while (!(await sure(`done ${asked}`))) asked++
        const some1: string[] = []
        for (const x of ['a', 'b']) if (await sure(x)) some1.push(x)
        const word = (await sure('last')) ? await llm('word') : 'none'
        const both = ((await sure('x')) && (await sure('y'))) || (await sure('z'))
        return { asked, some1, word, both }
      },
    ),
    turns: ['no', 'yes', 'no', 'yes', 'yes', 'w', 'no', 'yes'].map(says => ({ says })),
  },
  {
    ...c(
      'defaults, fields and matches that ask',
      'def greet(name: string = llm("Name?"), loud: boolean = false): string { return if loud then name.toUpperCase() else name }\nnode main() {\n  const r = { a: greet(), b: [greet("Bob"), greet(loud: true)] }\n  const m = match (llm("Which?")) { "x" => llm("x it is"); _ => "no" }\n  const t = "${llm("in a text")}!"\n  const c = (llm("bad") |> fail) catch llm("caught")\n  return [r, m, t, c]\n}\ndef fail(x: string): string { return failure(x) }',
      [{ a: 'Ada', b: ['Bob', 'CY'] }, 'ok', 'text!', 'better'],
      async () => {
        const [a, cy] = [await llm('Name?'), await llm('Name?')]
        const m = (await llm('Which?')) === 'x' ? await llm('x it is') : 'no'
        const t = `${await llm('in a text')}!`
        await llm('bad')
        return [{ a, b: ['Bob', cy.toUpperCase()] }, m, t, await llm('caught')]
      },
    ),
    turns: ['Ada', 'Cy', 'x', 'ok', 'text', 'worse', 'better'].map(says => ({ says })),
  },
  {
    ...c(
      'a model that calls what it was not given, and what does not read',
      'def add(a: number, b: number): number { return a + b }\nnode main() { return llm("Add.", tools: [add]) }',
      'three',
      () => {
        const input = { a: number(), b: number() }
        const add = tool('add', { about: 'add', input, run: ({ a, b }) => a + b })
        return llm('Add.', { tools: [add] })
      },
    ),
    turns: [
      { calls: [['ad', { a: 1, b: 2 }]] },
      { calls: [['add', { a: 'one', c: 2 }]] },
      { calls: [['add', { a: 1, b: 2 }]] },
      { says: 'three' },
    ],
  },
  {
    ...c(
      'tokens are counted',
      'import { getTokens, getCost } from "std::thread"\nnode main() {\n  const before = getTokens()\n  llm("one")\n  return [before, getTokens() >= before, getCost()]\n}',
      [0, true, 0],
    ),
    turns: [{ says: '1' }],
  },
  {
    ...c(
      'a model says the order',
      'def rank(x: string): number { return llm(x) }\nnode main() {\n  const xs = ["b", "a"]\n  const sorted = ["x", "y", "z"].toSorted(\\(a, b) -> rank("${a}${b}"))\n  xs.sort(\\(a, b) -> rank("${a}${b}"))\n  return [sorted, xs, ["p", "q"].findLast(\\x -> rank(x) > 0)]\n}',
      [['z', 'x', 'y'], ['a', 'b'], 'p'],
      async () => {
        const rank = (x: string): Promise<number> => answer<number>(x, number())
        // y before z? no; x before z? no; then x before y.
        const asked = [await rank('yz'), await rank('xz'), await rank('xy')]
        const swapped = await rank('ba')
        const q = await rank('q')
        const p = await rank('p')
        return [
          asked[0]! > 0 ? ['z', 'x', 'y'] : [],
          swapped > 0 ? ['a', 'b'] : [],
          q > 0 ? 'q' : p > 0 ? 'p' : null,
        ]
      },
    ),
    turns: [1, 1, -1, 1, 0, 1].map(n => ({ says: `${n}` })),
  },
]
