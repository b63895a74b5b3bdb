// Functions as tools, handoffs, and ending the turn from a tool: each rule with a program of its own, by what the
// models see, what the thread shows at the end, and what the log warns of.
import { beforeAll, describe, expect, it } from 'vitest'
import { type BatchProgram, type BatchResult, type BatchTurn, drawn, runAll } from './run.ts'

const core = new URL('../../core/src/index.ts', import.meta.url).href
const std = 'import { attachToReply, endTurn, getThread, handBack, systemMessage } from "std::thread"\n'
const picture = 'data:image/png;base64,iVBORw0KGgo='

const waiting: { program: BatchProgram; take: (result: BatchResult) => void }[] = []

/** A program that is run with the others, and the promise of what became of it. */
function ran(source: BatchProgram['source'], turns: readonly BatchTurn[] = []): () => BatchResult {
  let result: BatchResult | undefined
  waiting.push({
    program: { source, turns },
    take(given) {
      result = given
    },
  })
  return () => {
    expect(result!.error, result!.error).toBeUndefined()
    return result!
  }
}

beforeAll(async () => {
  const results = await runAll(waiting.map(({ program }) => program))
  for (const [i, { take }] of waiting.entries()) take(results[i]!)
}, 60_000)

const called = (...made: [string, object][]): BatchTurn => ({ calls: made })
const says = (text: string): BatchTurn => ({ says: text })
/** A node that asks once with these tools and gives what came of it. */
const asksWith = (tools: string, type = 'string'): string =>
  `\nnode main() {\n  const answer: ${type} = llm("Serve me.", tools: [${tools}])\n  return answer\n}\n`
const lastThread = ({ requests }: BatchResult): string[] => drawn(requests.at(-1)!.messages)

describe('a function', () => {
  const tools = ran(
    {
      'main.agency': `import { far } from "./far.agency"
def near(n: number): number { return n + 1 }
def generic<T>(x: T): T { return x }
def down(n: number): number { return if n == 0 then 0 else down(n - 1) }
node main() {
  const held = near
  const tools = [far, generic]
  return llm("Go.", tools: [held, down, ...tools])
}`,
      'far.agency': 'export def far(word: string): string { return "far ${word}" }',
    },
    [
      called(
        ['near', { n: 1 }],
        ['down', { n: 3 }],
        ['far', { word: 'away' }],
        ['generic', { x: [1, { a: null }] }],
      ),
      says('done'),
    ],
  )
  it('is a tool wherever it is defined, and however it came into the list', () => {
    expect(lastThread(tools()).slice(-4)).toEqual([
      '[tool: near] 2',
      '[tool: down] 0',
      '[tool: far] far away',
      '[tool: generic] [1,{"a":null}]',
    ])
  })

  const told = ran(
    `def plain(a: number) {}
def told(a: number, b: string = "x", c?: boolean, ...rest: number[]): void {
  """
  First line.
    Second, further in.
  """
}
def blocks(a: string, block?: (string) -> string): string { return if block == null then a else block(a) }
${asksWith('plain, told, blocks')}`,
    [called(['told', { a: 1 }], ['blocks', { a: 'x' }]), says('ok')],
  )
  it('is told by its docstring, with all its parameters but blocks', () => {
    const [plain, full, blocks] = told().requests[0]!.tools.map(each => each.function)
    expect(plain!.description).toBe('plain')
    expect(full!.description).toBe('First line.\n  Second, further in.')
    expect(full!.parameters).toMatchObject({
      properties: {
        a: { type: 'number' },
        b: { description: 'default: "x"' },
        c: { type: ['boolean', 'null'] },
        rest: { anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'null' }] },
      },
      required: ['a'],
    })
    expect(Object.keys(blocks!.parameters['properties'] as object)).toEqual(['a'])
  })

  const gives = ran(
    `def words(): string { return "plain words" }
def record(): any { return { a: 1, b: null } }
def nothing(): void { }
def none(): any { return null }
${asksWith('words, record, nothing, none')}`,
    [called(['words', {}], ['record', {}], ['nothing', {}], ['none', {}]), says('ok')],
  )
  it('gives a text as it is, anything else as JSON, or says that it gave nothing', () => {
    expect(lastThread(gives()).slice(-4)).toEqual([
      '[tool: words] plain words',
      '[tool: record] {"a":1,"b":null}',
      '[tool: nothing] nothing ran and returned nothing.',
      '[tool: none] null',
    ])
  })

  const defaults = ran(
    `def round(num: number, decimals: number = 2, mark?: string, ...more: string[]): string {
  return "\${num.toFixed(decimals)}\${mark ?? "."}\${more.length}"
}
${asksWith('round')}`,
    [
      called(
        ['round', { num: 2 }],
        ['round', { num: 2, decimals: null, mark: null, more: null }],
        ['round', { num: 2, decimals: 0, mark: '!', more: ['a', 'b'] }],
        ['round', { decimals: 1 }],
      ),
      says('ok'),
    ],
  )
  it('has its defaults where a model leaves them out or gives null, and refuses what does not fit', () => {
    const results = lastThread(defaults()).slice(-4)
    expect(results.slice(0, 3)).toEqual(['[tool: round] 2.00.0', '[tool: round] 2.00.0', '[tool: round] 2!2'])
    expect(results[3]).toMatch(/num/)
  })
})

