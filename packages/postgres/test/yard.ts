// A place where workers come and go on one database, looked at from outside.
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine, RunRecord } from '@toolwright/core/engine'
import type { Worker } from './crew.ts'
import { type Defect, engineOf } from './defects.ts'
import { type Server, spawnNode } from './server.ts'

/** Numbers that are the same each time: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

export interface Hand {
  who: string
  process: ChildProcess
  /** Resolves with how it ended. */
  ended: Promise<number | NodeJS.Signals | null>
}

export class Yard {
  readonly url: string
  readonly outside: Engine
  /** What was wrong, in words. */
  readonly faults: string[] = []
  private readonly folder = mkdtempSync(join(tmpdir(), 'toolwright-yard-'))
  private readonly lines = join(this.folder, 'lines.txt')
  private readonly hands: Hand[] = []
  /** How often each effect had been done when it was first seen in a journal. */
  private readonly done = new Map<string, number>()

  constructor(url: string, defect?: Defect) {
    this.url = url
    this.outside = engineOf({ url, defect, warn: () => {} })
  }

  /** Starts a worker, and waits until it works. */
  async hire(more: Partial<Worker> = {}): Promise<Hand> {
    const who = `w${this.hands.length}`
    const worker: Worker = {
      url: this.url,
      schema: 'toolwright',
      lines: this.lines,
      who,
      works: 'flows',
      ...more,
    }
    const child = spawnNode('crew.ts', [JSON.stringify(worker)])
    let said = ''
    child.stderr!.on('data', data => {
      said += String(data)
    })
    const ended = new Promise<number | NodeJS.Signals | null>(resolve =>
      child.once('exit', (code, signal) => {
        if (code !== 0 && signal !== 'SIGKILL' && signal !== 'SIGTERM')
          this.faults.push(`${who} ended with ${code}: ${said}`)
        resolve(signal ?? code)
      }),
    )
    const hand = { who, process: child, ended }
    this.hands.push(hand)
    await Promise.race([new Promise(resolve => child.stdout!.once('data', resolve)), ended])
    return hand
  }

  /** The lines that workers wrote, in words. */
  said(what: string): string[][] {
    const text = existsSync(this.lines) ? readFileSync(this.lines, 'utf8') : ''
    return text
      .split('\n')
      .filter(line => line.startsWith(`${what} `))
      .map(line => line.slice(what.length + 1).split(' '))
  }

  /** How often each effect was done. */
  effects(): Map<string, number> {
    const did = new Map<string, number>()
    for (const [key = ''] of this.said('did').map(words => [words.join(' ')]))
      did.set(key, (did.get(key) ?? 0) + 1)
    return did
  }

  /**
   * What a journal has is never done again. Called now and then while workers die: what was in a journal the last time
   * must not have been done since.
   */
  async look(server: Server): Promise<void> {
    const database = new URL(this.url).pathname.slice(1)
    const lines = await server
      .query(`select run || key as key from toolwright.journal where kind in ('step', 'branch')`, database)
      .catch(() => [])
    const kept = new Set(lines.map(line => String(line['key'])))
    for (const [key, count] of this.effects()) {
      const before = this.done.get(key)
      if (before !== undefined && before !== count)
        this.faults.push(`${key} was done again after it was kept`)
      if (before === undefined && isKept(key, kept)) this.done.set(key, count)
    }
  }

  /** Answers all asks with yes, as soon as they are there, until all of `runs` have settled or `ms` are over. */
  async attend(runs: readonly string[], ms: number): Promise<RunRecord[]> {
    const end = performance.now() + ms
    for (;;) {
      const records = await this.outside.list({ limit: 1_000_000 }).catch(() => [])
      const open = records.filter(run => runs.includes(run.id) && run.ended === undefined)
      if ((records.length > 0 && open.length === 0) || performance.now() > end) return records
      const asks = await this.outside.asks().catch(() => [])
      await Promise.all(
        asks.map(ask => this.outside.decide(ask.run, ask.step, { approved: true }).catch(() => 'later')),
      )
      await pause(25)
    }
  }

  async settle(runs: readonly string[], ms: number): Promise<RunRecord[]> {
    const end = performance.now() + ms
    for (;;) {
      const records = await this.outside.list({ limit: 1_000_000 })
      if (records.every(run => !runs.includes(run.id) || run.ended !== undefined) || performance.now() > end)
        return records.filter(run => runs.includes(run.id))
      await pause(50)
    }
  }

  async clear(): Promise<void> {
    for (const { process: child } of this.hands)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await Promise.all(this.hands.map(hand => hand.ended))
    await this.outside.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Itself, or a branch around it. */
function isKept(effect: string, kept: ReadonlySet<string>): boolean {
  for (let key = effect; key.includes('/'); key = key.slice(0, key.lastIndexOf('/')))
    if (kept.has(key)) return true
  return false
}
