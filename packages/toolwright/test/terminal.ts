// A terminal for tests: it keeps what is written, and a list answers what is asked.
import type { Terminal, Typed } from '../src/terminal.ts'

export interface FakeTerminal extends Terminal {
  readonly stdout: string
  readonly stderr: string
  /** What was shown with each question. */
  readonly questions: string[]
  /** What the command was left with by force; undefined where it was not. */
  readonly left: number | undefined
  /** Presses ctrl-C while nothing is asked. */
  interrupt(): void
}

interface Person {
  person?: boolean
  live?: boolean
  /** [true] */
  together?: boolean
  /** Answers to the questions, in order. */
  answers?: (boolean | 'interrupt')[]
  /** What is typed, in order; then the input ends. */
  types?: Typed[]
  piped?: string
}

export function fakeTerminal({
  person = false,
  live = false,
  together = true,
  answers = [],
  types = [],
  piped = '',
}: Person = {}): FakeTerminal {
  let stdout = ''
  let stderr = ''
  let left: number | undefined
  const questions: string[] = []
  const handlers = new Set<() => void>()
  const rest = [...answers]
  const typed = [...types]
  return {
    person,
    live,
    together,
    questions,
    get stdout() {
      return stdout
    },
    get stderr() {
      return stderr
    },
    get left() {
      return left
    },
    interrupt() {
      for (const handler of [...handlers]) handler()
    },
    out(text) {
      stdout += text
    },
    err(text) {
      stderr += text
    },
    style: (_, text) => text,
    async confirm(details) {
      questions.push(details)
      const answer = rest.shift()
      if (answer === undefined) throw new Error(`nobody answers:${details}`)
      return answer
    },
    read: async () => typed.shift() ?? 'end',
    piped: async () => piped,
    onInterrupt(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    leave(code) {
      left = code
    },
  }
}