describe('what a tool asks a model', () => {
  const nested = ran(
    `def word(): string { return llm("innermost") }
def middle(): string {
  llm("middle, first")
  return llm("middle, second", tools: [word])
}
${asksWith('middle')}`,
    [called(['middle', {}]), says('one'), called(['word', {}]), says('deep'), says('two'), says('the end')],
  )
  it('is on a thread of its own, at each depth, and the caller sees the call and the result', () => {
    const { requests, thread, value } = nested()
    expect(drawn(requests[1]!.messages)).toEqual(['[user] middle, first'])
    expect(drawn(requests[3]!.messages)).toEqual(['[user] innermost'])
    expect(drawn(requests[4]!.messages)).toEqual([
      '[user] middle, first',
      '[assistant] one',
      '[user] middle, second',
      '[assistant] tool call: word({})',
      '[tool: word] deep',
    ])
    expect(drawn(thread)).toEqual([
      '[user] Serve me.',
      '[assistant] tool call: middle({})',
      '[tool: middle] two',
      '[assistant] the end',
    ])
    expect(value).toBe('the end')
  })
})

const desk = `handoff def desk(item: string): string {
  llm("Where is \${item}?")
  return llm("Sure?")
}`
const deskThread = [
  '[assistant] [dispatching desk: {"item":"tea"}]',
  '[user] Where is tea?',
  '[assistant] On the shelf.',
  '[user] Sure?',
  '[assistant] Yes.',
  "[user] [desk finished. Yes.] Continue with the user's request.",
]
const deskTurns = [says('On the shelf.'), says('Yes.')]

