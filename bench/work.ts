// The work that every subject does: the same scripted conversations, the same tool, the same checks.

/** What the fake model says in one turn: calls of `add`, or the pieces of a text. */
export interface Turn {
  calls: readonly AddCall[]
  /** The pieces in which the text of the turn comes; of a turn that calls, none. */
  pieces: readonly string[]
  /** The pieces joined. */
  text: string
}

export interface AddCall {
  id: string
  input: { a: number; b: number }
  /** `input` as the JSON text that a real model writes. */
  arguments: string
}

/** A conversation in the making: a fake model asks it for its next turn. */
export interface Script {
  /**
   * The next turn. `thread` gives all messages that the model was sent, as JSON: it is asked for only where
   * the work is checked, not where it is timed. An exhausted script throws.
   */
  next(thread: () => string): Turn
}

/** What a subject gave for a conversation, as its public streaming API showed it. */
export interface Heard {
  text: string
  /** How many pieces of text came. */
  pieces: number
}

/** How one library does the work. */
export interface Subject {
  name: string
  /** The packages that a program installs to use it; the first gives the version that is shown. */
  packages: readonly string[]
  /** What such a program imports. */
  imports: readonly string[]
  /** What it cannot do, and why: shown instead of a number. */
  cannot?: Readonly<Record<string, string>>
  /**
   * Asks 'go' in a new conversation with the one tool `add`, its model playing `script`, and streams the answer.
   * One at a time. Whatever of the library can be made once for many conversations is made before.
   */
  talk(script: Script): Promise<Heard>
}

const PIECE = 'word'
/** So large that a result shares no digits with its arguments: the check can look for it in the thread. */
const B = 1_000_000
const sumOf = (n: number) => B + n

function addCall(n: number): AddCall {
  const input = { a: n, b: B }
  return { id: `call_${n}`, input, arguments: JSON.stringify(input) }
}

const callTurn = (calls: AddCall[]): Turn => ({ calls, pieces: [], text: '' })
const textTurn = (pieces: string[]): Turn => ({ calls: [], pieces, text: pieces.join('') })

/** A conversation with how it must end. The arguments of no two calls are the same. */
export interface Work {
  turns: readonly Turn[]
  calls: number
}

/** `rounds` turns of `callsEach` calls, then an answer of `pieces` pieces. */
export function work(rounds: number, callsEach: number, pieces: number): Work {
  const turns: Turn[] = []
  for (let round = 0; round < rounds; round++)
    turns.push(callTurn(Array.from({ length: callsEach }, (_, i) => addCall(round * callsEach + i + 1))))
  turns.push(textTurn(new Array<string>(pieces).fill(PIECE)))
  return { turns, calls: rounds * callsEach }
}

const added = { calls: 0, sum: 0 }

/** The function behind the tool `add` of every subject. */
export function add({ a, b }: { a: number; b: number }): number {
  added.calls++
  added.sum += a + b
  return a + b
}

/**
 * Does `given` once with `subject` and throws unless the tool ran exactly as scripted and the answer came whole.
 * `closely` also looks whether every result reached the model before its last turn.
 */
export async function perform(subject: Subject, given: Work, closely = false): Promise<void> {
  added.calls = 0
  added.sum = 0
  let at = 0
  const heard = await subject.talk({
    next(thread) {
      const turn = given.turns[at++]
      if (turn === undefined) throw new Error(`${subject.name} asked for turn ${at} of ${given.turns.length}`)
      if (closely && at === given.turns.length) lookForResults(subject, given, thread())
      return turn
    },
  })
  const answer = given.turns.at(-1) as Turn
  const sum = given.calls * B + (given.calls * (given.calls + 1)) / 2
  if (at !== given.turns.length) throw new Error(`${subject.name} took ${at} turns of ${given.turns.length}`)
  if (added.calls !== given.calls)
    throw new Error(`${subject.name} ran add ${added.calls} times of ${given.calls}`)
  if (added.sum !== sum) throw new Error(`${subject.name} added up ${added.sum}, not ${sum}`)
  if (heard.text !== answer.text)
    throw new Error(`${subject.name} answered ${JSON.stringify(heard.text.slice(0, 80))}`)
  if (heard.pieces !== answer.pieces.length)
    throw new Error(`${subject.name} streamed ${heard.pieces} pieces of ${answer.pieces.length}`)
}

function lookForResults(subject: Subject, given: Work, thread: string): void {
  for (let n = 1; n <= given.calls; n++)
    if (!thread.includes(String(sumOf(n))))
      throw new Error(`${subject.name}: result ${n} did not reach the model`)
}
