// A recipe becomes a tool like any other.
import { createHash } from 'node:crypto'
import { type Json, type Tool, tool } from '@toolwright/core'
import { definition, definitionOf, toTool } from '@toolwright/core/engine'
import type { Connection } from './connection/connection.ts'
import { type RecipeFault, refuseFaults } from './document/faults.ts'
import type { Plan } from './document/plan.ts'
import { readRecipe } from './document/read.ts'
import { carryOut } from './run/carry.ts'
import { readKnown } from './run/known.ts'
import { preview } from './run/preview.ts'
import { toldInput } from './values/told.ts'

/** What stands outside of a recipe's document. */
export interface RecipeOptions {
  /** The name under which the model is told it. */
  name: string
  /** What it does, as the model is told; left out: the document's `about`. */
  about?: string
  connection: Connection
}

/** A tool that a recipe made. */
export type RecipeTool = Tool<Record<string, unknown>, unknown>

/**
 * A tool out of a recipe's document (a `RecipeDocument`, parsed from whatever file it came from): `kind: 'fetch'` only reads, `kind: 'action'` sends data out and asks a person
 * unless the agent's `trust` names it or its connection. Throws one error with every fault of the document, each with a
 * JSON pointer, a code and the mend.
 */
export function recipe(document: unknown, options: RecipeOptions): RecipeTool {
  const { name, connection } = options
  const what = `recipe ${JSON.stringify(name)}`
  const read = readRecipe(document)
  const faults = read.ok ? [...outside(read.plan, options)] : read.faults
  refuseFaults(what, faults)
  const { plan } = read as Extract<typeof read, { ok: true }>
  const about = (options.about ?? plan.about)!.trim()
  // The name and the schema are checked as those of every tool.
  const input = toldInput(plan.sources.flatMap(({ params }) => params))
  const told = definitionOf(tool(name, { about, input, run: () => undefined }))!
  return toTool(
    definition({
      name,
      about,
      input: told.input,
      readOnly: plan.kind === 'fetch',
      sendsOut: plan.kind === 'action',
      // Without a text the line is empty: whoever shows it decides what is said.
      line: plan.announce ? (plan.announceText ?? '') : false,
      service: connection.name,
      version: versionOf(document, connection),
      // What a person agrees to is what is sent: with the values of variables, to the address that is shown.
      resolve: (given, ctx) => {
        const known = readKnown(plan, connection, ctx)
        const { requests, faults } = preview(plan, connection, given, name => known[name] ?? undefined)
        return connection.mask.value(faults.length > 0 ? { faults } : { requests }) as Json
      },
      execute: (given, ctx) => carryOut(plan, name, connection, given, ctx),
    }),
  )
}

/** Tells one version of a recipe from another: its document, and where it goes. */
function versionOf(document: unknown, { name, baseUrl }: Connection): string {
  return createHash('sha256')
    .update(JSON.stringify([document, name, baseUrl]))
    .digest('hex')
}

/** What is missing around a document that is right in itself. */
function outside(plan: Plan, { about, connection }: RecipeOptions): RecipeFault[] {
  const faults: RecipeFault[] = []
  const add = (pointer: string, code: string, problem: string, fix: string) =>
    faults.push({ pointer, code, problem, fix })
  if (typeof (about ?? plan.about) !== 'string' || (about ?? plan.about)!.trim() === '')
    add(
      '/about',
      'T4003',
      'nothing says what the tool does',
      'write recipe(document, { about: "…" }), or "about" in the document',
    )
  if (typeof connection?.send !== 'function')
    add(
      '',
      'T4003',
      'no connection is given',
      "write recipe(document, { connection: connection('booking', { baseUrl }) })",
    )
  return faults
}
