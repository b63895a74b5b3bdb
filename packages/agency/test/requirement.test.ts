// The programs of the page that the language is written after, as they stand there, and their threads. What a fragment
// lacks is added around it. What its sentences say is tested with programs of our own beside this file.
import { beforeAll, describe, expect, it } from 'vitest'
import { format, parse, print } from '../src/index.ts'
import { asked } from './corpus/oncore.ts'
import { handed, line, passage } from './handed.ts'
import { type BatchProgram, type BatchResult, drawn, runAll } from './run.ts'
import { bare } from './support.ts'

const sum = [{ calls: [['add', { a: 4, b: 5 }]] }, { says: '9' }] as const
const endTurn = 'import { endTurn } from "std::thread"\n'

function programs() {
  const capital = passage('def getCapital', "Here's what")
  const handoff = passage('handoff def getCapital', 'Now the thread')
  const main = capital.slice(capital.indexOf('node main'))
  const named = passage('def greet(name: string =', 'Blocks')
  const calendar = passage('import { endTurn }', 'An ordinary tool can')
  const desk = `def listEvents(): string { return "none" }
node main() {
  const answer = llm("Am I free?", tools: [calendarAgent])
  return answer
}`
  const asks = { calls: [['getCapital', { country: 'India' }]] } as const
  const calls = { calls: [['calendarAgent', { userMessage: 'Am I free?' }]] } as const
  const found = { says: 'The capital of India is New Delhi.' }
  const covers = (all: boolean) => ({
    says: JSON.stringify({ answer: 'You are.', answeredEverything: all }),
  })
  const order = `${endTurn}${passage('def lookupOrder', 'A mark only')}\nnode main() { return llm("Where is it?", tools: [lookupOrder]) }`
  const connected = (yes: boolean) =>
    `import { handBack } from "std::thread"\ndef calendarConnected(): boolean { return ${yes} }
${passage('handoff def calendarAgent', 'The message is', 2).replace(/^ {2}\.\.\.$/m, '  return llm("Answer ${userMessage}")')}
${desk}`
  return {
    add: { source: passage('def add', 'Tool calls') },
    tool: { source: passage('def add', 'LLM calls are', 2), turns: sum },
    docstring: {
      source: `${passage('def add', 'Default arguments', 3)}\nprint(llm("What is 4 + 5?", tools: [add]))`,
      turns: sum,
    },
    defaults: {
      source: `${line('def round')} {\n  return Number(num.toFixed(decimals))\n}
print(round(3.14159), round(3.14159, 1), round(decimals: 0, num: 3.14159))
print(llm("Round.", tools: [round]))`,
      turns: [{ calls: [['round', { num: 2.345 }]] }, { says: 'done' }],
    },
    optional: {
      source: `${line('def greet(name: string, greeting')} {\n  return "\${greeting ?? "Hello"}, \${name}!"\n}
print(greet("Ada"), greet("Ada", "Hi"), greet(greeting: "Hey", name: "Bob"))
print(llm("Greet.", tools: [greet]))`,
      turns: [{ calls: [['greet', { name: 'Cy', greeting: null }]] }, { says: 'done' }],
    },
    variadic: {
      source: `${line('def print')} {\n  printJSON(messages)\n}
print()
print("a", "b")
print(...["c"], "d")
const done = llm("Print.", tools: [print])`,
      turns: [{ calls: [['print', { messages: ['x', 'y'] }]] }, { says: 'done' }],
    },
    named: { source: named },
    namedShown: { source: named.replace(/^greet\(.*\)$/gm, 'print($&)') },
    blocks: {
      source: `${passage('def repeat', 'Blocks are covered')}\nlet n = 0\nrepeat(3) {\n  n += 1\n}\nrepeat(2, \\ -> print("again"))\nprint(n)`,
    },
    capital: {
      source: capital,
      turns: [
        asks,
        found,
        { says: 'The capital of India is New Delhi. (Retrieved using the getCapital tool.)' },
      ],
    },
    handoff: {
      source: `${handoff}\n${main}`,
      turns: [asks, found, { says: 'The capital of India is New Delhi (returned by the getCapital tool).' }],
    },
    calendarEnds: { source: `${calendar}\n${desk}`, turns: [calls, covers(true)] },
    calendarGoesOn: { source: `${calendar}\n${desk}`, turns: [calls, covers(false), { says: 'And more.' }] },
    order: { source: order, turns: [{ calls: [['lookupOrder', { id: '7' }]] }] },
    handsBack: { source: connected(false), turns: [calls, { says: 'Connect one.' }] },
    connected: { source: connected(true), turns: [calls, { says: 'Yes.' }, { says: 'You are.' }] },
  } satisfies { [name: string]: BatchProgram }
}

type Name = keyof ReturnType<typeof programs>
let results: Record<Name, BatchResult>
/** What became of each when it was laid out. */
let afterwards: BatchResult[]

function laidOut(source: string): string {
  const laid = format(source)
  if ('faults' in laid) throw new Error(JSON.stringify(laid.faults))
  return laid.text
}

/** The lines of a transcript of the page that stand on the main thread, and those that stand inside of it. */
const transcript = (nth: number, next: string): { main: string[]; inside: string[] } => {
  const lines = passage('[user] Use your', next, nth).split('\n')
  return {
    main: lines.filter(each => each.startsWith('[')),
    inside: lines.filter(each => each.startsWith(' ')).map(each => each.trim()),
  }
}