describe('a handoff', () => {
  const alone = ran(desk + asksWith('desk'), [
    called(['desk', { item: 'tea' }]),
    ...deskTurns,
    says('There.'),
  ])
  it('leaves all of its messages on its caller’s thread, between two that tell of it', () => {
    expect(drawn(alone().thread)).toEqual(['[user] Serve me.', ...deskThread, '[assistant] There.'])
    expect(alone().requests).toHaveLength(4)
  })

  it('sees what the caller’s thread holds', () => {
    expect(drawn(alone().requests[1]!.messages)).toEqual(['[user] Serve me.', ...deskThread.slice(0, 2)])
  })

  const note = 'def note(text: string): void { print("noted", text) }\n'
  const beside = ran(note + desk + asksWith('note, desk'), [
    called(['desk', { item: 'tea' }], ['note', { text: 'a' }], ['note', { text: 'b' }]),
    ...deskTurns,
    says('There.'),
  ])
  it('runs after the other tools of the response, and sees their results', () => {
    const { requests, thread, printed } = beside()
    expect(printed).toBe('noted a\nnoted b\n')
    expect(drawn(requests[1]!.messages)).toEqual([
      '[user] Serve me.',
      '[assistant] tool call: note({"text":"a"})',
      '[assistant] tool call: note({"text":"b"})',
      '[tool: note] note ran and returned nothing.',
      '[tool: note] note ran and returned nothing.',
      ...deskThread.slice(0, 2),
    ])
    expect(drawn(thread).slice(5)).toEqual([...deskThread, '[assistant] There.'])
  })

  const two = ran(
    `${note}${desk}\nhandoff def other(): string { return "never" }${asksWith('note, desk, other')}`,
    [
      called(['desk', { item: 'tea' }], ['note', { text: 'a' }], ['other', {}]),
      called(['desk', { item: 'tea' }]),
      ...deskTurns,
      says('There.'),
    ],
  )
  it('does not run beside another: neither does, the model is told to call one again, the other tools run', () => {
    const { requests, printed, value } = two()
    expect(printed).toBe('noted a\n')
    const told = drawn(requests[1]!.messages)
    const refused = /^\[tool: (desk|other)\] Not run: only one of desk and other .* Call one of them again\.$/
    expect(told.filter(each => refused.test(each))).toHaveLength(2)
    expect(told).toContain('[tool: note] note ran and returned nothing.')
    expect(value).toBe('There.')
  })

  const twice = ran(desk + asksWith('desk'), [
    called(['desk', { item: 'tea' }], ['desk', { item: 'cups' }]),
    says('I will not.'),
  ])
  it('does not run twice in one response either', () => {
    expect(lastThread(twice()).filter(each => each.includes('Not run'))).toHaveLength(2)
  })

  const system = ran(
    `${std}handoff def desk(): string {
  systemMessage("You are the desk.")
  return llm("Who are you?")
}
node main() {
  systemMessage("You are kind.")
  llm("Serve me.", tools: [desk])
  return getThread()
}`,
    [called(['desk', {}]), says('The desk.'), says('Met.')],
  )
  it('has its system messages on the thread while it runs, and no longer', () => {
    const { requests, value } = system()
    const systems = (n: number) => drawn(requests[n]!.messages).filter(each => each.startsWith('[system]'))
    expect(systems(1)).toEqual(['[system] You are kind.', '[system] You are the desk.'])
    expect(systems(2)).toEqual(['[system] You are kind.'])
    expect((value as { role: string; content: string }[]).map(m => `[${m.role}] ${m.content}`)).toEqual([
      '[system] You are kind.',
      '[user] Serve me.',
      '[assistant] [dispatching desk: {}]',
      '[user] Who are you?',
      '[assistant] The desk.',
      "[user] [desk finished. The desk.] Continue with the user's request.",
      '[assistant] Met.',
    ])
  })

  const failed = ran(
    `${std}handoff def desk(): string {
  systemMessage("You are the desk.")
  handBack("[all is well]")
  return failure("closed")
}${asksWith('desk')}`,
    [called(['desk', {}]), says('Later, then.')],
  )
  it('that fails hands back with what failed, whatever handBack said', () => {
    expect(drawn(failed().thread).slice(-2)).toEqual([
      "[user] [desk failed. closed] Continue with the user's request.",
      '[assistant] Later, then.',
    ])
    expect(failed().warnings).toEqual(['handBack of desk is ignored: the call failed'])
  })
})

