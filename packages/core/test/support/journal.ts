// A replaying engine, as small as it can be: a journal of bytes that dies before or after its n-th write.
// Only encoded bytes survive a death; the loop starts afresh with new objects.
import type { Piece } from '../../src/define/records.ts'
import type { Clock } from '../../src/engine/clock.ts'
import { decode, encode } from '../../src/engine/codec.ts'
import { pathOf } from '../../src/engine/memory.ts'
import type { Ask, Decision, Outcome, Place, Row, StepContext } from '../../src/engine/place.ts'
import type { Stop } from '../../src/engine/stop.ts'

/** Where the process dies: around its n-th write, counted from 1. */
export interface Death {
  write: number
  when: 'before' | 'after'
}

const never = (): Promise<never> => new Promise(() => {})

/** The bytes that survive. */
export class Journal {
  readonly kept = new Map<string, string>()
  /** Writes of this life. */
  writes = 0
  /** Resolves when this life is over before its work was. */
  readonly died: Promise<void>
  private readonly death: Death | undefined
  private dead = false
  private die: () => void = () => {}

  constructor(before: ReadonlyMap<string, string> = new Map(), death?: Death) {
    this.kept = new Map(before)
    this.death = death
    this.died = new Promise(resolve => {
      this.die = resolve
    })
  }

  get isDead(): boolean {
    return this.dead
  }

  /** True where the write happened and the process lives on. Writing other bytes under a kept key is a fault. */
  write(key: string, value: unknown): boolean {
    if (this.dead) return false
    const bytes = JSON.stringify(encode(value, key))
    const before = this.kept.get(key)
    if (before !== undefined) {
      if (before !== bytes) throw new Error(`not the same at the replay: ${key}\n  ${before}\n  ${bytes}`)
      return true
    }
    this.writes++
    const last = this.death?.write === this.writes
    if (last && this.death?.when === 'before') return this.end()
    this.kept.set(key, bytes)
    return last ? this.end() : true
  }

  read(key: string): { value: unknown } | undefined {
    const bytes = this.kept.get(key)
    return bytes === undefined ? undefined : { value: decode(JSON.parse(bytes)) }
  }

  private end(): false {
    this.dead = true
    this.die()
    return false
  }
}

export interface Life {
  journal: Journal
  clock: Clock
  stop: Stop
  asks?: (ask: Ask) => Decision | Promise<Decision>
  emit?: (piece: Piece) => void
}

/** The root place of a run that lives by the journal. */
export function replaying(life: Life): Place {
  return new JournalPlace(life, '', 'run')
}

class JournalPlace implements Place {
  readonly path: string
  readonly key: string
  private readonly life: Life
  private busy: string | undefined

  constructor(life: Life, path: string, key: string) {
    this.life = life
    this.path = path
    this.key = key
  }

  get stop(): Stop {
    return this.life.stop
  }

  async step<T>(name: string, fn: (s: StepContext) => Promise<T>): Promise<T> {
    const { journal } = this.life
    if (journal.isDead) return await never()
    if (this.busy !== undefined)
      throw new Error(`step ${name} begins in ${this.key} before ${this.busy} has ended`)
    const key = `${this.key}/${name}`
    const kept = journal.read(key)
    if (kept) return kept.value as T
    this.busy = name
    let attempt = 1
    while (journal.read(`${key}#${attempt}`)) attempt++
    if (!journal.write(`${key}#${attempt}`, true)) return await never()
    try {
      const value = await fn({ attempt, key })
      if (!journal.write(key, value)) return await never()
      return (journal.read(key) as { value: T }).value
    } finally {
      this.busy = undefined
    }
  }

  async decide(name: string, ask: Ask, until: number): Promise<Decision> {
    return await this.step(name, async () => {
      JSON.stringify([ask, until])
      return await (this.life.asks?.(ask) ?? { approved: false, nobody: true })
    })
  }

  async branch(number: string, name: string, body: (place: Place) => Promise<Outcome>): Promise<Outcome> {
    const { journal } = this.life
    if (journal.isDead) return await never()
    const key = `${this.key}/${number}`
    const kept = journal.read(`${key}=`)
    if (kept) return kept.value as Outcome
    const outcome = await body(new JournalPlace(this.life, pathOf(this.path, number, name), key))
    if (!journal.write(`${key}=`, outcome)) return await never()
    return (journal.read(`${key}=`) as { value: Outcome }).value
  }

  asked(): undefined {}
  refused(): undefined {}
  drop(): void {}

  kept(number: string): Outcome | undefined {
    return this.life.journal.read(`${this.key}/${number}=`)?.value as Outcome | undefined
  }

  async sleep(name: string, ms: number): Promise<void> {
    const due = await this.step(name, async () => this.life.clock.now() + ms)
    const left = due - this.life.clock.now()
    if (left > 0) await new Promise<void>(resolve => this.life.clock.after(left, resolve))
    if (this.life.journal.isDead) await never()
  }

  async now(name: string): Promise<number> {
    return await this.step(name, async () => this.life.clock.now())
  }

  emit(piece: Piece): void {
    if (!this.life.journal.isDead) this.life.emit?.(piece)
  }

  write(thread: string, row: number, content: Row): void {
    this.life.journal.write(`row ${thread} ${row}`, content)
  }

  async rows(thread: string, from: number, to: number): Promise<readonly Row[]> {
    const rows: Row[] = []
    for (let row = from; row < to; row++) {
      const kept = this.life.journal.read(`row ${thread} ${row}`)
      if (!kept) throw new Error(`row ${row} of ${thread} is lost`)
      rows.push(kept.value as Row)
    }
    return rows
  }
}
