// The requests of a call as they would be sent, before any is: for a person who is asked, or who tries a recipe out.
import type { Connection } from '../connection/connection.ts'
import type { Plan } from '../document/plan.ts'
import { LATER } from '../values/fill.ts'
import { build } from '../values/request.ts'

/** A request with its secrets hidden. `…` stands for what an earlier answer would say. */
export interface Preview {
  /** What it is for: the source, and in a loop the entry (`b[2]`). */
  source: string
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

/** Every request of a call, or what is wrong with its values: one line each. Of a loop there is one for all entries. */
export function preview(
  plan: Plan,
  connection: Connection,
  input: unknown,
  variable: (name: string) => unknown,
): { requests: Preview[]; faults: string[] } {
  const requests: Preview[] = []
  const faults: string[] = []
  for (const source of plan.sources) {
    const built = build(source, connection.baseUrl, { input, variable, ref: () => LATER })
    if (!built.ok) faults.push(...built.faults.map(line => `${source.letter}: ${line}`))
    else requests.push({ source: source.letter, ...connection.shown(built.request) })
  }
  return { requests, faults }
}