describe('endTurn', () => {
  const ending = (body: string, head = 'def') => `${std}${head} serve(): any {\n  endTurn()\n  ${body}\n}\n`
  const one = [called(['serve', {}]), says('Told again.')]

  const alone = ran(ending('return "Your tea."') + asksWith('serve'), one)
  it('makes what a tool that was called alone gives the answer, without another call', () => {
    expect(alone()).toMatchObject({ value: 'Your tea.', warnings: [] })
    expect(alone().requests).toHaveLength(1)
    expect(drawn(alone().thread)).toEqual([
      '[user] Serve me.',
      '[assistant] tool call: serve({})',
      '[tool: serve] Your tea.',
      '[assistant] Your tea.',
    ])
  })

  const handoff = ran(ending('return llm("Tea?")', 'handoff def') + asksWith('serve'), [
    called(['serve', {}]),
    says('Your tea.'),
    says('Told again.'),
  ])
  it('counts in a handoff, whose thread ends with the answer, once', () => {
    expect(handoff().value).toBe('Your tea.')
    expect(drawn(handoff().thread)).toEqual([
      '[user] Serve me.',
      '[assistant] [dispatching serve: {}]',
      '[user] Tea?',
      '[assistant] Your tea.',
    ])
  })

  const other = ran(ending('llm("Tea?")\n  return "Here it is."', 'handoff def') + asksWith('serve'), [
    called(['serve', {}]),
    says('Yes.'),
  ])
  it('puts the answer behind what the body of a handoff was told, where that was a text', () => {
    expect(drawn(other().thread).slice(-2)).toEqual(['[assistant] Yes.', '[assistant] Here it is.'])
  })

  const structured = ran(
    ending('const reply: { text: string, sure: boolean } = llm("Tea?")\n  return reply.text', 'handoff def') +
      asksWith('serve'),
    [called(['serve', {}]), says('{"text":"Your tea.","sure":true}')],
  )
  it('puts the answer in the place of structured output', () => {
    expect(drawn(structured().thread)).toEqual([
      '[user] Serve me.',
      '[assistant] [dispatching serve: {}]',
      '[user] Tea?',
      '[assistant] Your tea.',
    ])
  })

  const note = `def note(): string {\n  endTurn()\n  return "noted"\n}\n`
  const beside = ran(ending('return "Your tea."') + note + asksWith('serve, note'), [
    called(['serve', {}], ['note', {}]),
    says('Both.'),
  ])
  it('is ignored in a tool that ran beside others', () => {
    expect(beside().value).toBe('Both.')
    expect(beside().warnings).toEqual([
      'endTurn of serve is ignored: it ran beside other calls and never saw their results',
      'endTurn of note is ignored: it ran beside other calls and never saw their results',
    ])
  })

  const last = ran(ending('return "Your tea."', 'handoff def') + note + asksWith('serve, note'), [
    called(['serve', {}], ['note', {}]),
    says('Told again.'),
  ])
  it('counts in a handoff that ran beside others: it is always the last', () => {
    expect(last().value).toBe('Your tea.')
    expect(last().warnings).toEqual([
      'endTurn of note is ignored: it ran beside other calls and never saw their results',
    ])
  })

  const goesOn: { what: string; why: string; result: () => BatchResult }[] = [
    {
      what: 'the tool failed',
      why: 'the call failed',
      result: ran(ending('return failure("no tea")') + asksWith('serve'), one),
    },
    {
      what: 'the tool crashed',
      why: 'the call failed',
      result: ran(ending('const x: any = null\n  return x.a.b') + asksWith('serve'), one),
    },
    {
      what: 'a handoff failed',
      why: 'the call failed',
      result: ran(ending('return failure("no tea")', 'handoff def') + asksWith('serve'), one),
    },
    {
      what: 'the tool returned nothing',
      why: 'the call gave nothing',
      result: ran(ending('').replace(': any', ': void') + asksWith('serve'), one),
    },
    {
      what: 'the tool returned null',
      why: 'the call gave nothing',
      result: ran(ending('return null') + asksWith('serve'), one),
    },
    {
      what: 'the value is no text',
      why: 'what it gave is no text',
      result: ran(ending('return { tea: 1 }') + asksWith('serve'), one),
    },
    {
      what: 'the value is not of the type that was asked for',
      why: 'what it gave does not read as the output',
      result: ran(ending('return "Your tea."') + asksWith('serve', 'number'), [
        called(['serve', {}]),
        says('7'),
      ]),
    },
    {
      what: 'the tool attached a picture',
      why: 'a picture was attached, which the model has yet to see',
      result: ran(ending(`attachToReply("${picture}")\n  return "Your tea."`) + asksWith('serve'), one),
    },
    {
      what: 'a tool beside the handoff attached a picture',
      why: 'a picture was attached, which the model has yet to see',
      result: ran(
        `${ending('return "Your tea."', 'handoff def')}def show(): string {\n  attachToReply("${picture}")\n  return "see"\n}\n${asksWith('serve, show')}`,
        [called(['show', {}], ['serve', {}]), says('Told again.')],
      ),
    },
  ]
  for (const { what, why, result } of goesOn)
    it(`does not end it where ${what}, and the log warns`, () => {
      expect(result().requests).toHaveLength(2)
      expect([7, 'Told again.']).toContain(result().value)
      expect(result().warnings).toHaveLength(1)
      expect(result().warnings[0]).toContain(`endTurn of serve is ignored: ${why}`)
    })

  const rejected = ran(
    {
      'main.agency': `import { pay, close } from "./host.ts"\n${asksWith('pay, close')}`,
      'host.ts': `import { tool, endTurn, handBack } from ${JSON.stringify(core)}
export const pay = tool('pay', { about: 'Pays.', danger: 'ask', run: () => { endTurn(); return 'paid' } })
export const close = tool('close', { about: 'Closes.', danger: 'ask', handoff: true, run: () => { handBack('closed'); return 'closed' } })`,
    },
    [called(['pay', {}]), called(['close', {}]), says('I may not.')],
  )
  it('does not end it where the tool was rejected; of a handoff too the model sees the rejection', () => {
    const { value, thread } = rejected()
    expect(value).toBe('I may not.')
    const told = drawn(thread)
    expect(told.filter(each => /^\[tool: (pay|close)\] .*declined/i.test(each))).toHaveLength(2)
    expect(told.some(each => each.includes('dispatching'))).toBe(false)
  })

  const fits = ran(ending('return { cups: 2 }') + asksWith('serve', '{ cups: number }'), one)
  it('makes a record the answer where it is of the type that was asked for', () => {
    expect(fits()).toMatchObject({ value: { cups: 2 }, warnings: [] })
    expect(fits().requests).toHaveLength(1)
  })

  const levels = (scope: string, head = 'handoff def') => `${std}
def deep(): string {
  endTurn(${scope})
  return "deep"
}
${head} middle(): string {
  const told = llm("middle", tools: [deep])
  print("middle goes on with \${told}")
  return "middle \${told}"
}
${head} outer(): string {
  const told = llm("outer", tools: [middle])
  print("outer goes on with \${told}")
  return "outer \${told}"
}${asksWith('outer')}`
  const down = [called(['outer', {}]), called(['middle', {}]), called(['deep', {}])]
  const inner = ran(levels(''), [...down, says('said by outer'), says('said by main')])
  it('ends the call that called the tool, and those around it go on', () => {
    expect(inner()).toMatchObject({
      value: 'said by main',
      printed: 'middle goes on with deep\nouter goes on with said by outer\n',
    })
    expect(inner().requests).toHaveLength(5)
  })

  for (const head of ['handoff def', 'def']) {
    const all = ran(levels('scope: "turn"', head), down)
    it(`ends every call around it with scope "turn", and skips no code: ${head}`, () => {
      expect(all()).toMatchObject({
        value: 'outer middle deep',
        printed: 'middle goes on with deep\nouter goes on with middle deep\n',
      })
      expect(all().requests).toHaveLength(3)
      expect(drawn(all().thread).at(-1)).toBe('[assistant] outer middle deep')
    })
  }

  const outside = ran(
    `${std}handoff def desk(): string {
  endTurn(scope: "turn")
  handBack("[ignored]")
  return llm("In the desk.")
}
node main() {
  endTurn()
  handBack("[ignored]")
  const first = desk()
  const second = llm("Go on.")
  return [first, second, getThread().length]
}`,
    [says('one'), says('two')],
  )
  it('does nothing outside of a tool, as handBack: a handoff that code calls runs on, on the thread of the code', () => {
    expect(outside().value).toEqual(['one', 'two', 4])
    expect(drawn(outside().thread)).toEqual([
      '[user] In the desk.',
      '[assistant] one',
      '[user] Go on.',
      '[assistant] two',
    ])
  })
})

