// Runs programs one after another in a process of its own, outside of the test runner: what Node loads is what people
// load. Takes a list as JSON on stdin, gives the results as JSON in a file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Model, Request } from '@toolwright/core'
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
  const { write } = process.stdout
  let printed = ''
  process.stdout.write = (part: string | Uint8Array) => {
    printed += String(part)
    return true
  }
  try {
    const value = await runFile(join(folder, 'main.agency'), {
      model,
      ...(program.node === undefined ? {} : { node: program.node }),
      ...(program.args === undefined ? {} : { args: program.args }),
    })
    return { value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)), printed, requests }
  } catch (error) {
    const { message, stack = '' } = error as Error
    return {
      error: message.replaceAll(`${folder}/`, ''),
      stack: stack.replaceAll(`${folder}/`, ''),
      printed,
      requests,
    }
  } finally {
    process.stdout.write = write
  }
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
