// Runs programs as `toolwright run` does, all in one process.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message } from '@toolwright/core'

export type BatchTurn = { says: string } | { calls: readonly (readonly [tool: string, input?: object])[] }

export interface BatchProgram {
  /** The source of main.agency, or all files by their names. */
  source: string | { readonly [file: string]: string }
  turns?: readonly BatchTurn[]
  node?: string
  args?: readonly unknown[] | Record<string, unknown>
}

export interface BatchResult {
  value?: unknown
  error?: string
  stack?: string
  printed: string
  /** What the node's own thread shows at the end; that of the statements, where there is no node. */
  thread: Message[]
  /** The warnings of the log. */
  warnings: string[]
  requests: {
    instructions: string
    messages: Message[]
    tools: { function: { name: string; description: string; parameters: Record<string, unknown> } }[]
  }[]
}

/** Runs all programs, each on its own, and gives what became of each. */
export async function runAll(programs: readonly BatchProgram[]): Promise<BatchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agency-batch-'))
  const target = join(folder, 'results.json')
  const batch = fileURLToPath(new URL('batch.ts', import.meta.url))
  try {
    await new Promise<void>((resolve, reject) => {
      const child = execFile(
        process.execPath,
        ['--conditions=development', '--disable-warning=ExperimentalWarning', batch, target],
        { timeout: 120_000 },
        (error, _, stderr) => (error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve()),
      )
      child.stdin?.end(JSON.stringify(programs))
    })
    return JSON.parse(readFileSync(target, 'utf8')) as BatchResult[]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A thread as people draw it: a line for each message, and for each call. */
export function drawn(messages: readonly Message[]): string[] {
  const tools = new Map(messages.flatMap(({ calls }) => calls.map(each => [each.id, each.tool] as const)))
  return messages.flatMap(({ role, text, calls, call }) => [
    ...(role === 'tool' ? [`[tool: ${tools.get(call!)}] ${text}`] : text === '' ? [] : [`[${role}] ${text}`]),
    ...calls.map(each => `[${role}] tool call: ${each.tool}(${each.arguments})`),
  ])
}
