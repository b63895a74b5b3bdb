// The whole product of what a tool may do to a turn, and a much simpler account of what must come of it.
// Nothing here comes from the loop: the expectation is written from the rules alone.

export const kinds = ['ordinary', 'handoff'] as const
export const companies = ['alone', 'beside', 'two handoffs'] as const
export const returns = ['text', 'value', 'nothing', 'empty', 'throws', 'refused', 'unreadable'] as const
export const endings = ['none', 'call', 'turn'] as const
export const backs = ['none', 'text', 'empty'] as const
export const places = ['top', 'llm', 'child'] as const

/** One cell of the table: tool x, as the model of one conversation calls it. */
export interface Cell {
  kind: (typeof kinds)[number]
  company: (typeof companies)[number]
  gives: (typeof returns)[number]
  ends: (typeof endings)[number]
  back: (typeof backs)[number]
  place: (typeof places)[number]
  output: boolean
}

export const cells: Cell[] = kinds.flatMap(kind =>
  companies.flatMap(company =>
    returns.flatMap(gives =>
      endings.flatMap(ends =>
        backs.flatMap(back =>
          places.flatMap(place =>
            [false, true].map(output => ({ kind, company, gives, ends, back, place, output })),
          ),
        ),
      ),
    ),
  ),
)

/** What must come of a cell: what each thread says, line by line, the answer, and what is warned of. */
export interface Expected {
  /** The thread on which x is called; the same as `main` at the top. */
  inner: string[]
  main: string[]
  answer: string
  ended: 'answer' | 'turn'
  warnings: string[]
}

const HAND_BACK = '[x has nothing.] Ask for more.'
const results = {
  text: 'the answer',
  value: '{"n":1}',
  nothing: 'x ran and returned nothing.',
  empty: '',
} as const

/** The rules, told once more in the plainest way. */
export function expected(cell: Cell): Expected {
  const { kind, company, gives, ends, back, place, output } = cell
  const warnings: string[] = []
  const begins = gives !== 'refused' && gives !== 'unreadable'
  const fails = gives === 'throws'
  const told =
    begins && !fails
      ? results[gives as keyof typeof results]
      : gives === 'refused'
        ? 'The person declined this call.'
        : gives === 'throws'
          ? 'broke'
          : 'zzz: is not a known field'
  const said = output ? '{"n":1}' : 'the answer'
  const fits = output ? gives === 'value' : gives === 'text'

  const lines: string[] = ['user: go']
  let turned = false
  const mark = (lastToRun: boolean): boolean => {
    if (ends === 'none' || !begins) return false
    if (lastToRun && !fails && fits) return true
    warnings.push('x')
    return false
  }
  if (kind === 'handoff' && company === 'two handoffs') {
    lines.push('assistant: {x,y}')
    for (const name of ['x', 'y'])
      lines.push(
        `tool ${name}: Not run: only one of x and y can take over at a time. Call one of them again.`,
      )
  } else if (kind === 'handoff' && begins) {
    if (company === 'beside') lines.push('assistant: {other}', 'tool other: ok')
    lines.push('assistant: [dispatching x: {}]', 'user: look it up', 'assistant: looked up')
    turned = mark(true)
    if (turned) lines.push(`assistant: ${said}`)
    else if (fails) lines.push("user: [x failed. broke] Continue with the user's request.")
    else if (back === 'text') lines.push(`user: ${HAND_BACK}`)
    else lines.push(`user: [x finished. ${told}] Continue with the user's request.`)
  } else {
    const others = company === 'alone' ? [] : company === 'beside' ? ['other'] : ['y', 'z']
    lines.push(`assistant: {${['x', ...others].join(',')}}`, `tool x: ${told}`)
    for (const name of others)
      lines.push(
        company === 'beside'
          ? 'tool other: ok'
          : `tool ${name}: Not run: only one of y and z can take over at a time. Call one of them again.`,
      )
    turned = mark(company === 'alone')
    if (turned) lines.push(`assistant: ${said}`)
  }
  // A message to hand back with counts only from a handoff that began, did not fail and did not end the turn.
  const began = begins && !(kind === 'handoff' && company === 'two handoffs')
  const heard = kind === 'handoff' && began && !fails && !turned && back === 'text'
  if (back !== 'none' && began && !heard) warnings.push('x back')
  if (!turned)
    lines.push(
      ...(output ? ['assistant: {answer}', 'tool answer: The answer was taken.'] : ['assistant: final']),
    )
  const answer = turned ? said : output ? '{"n":5}' : 'final'
  if (place === 'top')
    return { inner: lines, main: lines, answer, ended: turned ? 'turn' : 'answer', warnings }

  // Around it: the main agent called one ordinary tool, whose function hands on what the conversation inside gave.
  const main = ['user: go', 'assistant: {around}', `tool around: ${answer}`]
  const travels = turned && ends === 'turn'
  if (travels && !output)
    return { inner: lines, main: [...main, `assistant: ${answer}`], answer, ended: 'turn', warnings }
  // A record is no text, so it cannot be the answer of an agent that was asked for none.
  if (travels) warnings.push('around')
  return {
    inner: lines,
    main: [...main, 'assistant: main final'],
    answer: 'main final',
    ended: 'answer',
    warnings,
  }
}

export { HAND_BACK }
