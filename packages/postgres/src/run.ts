// A line of the table of runs, as it is told.
import type { Json } from '@toolwright/core'
import type { RunRecord, Status } from '@toolwright/core/engine'
import type { Line } from './base.ts'
import { restored } from './schema.ts'

export function runOf(line: Line): RunRecord {
  const { person, ended, due, output, error, after } = line
  return {
    id: restored(String(line['id'])),
    flow: restored(String(line['flow'])),
    input: JSON.parse(String(line['input'])) as Json,
    ...(person === null ? {} : { person: restored(String(person)) }),
    status: line['status'] as Status,
    started: Number(line['started']),
    ...(ended === null ? {} : { ended: Number(ended) }),
    ...(due === null ? {} : { due: Number(due) }),
    ...(output === null ? {} : { output: JSON.parse(String(output)) as Json }),
    ...(error === null ? {} : { error: JSON.parse(String(error)) as NonNullable<RunRecord['error']> }),
    deaths: Number(line['deaths']),
    ...(after === null || after === undefined ? {} : { after: restored(String(after)) }),
    ...(line['unworked'] === true ? { unworked: true as const } : {}),
  }
}
