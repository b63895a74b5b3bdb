// Lets processes work on an app, kills them, and judges what is left.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine, Row, RunRecord } from '../../src/engine.ts'
import { sqlite } from '../../src/sqlite.ts'
import type { Wrong } from './chaoschild.ts'
import { ANSWER, ASKS, EFFECTS } from './chaoswork.ts'

const child = join(import.meta.dirname, 'chaoschild.ts')

/** A store that processes come and go on, looked at from outside. */
export class Site {
  private readonly file: string
  private readonly lines: string
  private readonly outside: Engine
  /** What was wrong, in words. */
  readonly faults: string[] = []
  private before = new Map<string, string>()
  /** How often each effect had happened when what it belongs to had been kept. */
  private readonly kept = new Map<string, number>()
  run = ''

  constructor(folder: string, name: string) {
    this.file = join(folder, `${name}.db`)
    this.lines = join(folder, `${name}.txt`)
    this.outside = sqlite(this.file)
  }

  /** Starts a process; resolves when it has ended. `after`: killed so many ms after its first commit. */
  live(wrong: Wrong = {}, after?: number): Promise<'killed' | 'ended'> {
    const args = ['--conditions=development', '--disable-warning=ExperimentalWarning', child]
    const living = spawn(process.execPath, [...args, this.file, this.lines, JSON.stringify(wrong)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    living.stderr.on('data', data => {
      said += String(data)
    })
    if (after !== undefined) living.stdout.once('data', () => setTimeout(() => living.kill('SIGKILL'), after))
    living.stdout.resume()
    const ended = new Promise<'killed' | 'ended'>(resolve =>
      living.on('exit', (code, signal) => {
        if (signal !== 'SIGKILL' && code !== 0) this.faults.push(`the process ended with ${code}: ${said}`)
        resolve(signal === 'SIGKILL' ? 'killed' : 'ended')
      }),
    )
    return this.attend(ended)
  }

  /** Answers what is asked, from this process, as people do: while the other one works. */
  private async attend<T>(until: Promise<T>): Promise<T> {
    let over = false
    until.then(() => {
      over = true
    })
    while (!over) {
      for (const { run, step } of await this.outside.asks()) {
        if (!ASKS.includes(step)) this.faults.push(`nobody asks ${step}`)
        if ((await this.outside.decide(run, step, { approved: true })) === 'unknown')
          this.faults.push(`${step} was unknown`)
      }
      await new Promise(resolve => setTimeout(resolve, 3))
    }
    return await until
  }

  /** Compares the journal and the effects with what they were when the last process had died. */
  async look(): Promise<RunRecord | undefined> {
    const run = (await this.outside.list()).find(each => each.flow === 'main')
    if (!run) return undefined
    this.run = run.id
    const kept = new Map<string, string>()
    for (const { kind, key, value } of await this.outside.steps(run.id))
      if (kind !== 'begin') kept.set(`${kind} ${key}`, JSON.stringify(value))
    for (const [key, value] of this.before)
      if (kept.get(key) !== value) this.faults.push(`${key} was ${value} and is ${kept.get(key)}`)
    this.before = kept
    const happened = this.effects()
    for (const [key, count] of this.kept)
      if (happened.get(key) !== count)
        this.faults.push(`${key} happened ${happened.get(key)} times, and ${count} when it was kept`)
    for (const key of happened.keys()) {
      if (!EFFECTS.includes(key)) this.faults.push(`nothing has the key ${key}`)
      // The next turn was asked for with the outcomes of the one before.
      const given = kept.has(`step /model ${Number(/^\/(\d+)/.exec(key)?.[1]) + 1}`)
      if (given || kept.has(`step ${key}`) || kept.has(`branch ${key}`))
        this.kept.set(key, happened.get(key)!)
    }
    return run
  }

  private effects(): Map<string, number> {
    const happened = new Map<string, number>()
    const text = existsSync(this.lines) ? readFileSync(this.lines, 'utf8') : ''
    for (const line of text.split('\n').filter(Boolean)) {
      const key = line.slice(this.run.length)
      happened.set(key, (happened.get(key) ?? 0) + 1)
    }
    return happened
  }

  /** Parked after three deaths without a step in between: which these kills may well bring about. */
  async resume(): Promise<void> {
    const run = await this.look()
    if (run?.status === 'parked') await this.outside.resume(run.id)
  }

  /** Lets processes work until the run has ended, and judges the end; gives all rows, to be compared. */
  async finish(wrong: Wrong = {}): Promise<Row[][]> {
    for (let lives = 0; lives < 6; lives++) {
      await this.resume()
      if ((await this.live(wrong)) === 'ended' && (await this.look())?.status !== 'parked') break
    }
    const run = await this.look()
    const end = JSON.stringify([run?.status, (run?.output as { text?: string } | null)?.text, run?.error])
    if (end !== JSON.stringify(['done', ANSWER, undefined])) this.faults.push(`the run ended as ${end}`)
    const happened = [...this.effects().keys()].sort()
    if (happened.join() !== EFFECTS.join()) this.faults.push(`what happened: ${happened.join(', ')}`)
    const threads = ['', '/1.4', '/1.4/1.1'].map(place => `${this.run}${place}`)
    const rows = await Promise.all(threads.map(thread => this.outside.rows(thread)))
    await this.outside.close()
    return rows.map(each => [...each])
  }
}
