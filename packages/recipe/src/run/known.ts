// The variables of a call: read once, so that what a person agreed to is what is sent.
import type { Context } from '@toolwright/core'
import type { Connection } from '../connection/connection.ts'
import type { Param, Plan } from '../document/plan.ts'

export type Known = Readonly<Record<string, unknown>>

/** What was shown of a call to a person who was asked. */
const shown = new WeakMap<Context, Known>()

/** Reads the variables anew, and remembers them for when the call is carried out: that is what a person sees now. */
export function readKnown(plan: Plan, connection: Connection, ctx: Context): Known {
  const store = connection.variables?.(ctx) ?? ctx.variables
  const names = namesOf(plan)
  const known = Object.fromEntries(names.map(name => [name, store.get(name, connection.name) ?? null]))
  if (ctx.callKey !== '') shown.set(ctx, known)
  return known
}

/** The variables that the call is carried out with: those that were shown where somebody was asked. Kept as a step. */
export async function knownOf(plan: Plan, connection: Connection, ctx: Context): Promise<Known> {
  if (namesOf(plan).length === 0) return {}
  return await ctx.step('variables', () => shown.get(ctx) ?? readKnown(plan, connection, ctx))
}

function namesOf(plan: Plan): string[] {
  const of = (param: Param): string[] =>
    param.fields ? param.fields.flatMap(of) : param.from === 'variable' ? [param.value as string] : []
  return [...new Set(plan.sources.flatMap(({ params }) => params.flatMap(of)))]
}
