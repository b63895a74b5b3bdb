// What runs show, for readers in any process. Pieces are only written where somebody reads: a reader says so in the
// database, and the process in which the run works writes from then on, beginning with what it still has.
import type { Piece } from '@toolwright/core'
import type { Seal } from '@toolwright/core/engine'
import { type RunRecord, type Shown, settledAs } from '@toolwright/core/engine'
import type { Base } from './base.ts'
import { plain, quoted } from './schema.ts'

/** How many pieces of a run are kept for readers that come late, and of how many runs. */
const PIECES = 10_000
const RUNS = 200
/** Pieces are written together for so long, in ms. */
const TOGETHER = 15
/** How long a reader counts as one after it said so, in seconds, and how often it says so again, in ms. */
const READS = 20
const AGAIN = 5000
/** How long a reader of a run that has settled waits for what its process may still have, in ms. */
const LAST = 400
/** How often a reader looks where nobody told of anything, in ms. */
const LOOK = 1000

interface Buffer_ {
  next: number
  pieces: { at: number; piece: Piece }[]
  /** From which position on they are not written yet. */
  written: number
  watched: boolean
  writing: Promise<void> | undefined
}

export interface PiecesOptions {
  base: Base
  schema: string
  now: () => number
  ready: () => Promise<unknown>
  get: (run: string) => Promise<RunRecord | undefined>
  /** Tells all processes. */
  tell: (what: 'shown' | 'watch', run: string) => Promise<void>
  warn: (error: unknown) => void
  seal?: Seal | undefined
}

export interface ShownPieces extends Shown {
  /** A run is taken up here. */
  begin(run: string, watched: boolean): void
  /** What other processes told. */
  hear(what: 'shown' | 'watch', run: string): void
  close(): void
}

export function shownPieces({ base, schema, now, ready, get, tell, warn, seal }: PiecesOptions): ShownPieces {
  const close = (text: string): string => seal?.seal(text) ?? text
  const opened = (text: string): string => seal?.open(text) ?? text
  const s = quoted(schema)
  const buffers = new Map<string, Buffer_>()
  const readers = new Map<string, Set<() => void>>()
  let closed = false

  const open = (run: string): Buffer_ => {
    const known = buffers.get(run)
    if (known) return known
    // Positions begin at the time, so that they only grow, whichever process the run moves to.
    const next = now() * 1000
    const buffer: Buffer_ = { next, pieces: [], written: next, watched: false, writing: undefined }
    buffers.set(run, buffer)
    for (const old of buffers.keys()) if (buffers.size <= RUNS || !drop(old)) break
    return buffer
  }
  const drop = (run: string): boolean => !buffers.get(run)!.watched && buffers.delete(run)

  const write = async (run: string, buffer: Buffer_): Promise<void> => {
    const some = buffer.pieces.filter(({ at }) => at >= buffer.written)
    if (some.length === 0) return
    await base.query(
      `insert into ${s}.pieces (run, at, piece) select $1, w.at, w.piece
       from unnest($2::bigint[], $3::text[]) as w(at, piece) on conflict do nothing`,
      [plain(run), some.map(({ at }) => at), some.map(({ piece }) => close(JSON.stringify(piece)))],
      'show',
    )
    buffer.written = some.at(-1)!.at + 1
    await tell('shown', run)
  }
  const writeSoon = (run: string, buffer: Buffer_): void => {
    buffer.writing ??= new Promise<void>(resolve => setTimeout(resolve, TOGETHER))
      .then(() => write(run, buffer))
      .catch(warn)
      .then(() => {
        buffer.writing = undefined
        if (buffer.pieces.length > 0 && buffer.pieces.at(-1)!.at >= buffer.written && !closed)
          writeSoon(run, buffer)
      })
  }

  /** Resolves when something was told of the run, and after `ms` at the latest. */
  const told = (run: string, ms: number): Promise<void> =>
    new Promise(resolve => {
      const wake = (): void => {
        clearTimeout(timer)
        waiting.delete(wake)
        if (waiting.size === 0) readers.delete(run)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      const waiting = readers.get(run) ?? new Set()
      readers.set(run, waiting.add(wake))
    })
  const watch = async (run: string): Promise<void> => {
    await base.query(
      `insert into ${s}.watched (run, until) values ($1, now() + interval '${READS} seconds')
       on conflict (run) do update set until = excluded.until`,
      [plain(run)],
      'watch',
    )
    await tell('watch', run)
  }

  return {
    begin(run, watched) {
      const buffer = open(run)
      buffer.next = Math.max(buffer.next, now() * 1000)
      if (watched) buffer.watched = true
    },

    emit(run, piece) {
      const buffer = open(run)
      buffer.pieces.push({ at: buffer.next++, piece })
      if (buffer.pieces.length >= 2 * PIECES) buffer.pieces.splice(0, PIECES)
      if (buffer.watched) writeSoon(run, buffer)
    },

    async flush(run) {
      const buffer = buffers.get(run)
      if (!buffer?.watched) return
      await buffer.writing
      await write(run, buffer).catch(warn)
      buffer.watched = false
    },

    hear(what, run) {
      if (what === 'shown') for (const wake of [...(readers.get(run) ?? [])]) wake()
      const buffer = what === 'watch' ? buffers.get(run) : undefined
      if (!buffer) return
      if (!buffer.watched) buffer.written = 0
      buffer.watched = true
      writeSoon(run, buffer)
    },

    async *read(run, from) {
      await ready()
      let at = from
      let watched = Number.NEGATIVE_INFINITY
      let last = false
      while (!closed) {
        if (performance.now() - watched > AGAIN) {
          await watch(run)
          watched = performance.now()
        }
        // Listening begins before looking: what is told in between is not missed.
        const hearing = told(run, last ? LAST : LOOK)
        const lines = await base.query(
          `select at, piece from ${s}.pieces where run = $1 and at >= $2 order by at limit 1000`,
          [plain(run), at],
          'read',
        )
        for (const line of lines) {
          at = Number(line['at']) + 1
          yield { at: at - 1, piece: JSON.parse(opened(String(line['piece']))) as Piece }
        }
        if (lines.length > 0) continue
        if (last) return
        const record = await get(run)
        if (!record) return
        last = settledAs(record.status)
        await (last ? told(run, LAST) : hearing)
      }
    },

    close() {
      closed = true
      for (const waiting of [...readers.values()]) for (const wake of [...waiting]) wake()
    },
  }
}
