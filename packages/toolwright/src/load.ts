// Loads a file and finds the agent in it. Node runs TypeScript by leaving its types out, so nothing is compiled.
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Agent, isAgent } from '@toolwright/core'
import { escapeLine } from './escape.ts'
import { whatFailed } from './failure.ts'
import { CommandError } from './trouble.ts'

/**
 * The agent of a .ts or .js file: the export or agent called `name`; without one the default export, or else the only
 * agent that is exported. Throws a {@link CommandError}: 2 where the file or the agent is not there, 1 where the file
 * itself failed, with file and line.
 */
export async function loadAgent(file: string, name?: string): Promise<Agent> {
  return choose(file, await loadFile(file), name)
}

/** What a .ts or .js file exports. Throws a {@link CommandError}, as {@link loadAgent} does. */
export async function loadFile(file: string): Promise<Record<string, unknown>> {
  const path = resolve(file)
  if (!existsSync(path)) throw new CommandError(2, `There is no file ${escapeLine(file, 400)}.`)
  if (!statSync(path).isFile()) throw new CommandError(2, `${escapeLine(file, 400)} is no file.`)
  // A definition is checked deep inside of the core, and the line that is wrong stands far out.
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = 100
  try {
    // Schemas from types, where the file leaves them to be read.
    await import('@toolwright/typed/register')
    return await withoutNotices(() => import(pathToFileURL(path).href))
  } catch (error) {
    throw new CommandError(1, `${escapeLine(file, 400)} failed to load.\n${whatFailed(error, path)}`)
  } finally {
    Error.stackTraceLimit = usual
  }
}

function choose(file: string, exported: Record<string, unknown>, name: string | undefined): Agent {
  const agents = new Map<Agent, string>()
  // The default export first, so that an agent that is exported twice is known by its name.
  for (const key of Object.keys(exported).sort((a, b) => Number(b === 'default') - Number(a === 'default'))) {
    const value = exported[key]
    if (isAgent(value)) agents.set(value, key)
  }
  const shown = escapeLine(file, 400)
  const names = [...agents].map(([agent, key]) => escapeLine(key === 'default' ? agent.name : key)).join(', ')
  if (name !== undefined) {
    if (isAgent(exported[name])) return exported[name]
    const called = [...agents.keys()].filter(agent => agent.name === name)
    if (called[0] && called.length === 1) return called[0]
    throw new CommandError(
      2,
      `${shown} exports no agent ${escapeLine(name)}. ${names ? `It exports ${names}.` : mend}`,
    )
  }
  if (isAgent(exported['default'])) return exported['default']
  const [only] = agents.keys()
  if (!only) throw new CommandError(2, `${shown} exports no agent. ${mend}`)
  if (agents.size > 1)
    throw new CommandError(
      2,
      `${shown} exports ${agents.size} agents: ${names}. Choose one with --agent NAME, or make one the default export.`,
    )
  return only
}

const mend = "Write `export default agent('name', { … })`."

/** Keeps back what Node says about running TypeScript and about module types: it is not the person's concern. */
async function withoutNotices<T>(work: () => Promise<T>): Promise<T> {
  const emit = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const text = String(warning instanceof Error ? warning.message : warning)
    if (/Type Stripping is an experimental|Module type of .* is not specified/.test(text)) return
    Reflect.apply(emit, process, [warning, ...rest])
  }
  try {
    return await work()
  } finally {
    process.emitWarning = emit
  }
}
