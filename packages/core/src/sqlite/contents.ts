// All that a store keeps, read line by line, for whoever moves it to another store.
import type { Kept } from '../engine/store.ts'
import { Base, type Line } from './base.ts'
import { valueIn } from './blob.ts'

/** What a file keeps. Times are ms since 1970, values encoded JSON. */
export interface Contents {
  runs(): Iterable<ContentRun>
  records(): Iterable<{ run: string; seq: number; record: Kept }>
  asks(): Iterable<ContentAsk>
  /** What was sent to runs, taken or not, in order. */
  signals(): Iterable<{ id: number; run: string; channel: string; value: string; at: number }>
  rows(): Iterable<{ thread: string; row: number; run: string; value: string }>
  close(): void
}

export interface ContentRun {
  id: string
  flow: string
  input: string
  person: string | null
  key: string | null
  status: string
  due: number | null
  stopping: boolean
  cuts: number
  deaths: number
  started: number
  ended: number | null
  output: string | null
  error: string | null
  /** Something came that it has not read, or it is its turn. */
  wants: boolean
}

export interface ContentAsk {
  run: string
  step: string
  ask: string | null
  until: number | null
  at: number | null
  decision: string | null
  decided: number | null
}

/** Reads the store in `file`. Nobody should work on it meanwhile. */
export function contents(file: string): Contents {
  const base = new Base(file)
  const text = (value: Line[string] | undefined): string | null => (value === null ? null : String(value))
  const number = (value: Line[string] | undefined): number | null => (value === null ? null : Number(value))
  return {
    *runs() {
      for (const line of base.each('select * from runs order by started, rowid'))
        yield {
          id: String(line['id']),
          flow: String(line['flow']),
          input: String(line['input']),
          person: text(line['person']),
          key: text(line['dedupe']),
          status: String(line['status']),
          due: number(line['due']),
          stopping: line['stopping'] === 1,
          cuts: Number(line['cuts']),
          deaths: Number(line['deaths']),
          started: Number(line['started']),
          ended: number(line['ended']),
          output: text(line['output']),
          error: text(line['error']),
          wants: line['wake_at'] === 0,
        }
    },
    *records() {
      const lines = base.each(
        `select journal.run, seq, kind, key, name, cuts, at, journal.value, blobs.value as large from journal
         left join blobs on blobs.run = journal.run and blobs.hash = journal.blob order by journal.run, seq`,
      )
      for (const line of lines)
        yield {
          run: String(line['run']),
          seq: Number(line['seq']),
          record: {
            kind: String(line['kind']) as Kept['kind'],
            key: String(line['key']),
            name: String(line['name']),
            value: valueIn(line),
            cuts: Number(line['cuts']),
            at: Number(line['at']),
          },
        }
    },
    *asks() {
      for (const line of base.each('select * from asks'))
        yield {
          run: String(line['run']),
          step: String(line['step']),
          ask: text(line['ask']),
          until: number(line['until']),
          at: number(line['at']),
          decision: text(line['decision']),
          decided: number(line['decided']),
        }
    },
    *signals() {
      for (const line of base.each('select * from signals order by id'))
        yield {
          id: Number(line['id']),
          run: String(line['run']),
          channel: String(line['channel']),
          value: String(line['value']),
          at: Number(line['at']),
        }
    },
    *rows() {
      const lines = base.each(
        `select thread, row, rows.run, rows.value, blobs.value as large from rows
         left join blobs on blobs.run = rows.run and blobs.hash = rows.blob`,
      )
      for (const line of lines)
        yield {
          thread: String(line['thread']),
          row: Number(line['row']),
          run: String(line['run']),
          value: valueIn(line),
        }
    },
    close: () => base.close(),
  }
}
