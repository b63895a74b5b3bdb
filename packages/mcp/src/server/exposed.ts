// What a server of ours offers: plain tools and agents, and what of an app may be started from outside.
import type { App, Usable } from '@toolwright/core'
import { type Definition, definitionOf, type Inner, servingOf, toTool } from '@toolwright/core/engine'

/** One thing on offer: its name on the wire, and what a call of it runs. */
export interface Exposed {
  name: string
  usable: Usable
  definition: Definition
}

/** What may be listed: a tool, an agent, an outside server. */
export type Offerable = Usable | { readonly name: string }

/** Names of the wire: letters, digits and _ . / - (specification 2025-11-25, tool names). */
export function wireName(name: string, taken: ReadonlySet<string>): string {
  const safe = name.replace(/[^a-zA-Z0-9_./-]/g, '_').slice(0, 120) || 'tool'
  for (let n = 1; ; n++) {
    const own = n === 1 ? safe : `${safe}_${n}`
    if (!taken.has(own)) return own
  }
}

/** The tools of a list, each under a name of its own. */
export function exposedTools(tools: readonly unknown[]): Exposed[] {
  const exposed: Exposed[] = []
  const taken = new Set<string>()
  for (const each of tools) {
    const own = definitionOf(each)
    for (const definition of own ? [own] : (servingOf(each)?.definitions ?? [])) {
      const name = wireName(definition.name, taken)
      taken.add(name)
      exposed.push({ name, definition, usable: own ? (each as Usable) : toTool(definition) })
    }
  }
  return exposed
}

/**
 * What of an app states `access`, each call as a run of the app. The call itself is guarded at the door, so a `danger` of
 * the flow asks before its run starts; what asks inside of the run waits in the app.
 */
export function exposedOf(app: App): Exposed[] {
  return exposedTools(app.definitions.filter(each => definitionOf(each)?.access !== undefined)).map(
    ({ name, definition }) => {
      const { child: _, ...rest } = definition
      const asRun: Definition = {
        ...rest,
        timeout: Number.POSITIVE_INFINITY,
        execute: (input, ctx) => runOf(app, definition.name, input, ctx),
      }
      return { name, definition: asRun, usable: toTool(asRun) }
    },
  )
}

async function runOf(app: App, name: string, input: unknown, ctx: Inner): Promise<unknown> {
  const { person, callKey } = ctx
  const run = await app.runs.start(name, input, {
    outside: true,
    key: `mcp ${name} ${callKey}`,
    ...(person === undefined ? {} : { person }),
  })
  void watch(app, run.id, ctx)
  return await app.runs.answer(run)
}

/** Tells how far the run is, and that it waits for a person. */
async function watch(app: App, run: string, ctx: Inner): Promise<void> {
  try {
    for await (const piece of app.runs.pieces(run)) {
      if (piece.kind === 'ask') ctx.progress(`waits for a person: ${piece.step} of the run ${run}`)
      else if (piece.kind === 'line' || piece.kind === 'step') ctx.progress(piece.text)
    }
  } catch {
    // Its answer tells what went wrong.
  }
}
