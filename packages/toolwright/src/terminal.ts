// The person at the terminal: what is written to them, and what they are asked. Everything else of the command
// speaks to this interface, so tests sit in the person's place.
import { createInterface, type Interface } from 'node:readline'
import { styleText } from 'node:util'
import { confirm, isCancel } from '@clack/prompts'

/** What somebody typed; 'end' where there is no more input (ctrl-D), 'interrupt' where they pressed ctrl-C. */
export type Typed = { text: string } | 'end' | 'interrupt'

export type Style = 'dim' | 'red' | 'green' | 'yellow' | 'bold'

/** Texts that are written must be escaped already. */
export interface Terminal {
  /** Somebody sits there who can be asked: stdin and stderr are a terminal. */
  readonly person: boolean
  /** What is written to stderr can be wiped again: it is a terminal. */
  readonly live: boolean
  /** stdout and stderr are seen in one place, so that a line on one must not begin behind half a line of the other. */
  readonly together: boolean
  /** Writes to stdout: what was asked for. */
  out(text: string): void
  /** Writes to stderr: everything else. */
  err(text: string): void
  /** `text` in colour, where stderr shows colours. */
  style(style: Style, text: string): string
  /**
   * Shows `details` and asks a yes-or-no question, of which no is the default; 'interrupt' for ctrl-C and escape.
   * Questions that are asked at once come one after another, and nothing is written in between.
   */
  confirm(details: string, question: string, signal: AbortSignal): Promise<boolean | 'interrupt'>
  /** Reads the next message: a line, or several that were pasted together. */
  read(prompt: string): Promise<Typed>
  /** All that is piped in. */
  piped(): Promise<string>
  /** Calls `handler` at each ctrl-C until the function it gives is called. */
  onInterrupt(handler: () => void): () => void
  /** Ends the process, at once. */
  leave(code: number): void
}

/** The terminal of this process. */
export function openTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  const person = stdin.isTTY === true && stderr.isTTY === true
  const history: string[] = []
  let lines: AsyncIterator<string> | undefined
  let asking = false
  let queue: Promise<unknown> = Promise.resolve()
  const held: (() => void)[] = []

  const write = (to: NodeJS.WriteStream, text: string) => {
    if (asking) held.push(() => to.write(text))
    else to.write(text)
  }
  /** Has the terminal to itself while `question` is open. */
  const alone = async <T>(question: () => Promise<T>): Promise<T> => {
    asking = true
    try {
      return await question()
    } finally {
      asking = false
      for (const each of held.splice(0)) each()
    }
  }
  const handlers = new Set<() => void>()
  // It stays when nobody handles it any more: a ctrl-C on the way out gives 130 like any.
  const interrupted = () => {
    if (handlers.size === 0) process.exit(130)
    for (const handler of [...handlers]) handler()
  }
  // Whoever read us went away (`| head`): there is nobody left to work for.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

  return {
    person,
    together: stdout.isTTY === true && stderr.isTTY === true,
    live: stderr.isTTY === true && process.env['TERM'] !== 'dumb',
    out: text => write(stdout, text),
    err: text => write(stderr, text),
    style: (style, text) => styleText(style, text, { stream: stderr }),
    confirm(details, question, signal) {
      const asked = queue.then(() =>
        alone(async () => {
          if (signal.aborted) return 'interrupt'
          stderr.write(details)
          if (await typedAhead(stdin)) return 'interrupt'
          const answer = await confirm({
            message: question,
            initialValue: false,
            input: stdin,
            output: stderr,
            signal,
          })
          return isCancel(answer) ? 'interrupt' : answer
        }),
      )
      queue = asked.catch(() => {})
      return asked
    },
    read(prompt) {
      if (person) return alone(() => readMessage(prompt, history))
      lines ??= createInterface({ input: stdin, terminal: false })[Symbol.asyncIterator]()
      return lines.next().then(line => (line.done ? 'end' : { text: line.value }))
    },
    async piped() {
      if (stdin.isTTY) return ''
      stdin.setEncoding('utf8')
      let text = ''
      for await (const part of stdin) text += part
      return text
    },
    onInterrupt(handler) {
      if (!process.listeners('SIGINT').includes(interrupted)) process.on('SIGINT', interrupted)
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    leave: code => process.exit(code),
  }
}

/** Throws away what was typed before a question was seen, so that it answers nothing. True: it had a ctrl-C in it. */
async function typedAhead(stdin: NodeJS.ReadStream): Promise<boolean> {
  let interrupted = false
  const drop = (data: string | Buffer) => {
    if (data.includes('\x03')) interrupted = true
  }
  stdin.setRawMode(true)
  stdin.on('data', drop)
  stdin.resume()
  await new Promise(done => setTimeout(done, 30))
  stdin.pause()
  stdin.off('data', drop)
  stdin.setRawMode(false)
  return interrupted
}

/** Reads a message with line editing and the arrow keys' history. Lines that come at once, pasted, are one message. */
function readMessage(prompt: string, history: string[]): Promise<Typed> {
  const { stdin, stderr } = process
  const editor: Interface = createInterface({
    input: stdin,
    output: stderr,
    history,
    historySize: 500,
    prompt,
  })
  const got: string[] = []
  return new Promise(done => {
    const finish = (typed: Typed) => {
      // First, for closing says 'close', which alone would mean the end of the input.
      done(typed)
      editor.close()
    }
    editor.on('history', (all: string[]) => history.splice(0, history.length, ...all))
    editor.on('line', line => {
      if (got.push(line) > 1) return
      // The rest of a paste is read in the same breath; a person's next line is not.
      setImmediate(() => {
        const whole = () => finish({ text: got.join('\n') })
        if (editor.line === '') whole()
        else editor.once('line', whole)
      })
    })
    editor.on('SIGINT', () => finish('interrupt'))
    editor.on('close', () => finish(got.length > 0 ? { text: got.join('\n') } : 'end'))
    editor.prompt()
  })
}
