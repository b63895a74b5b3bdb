// An app over a store that outlives it, a clock that the test moves, and models that know their turn from the thread.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, vi } from 'vitest'
import { keeper } from '../../src/engine/keeper.ts'
import { memoryStore } from '../../src/engine/memory-store.ts'
import { type App, type AppStated, app, type Engine } from '../../src/index.ts'
import { sqlite } from '../../src/sqlite.ts'
import { handClock } from '../engines/conformance.ts'
import type { byTurn } from './byturn.ts'

export { byTurn } from './byturn.ts'

export type Clock = ReturnType<typeof handClock>

const left: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const undo of left.splice(0).reverse()) await undo()
})

/** A place for an app: what is kept there outlives each app that is opened over it. */
export function world(kind: 'memory' | 'sqlite' = 'sqlite') {
  const clock = handClock()
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-app-'))
  left.push(() => rmSync(folder, { recursive: true, force: true }))
  const rows = memoryStore()
  const warned: unknown[] = []
  const warn = (error: unknown): void => void warned.push(error)
  const store = (): Engine =>
    kind === 'memory'
      ? keeper(rows, { clock, warn })
      : sqlite(join(folder, 'app.db'), { clock, warn, patience: 0 })
  const begin = async (stated: AppStated): Promise<App> => {
    const made = app({ clock, drain: false, store: store(), ...stated })
    left.push(() => made.close({ grace: 0 }))
    await made.open()
    return made
  }
  return { clock, begin, store, warned, file: join(folder, 'app.db') }
}

/** Waits until exactly these steps ask. */
export function asking(made: App, run: { id: string }, ...steps: string[]): Promise<void> {
  return vi.waitFor(
    async () => {
      const found = (await made.runs.asks(run)).map(ask => ask.step)
      if (found.sort().join() !== steps.sort().join()) throw new Error(`asks: ${found.join() || 'none'}`)
    },
    { interval: 2, timeout: 5000 },
  )
}

export function status(made: App, run: { id: string }, wanted: string): Promise<void> {
  return vi.waitFor(
    async () => {
      const found = await made.runs.get(run)
      if (found.status !== wanted) throw new Error(`${found.status} ${found.error?.message ?? ''}`)
    },
    { interval: 2, timeout: 5000 },
  )
}

/** What the tool messages of the last request said. */
export function results(model: ReturnType<typeof byTurn>): string[] {
  return model.told.at(-1)!.flatMap(m => (m.role === 'tool' ? [m.text] : []))
}