describe('handBack', () => {
  const handing = (message: string, more = '', head = 'handoff def') =>
    `${std}${head} desk(): string {\n  handBack(${message})\n  ${more}\n  return "closed"\n}${asksWith('desk')}`
  const turns = [called(['desk', {}]), says('Told.')]

  const replaced = ran(handing('"[the desk is closed]"'), turns)
  it('replaces the message that hands back', () => {
    expect(drawn(replaced().thread)).toEqual([
      '[user] Serve me.',
      '[assistant] [dispatching desk: {}]',
      '[user] [the desk is closed]',
      '[assistant] Told.',
    ])
    expect(replaced().warnings).toEqual([])
  })

  const finished = "[user] [desk finished. closed] Continue with the user's request."
  const empty = ran(handing('" \\n"'), turns)
  it('is ignored where the message is empty', () => {
    expect(drawn(empty().thread)).toContain(finished)
    expect(empty().warnings).toEqual(['handBack of desk is ignored: the message is empty'])
  })

  const plain = ran(handing('"[to nobody]"', '', 'def'), turns)
  it('is ignored in an ordinary tool', () => {
    expect(drawn(plain().thread)).toContain('[tool: desk] closed')
    expect(JSON.stringify(plain().thread)).not.toContain('to nobody')
    expect(plain().warnings).toEqual(['handBack of desk is ignored: only a handoff hands back'])
  })

  const ended = ran(handing('"[to nobody]"', 'endTurn()'), turns)
  it('is ignored where the turn is ended', () => {
    expect(ended().value).toBe('closed')
    expect(JSON.stringify(ended().thread)).not.toContain('to nobody')
    expect(ended().warnings).toEqual(['handBack of desk is ignored: the turn was ended'])
  })

  const twice = ran(handing('"[first]"', 'handBack("[second]")'), turns)
  it('counts as it was called last', () => {
    expect(drawn(twice().thread)).toContain('[user] [second]')
  })
})
