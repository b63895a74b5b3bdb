// Lets a process work on a store, kills it, and judges what is left.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine, RunRecord } from '../../src/engine/engine.ts'
import { sqlite } from '../../src/sqlite.ts'
import type { Wrong } from './child.ts'
import { ASKS, EXPECTED } from './work.ts'

const child = join(import.meta.dirname, 'child.ts')

/** A store that processes come and go on, looked at from outside. */
export class Site {
  readonly file: string
  private readonly lines: string
  private readonly outside: Engine
  /** What was wrong, in words. */
  readonly faults: string[] = []
  private before = new Map<string, string>()
  /** How often each step had been done when its outcome was given to the code. */
  private readonly done = new Map<string, number>()

  constructor(folder: string, name: string) {
    this.file = join(folder, `${name}.db`)
    this.lines = join(folder, `${name}.txt`)
    this.outside = sqlite(this.file)
  }

  /** Starts a process; resolves when it has ended. `after`: killed so many ms after its first commit. */
  live(wrong: Wrong = {}, after?: number): { ended: Promise<'killed' | 'ended'>; kill: () => void } {
    const process_ = spawn(
      process.execPath,
      [
        '--conditions=development',
        '--disable-warning=ExperimentalWarning',
        child,
        this.file,
        this.lines,
        JSON.stringify(wrong),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const kill = (): void => void process_.kill('SIGKILL')
    let said = ''
    process_.stderr.on('data', data => {
      said += String(data)
    })
    if (after !== undefined) process_.stdout.once('data', () => setTimeout(kill, after))
    process_.stdout.resume()
    const ended = new Promise<'killed' | 'ended'>(resolve =>
      process_.on('exit', (code, signal) => {
        if (signal !== 'SIGKILL' && code !== 0) this.faults.push(`the process ended with ${code}: ${said}`)
        resolve(signal === 'SIGKILL' ? 'killed' : 'ended')
      }),
    )
    return { ended, kill }
  }

  /** Answers what is asked, from this process, as people do: while the other one works. */
  async attend(until: Promise<unknown>): Promise<void> {
    let over = false
    until.then(() => {
      over = true
    })
    while (!over) {
      const asks = await this.outside.asks('main')
      for (const ask of asks) {
        const answer = await this.outside.decide('main', ask.step, { approved: true })
        if (!ASKS.includes(ask.step)) this.faults.push(`nobody asks ${ask.step}`)
        if (answer === 'unknown') this.faults.push(`${ask.step} was unknown`)
      }
      await new Promise(resolve => setTimeout(resolve, 3))
    }
  }

  /** Before anybody works: the run is there, and somebody has sent what it waits for. */
  async begin(): Promise<void> {
    await this.outside.run({ flow: 'work', input: {}, id: 'main' })
    await this.outside.send('main', 'go', 'gone on')
  }

  /** Compares the journal and the effects with what they were when the last process had died. */
  async look(): Promise<RunRecord> {
    const kept = new Map<string, string>()
    for (const { kind, key, value } of await this.outside.steps('main'))
      if (kind !== 'begin') kept.set(`${kind} ${key}`, JSON.stringify(value))
    for (const [key, value] of this.before)
      if (kept.get(key) !== value) this.faults.push(`${key} was ${value} and is ${kept.get(key)}`)
    this.before = kept
    this.count()
    return (await this.outside.get('main'))!
  }

  private count(): void {
    const text = existsSync(this.lines) ? readFileSync(this.lines, 'utf8') : ''
    const did = new Map<string, number>()
    const given = new Set<string>()
    for (const line of text.split('\n')) {
      const [what, ...rest] = line.split(' ')
      const key = rest.join(' ')
      if (what === 'kept') given.add(key)
      if (what !== 'did') continue
      did.set(key, (did.get(key) ?? 0) + 1)
      if (given.has(key)) this.faults.push(`${key} was done again after its outcome had been given`)
    }
    for (const [key, count] of this.done)
      if (did.get(key) !== count)
        this.faults.push(`${key} was done ${did.get(key)} times, and ${count} before`)
    for (const record of this.before.keys()) {
      const [kind, ...rest] = record.split(' ')
      const key = `main${rest.join(' ')}`
      if (kind === 'step' && did.has(key)) this.done.set(key, did.get(key)!)
    }
  }

  /** Parked after three deaths without a step in between: which these kills may well bring about. */
  async resume(): Promise<void> {
    const run = await this.outside.get('main')
    if (run?.status === 'parked') await this.outside.resume('main')
  }

  /** The end: as if nothing had happened. */
  async judge(): Promise<void> {
    const run = await this.look()
    const said = JSON.stringify([run.status, run.output, run.error])
    if (said !== JSON.stringify(['done', EXPECTED, undefined])) this.faults.push(`the run ended as ${said}`)
    const rows = await this.outside.rows('thread')
    if (rows.length !== 7) this.faults.push(`the thread has ${rows.length} rows`)
    if (this.done.size !== 13) this.faults.push(`${this.done.size} steps were done`)
    await this.outside.close()
  }

  /** Lets processes work until the run has ended. */
  async finish(wrong: Wrong = {}): Promise<void> {
    for (let lives = 0; lives < 5; lives++) {
      await this.resume()
      const { ended } = this.live(wrong)
      await this.attend(ended)
      // A process that finds it parked ends too.
      if ((await ended) === 'ended' && (await this.look()).status !== 'parked') break
    }
    await this.judge()
  }
}
