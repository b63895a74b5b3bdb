// The journal of a run, as it is listed.
import type { Json } from '../define/records.ts'
import type { Step } from './engine.ts'
import type { Kept } from './store.ts'

/** In the order in which it was written; what has ended is not listed as begun as well. */
export function listed(records: readonly Kept[]): Step[] {
  const done = new Set(records.flatMap(record => (record.kind === 'begin' ? [] : [record.key])))
  return records
    .filter(({ kind, key }) => kind !== 'begin' || !done.has(key))
    .map(({ name, key, kind, at, value }) => ({
      name,
      key,
      kind,
      status: kind === 'begin' ? 'begun' : 'done',
      at,
      ...(value === '' ? {} : { value: JSON.parse(value) as Json }),
    }))
}