describe.skipIf(!handed)('the programs of the page', () => {
  beforeAll(async () => {
    const all: Record<string, BatchProgram> = programs()
    const again = Object.values(all).map(each => ({ ...each, source: laidOut(each.source as string) }))
    const ran = await runAll([...Object.values(all), ...again])
    afterwards = ran.slice(again.length)
    results = Object.fromEntries(Object.keys(all).map((name, i) => [name, ran[i]!])) as typeof results
    for (const [name, { error }] of Object.entries(results)) expect(error, name).toBeUndefined()
  }, 60_000)

  it('each gives the same when it is laid out, which is done in one way', () => {
    for (const [i, [name, before]] of Object.entries(results).entries()) {
      const { error, value, printed, requests, thread } = afterwards[i]!
      expect(error, name).toBeUndefined()
      expect([value, printed, drawn(thread)], name).toEqual([
        before.value,
        before.printed,
        drawn(before.thread),
      ])
      expect(asked(requests), name).toEqual(asked(before.requests))
    }
  })

  it('each is the same tree when it is printed, and when it is laid out, with its comments', () => {
    for (const [name, { source }] of Object.entries(programs())) {
      const { program, faults } = parse(source)
      expect(faults, name).toEqual([])
      expect(bare(parse(print(program)).program), name).toEqual(bare(program))
      const laid = laidOut(source)
      expect(laidOut(laid), name).toBe(laid)
      expect(bare(parse(laid).program), name).toEqual(bare(program))
      const texts = (of: typeof program): string[] => of.comments.map(each => each.text)
      expect(texts(parse(laid).program), name).toEqual(texts(program))
    }
  })

  it('a function', () => {
    expect(results.add.printed).toBe('9\n')
  })

  it('a function as a tool', () => {
    expect(results.tool.printed).toBe('9\n')
    expect(drawn(results.tool.thread)).toEqual([
      '[user] What is 4 + 5?',
      '[assistant] tool call: add({"a":4,"b":5})',
      '[tool: add] 9',
      '[assistant] 9',
    ])
  })

  it('a docstring', () => {
    expect(results.docstring.requests[0]!.tools[0]!.function.description).toBe('Adds two numbers together.')
  })

  it('default arguments', () => {
    expect(results.defaults.printed).toBe('3.14 3.1 3\ndone\n')
    expect(drawn(results.defaults.requests[1]!.messages).at(-1)).toMatch(/^\[tool: round\] 2\.3[45]$/)
  })

  it('optional arguments', () => {
    expect(results.optional.printed).toBe('Hello, Ada! Hi, Ada! Hey, Bob!\ndone\n')
    expect(drawn(results.optional.requests[1]!.messages).at(-1)).toBe('[tool: greet] Hello, Cy!')
  })

  it('variadic arguments, of a function that takes the name of one that needs no import', () => {
    expect(results.variadic.printed.replace(/\s/g, '')).toBe('[]["a","b"]["c","d"]["x","y"]')
  })

  it('named arguments', () => {
    expect(results.named.printed).toBe('')
    expect(results.namedShown.printed).toBe('Hello, Alice!\nHi, Adit!\nHi, Bob!\n')
  })

  it('a block', () => {
    expect(results.blocks.printed).toBe('again\nagain\n3\n')
  })

  it('a tool that asks a model, with its transcript', () => {
    const { main, inside } = transcript(1, 'The main thread')
    expect(drawn(results.capital.thread)).toEqual(main)
    const { messages } = results.capital.requests[1]!
    expect([...drawn(messages), '[assistant] The capital of India is New Delhi.']).toEqual(inside)
    expect(main.at(-1)).toBe(`[assistant] ${results.capital.printed.trim()}`)
  })

  it('a handoff, with its transcript', () => {
    const { main } = transcript(2, 'Note that')
    expect(main).toHaveLength(6)
    expect(drawn(results.handoff.thread)).toEqual(main)
    expect(main.at(-1)).toBe(`[assistant] ${results.handoff.printed.trim()}`)
  })

  it('a handoff that ends the turn where its answer covers everything', () => {
    const { requests, value, thread } = results.calendarEnds
    expect(requests).toHaveLength(2)
    expect(value).toBe('You are.')
    expect(drawn(thread)).toEqual([
      '[user] Am I free?',
      '[assistant] [dispatching calendarAgent: {"userMessage":"Am I free?"}]',
      "[user] Answer the user's calendar question.",
      '[assistant] You are.',
    ])
    expect(requests[1]!.tools.map(t => t.function.name)).toEqual(['listEvents', 'answer'])
    expect(requests[1]!.tools[1]!.function.parameters['properties']).toEqual({
      answer: { type: 'string' },
      answeredEverything: {
        type: 'boolean',
        description: line('@jsonSchema').match(/"(.*)"/)![1],
      },
    })
  })

  it('a handoff that goes on where its answer does not', () => {
    const { requests, value, thread } = results.calendarGoesOn
    expect(requests).toHaveLength(3)
    expect(value).toBe('And more.')
    expect(drawn(thread).at(-2)).toBe(
      "[user] [calendarAgent finished. You are.] Continue with the user's request.",
    )
  })

  it('a tool that ends the turn', () => {
    const { requests, value, thread } = results.order
    expect(requests).toHaveLength(1)
    expect(value).toBe('Order 7 shipped yesterday and arrives Thursday.')
    expect(drawn(thread).at(-1)).toBe(`[assistant] ${value}`)
  })

  it('a handoff that hands back with a message of its own', () => {
    const said = passage('    handBack(', '    return').match(/"(.*)"/)![1]
    expect(drawn(results.handsBack.thread).slice(-2)).toEqual([`[user] ${said}`, '[assistant] Connect one.'])
    expect(drawn(results.connected.thread).at(-2)).toBe(
      "[user] [calendarAgent finished. Yes.] Continue with the user's request.",
    )
  })
})
