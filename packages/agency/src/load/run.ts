// A file run from outside, as the command does: checked as a whole first, then loaded, then one of its nodes.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Model, ToolwrightError } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { metaOf } from '../runtime/def.ts'
import { type AgencyNode, type NodeOptions, runNode, useForModules, useModel } from '../runtime/node.ts'
import { compileFile } from './compile.ts'
import { program } from './host.ts'
import { registerAgency } from './loader.ts'

export interface FileOptions extends NodeOptions {
  /** The node [main]; a file without it ends after its statements. */
  node?: string
  args?: readonly unknown[] | Record<string, unknown>
}

/** Runs a file and gives what its node gives; nothing where it has no node. */
export async function runFile(file: string, options: FileOptions = {}): Promise<unknown> {
  const path = resolve(file)
  registerAgency()
  const files = program()
  compileFile(path, {}, files)
  const faces = files.file(path)?.checked.face.names ?? new Map()
  const name = options.node ?? 'main'
  // Nothing of the file runs where the node is not there.
  if (options.node !== undefined && !faces.has(name))
    throw noNode(
      file,
      name,
      [...faces].filter(([, each]) => each.sym?.kind === 'node').map(([node]) => node),
    )
  if (options.model !== undefined) useModel(options.model)
  const { node: _, args = [], ...rest } = options
  useForModules(rest)
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  const found = module[name]
  if (found === undefined && options.node === undefined) return undefined
  if (typeof found !== 'function' || !metaOf(found)) {
    throw noNode(
      file,
      name,
      Object.keys(module).filter(each => metaOf(module[each])),
    )
  }
  return (await runNode(found as AgencyNode, args, rest)).value
}

function noNode(file: string, name: string, nodes: readonly string[]): ToolwrightError {
  return new ToolwrightError('A4002', `${file} has no node ${name}`, {
    fix: nodes.length > 0 ? `it has ${nodes.join(', ')}` : `write node ${name}() { … }`,
  })
}

/** A model from a list of `{ "says": "text" }` and `{ "calls": [["add", { "a": 1 }]] }`, one for each request. */
export function scriptedModel(turns: unknown): Model {
  if (!Array.isArray(turns)) throw wrongTurns('it is no list')
  return scripted(
    turns.map((turn: unknown, i) => {
      const { says: text, calls: made, ...more } = (turn ?? {}) as { says?: unknown; calls?: unknown }
      if (Object.keys(more).length > 0 || (text === undefined && made === undefined))
        throw wrongTurns(`turn ${i + 1} has neither "says" nor "calls"`)
      if (text !== undefined && typeof text !== 'string')
        throw wrongTurns(`"says" of turn ${i + 1} is no text`)
      if (made === undefined) return says(text as string)
      if (!Array.isArray(made) || !made.every(isCall))
        throw wrongTurns(`"calls" of turn ${i + 1} is no list of [name, arguments]`)
      const named = made as [string, (string | object)?][]
      return calls(
        named.map(([name, input]) => [name, input ?? {}] as const),
        { text: (text as string) ?? '' },
      )
    }),
  )
}

/** `[name, arguments]`: a record, or a text that is no JSON as a model may write it; nothing is `{}`. */
function isCall(given: unknown): boolean {
  if (!Array.isArray(given) || given.length > 2 || typeof given[0] !== 'string') return false
  const [, input] = given
  return (
    input === undefined || typeof input === 'string' || (typeof input === 'object' && !Array.isArray(input))
  )
}

function wrongTurns(what: string): ToolwrightError {
  return new ToolwrightError('T3014', `the scripted turns cannot be used: ${what}`, {
    fix: 'write [{ "says": "text" }, { "calls": [["add", { "a": 1 }]] }]',
  })
}
