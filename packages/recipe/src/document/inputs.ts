// The same input of the model in several sources: it is told once, so it must mean the same.
import { below, type Faults, short } from './faults.ts'
import { isTold } from './params.ts'
import type { Param, Source } from './plan.ts'

/** Adds a fault for each parameter that the model fills and that another source states otherwise. */
export function inputFaults(sources: readonly Source[], faults: Faults): void {
  const seen: { param: Param; letter: string }[] = []
  for (const { letter, params } of sources)
    params.forEach(param => {
      if (!isTold(param)) return
      const other = seen.find(one => one.letter !== letter && overlap(one.param.keys, param.keys))
      if (other && !same(other.param, param))
        faults.add(
          below('/sources', letter),
          'T4008',
          `the model fills ${short(param.name)} here and ${short(other.param.name)} in source ${other.letter}, and they differ`,
          'give them the same name, type, values and fields, or names of their own',
        )
      seen.push({ param, letter })
    })
}

// One name is the other, or the beginning of it.
function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.every((key, i) => b[i] === undefined || b[i] === key)
}

function same(a: Param, b: Param): boolean {
  const shape = ({ keys, type, values, fields }: Param): unknown => [keys, type, values, fields?.map(shape)]
  return JSON.stringify(shape(a)) === JSON.stringify(shape(b))
}
