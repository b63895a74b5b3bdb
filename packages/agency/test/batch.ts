// Runs programs one after another in a process of its own, outside of the test runner: what Node loads is what people
// load. Takes a list as JSON on stdin, gives the results as JSON in a file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LogEvent, Message, Model, Request } from '@toolwright/core'
import { runFile, scriptedModel } from '../src/index.ts'
import type { BatchProgram, BatchResult } from './run.ts'

const [, , target] = process.argv
const given = JSON.parse(readFileSync(0, 'utf8')) as BatchProgram[]
const results: BatchResult[] = []
const root = mkdtempSync(join(tmpdir(), 'agency-'))
for (const [i, program] of given.entries()) results.push(await one(program, join(root, String(i))))
rmSync(root, { recursive: true })
writeFileSync(target!, JSON.stringify(results))

async function one(program: BatchProgram, folder: string): Promise<BatchResult> {
  const files = typeof program.source === 'string' ? { 'main.agency': program.source } : program.source
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const requests: BatchResult['requests'] = []
  const model = recorded(scriptedModel(program.turns ?? []), requests)
  const events: LogEvent[] = []
  const told = () => ({ printed, requests, thread: threadOf(events), warnings: warningsOf(events) })
  const { write } = process.stdout
  let printed = ''
  process.stdout.write = (part: string | Uint8Array) => {
    printed += String(part)
    return true
  }
  try {
    const value = await runFile(join(folder, 'main.agency'), {
      model,
      log: event => events.push(event),
      ...(program.node === undefined ? {} : { node: program.node }),
      ...(program.args === undefined ? {} : { args: program.args }),
    })
    return { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)), ...told() }
  } catch (error) {
    const { message, stack = '' } = error as Error
    return {
      error: message.replaceAll(`${folder}/`, ''),
      stack: stack.replaceAll(`${folder}/`, ''),
      ...told(),
    }
  } finally {
    process.stdout.write = write
  }
}

/** What the node's own thread shows at the end; that of the statements, where there is no node. */
function threadOf(events: readonly LogEvent[]): Message[] {
  const rows = new Map<number, Message>()
  const own = events.findLast(event => event.kind === 'message' && event.span === '')
  for (const event of events) {
    if ((event.kind !== 'message' && event.kind !== 'change') || !own || !('thread' in own)) continue
    if (event.thread !== own.thread) continue
    if (event.message) rows.set(event.row, event.message)
    else rows.delete(event.row)
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, message]) => message)
}

function warningsOf(events: readonly LogEvent[]): string[] {
  return events.flatMap(event => (event.kind === 'warning' ? [event.text] : []))
}

/** The model, with each request as it was made. */
function recorded(model: Model, requests: BatchResult['requests']): Model {
  return {
    ...model,
    turn(request: Request, each, signal) {
      const { instructions, messages, tools } = request
      requests.push(structuredClone({ instructions, messages: [...messages], tools: [...tools] }) as never)
      return model.turn(request, each, signal)
    },
  }
}
