// A source file, parsed: its syntax tree, its comments, its names.
import { createRequire } from 'node:module'
import type { Comment, Program } from 'oxc-parser'
import { type Place, placeOf, refusal } from '../faults.ts'
import { type Doc, docBefore } from './doc.ts'
import { type Scope, scopeOf } from './scope.ts'

// It is loaded with the first file that is parsed: what only may need it starts without.
let parser: typeof import('oxc-parser') | undefined
const parseSync: typeof import('oxc-parser').parseSync = (...args) => {
  parser ??= createRequire(import.meta.url)('oxc-parser') as typeof import('oxc-parser')
  return parser.parseSync(...args)
}

export interface Module {
  readonly path: string
  readonly source: string
  readonly program: Program
  readonly comments: readonly Comment[]
  /** The names at its top. */
  readonly scope: Scope
}

/** Parses a file. Throws `T2109` where it is no TypeScript. */
export function parseModule(path: string, source: string): Module {
  const options = { sourceType: 'module', astType: 'ts' } as const
  let parsed = parseSync(path, source, options)
  // A script (CommonJS) may say what a module may not.
  if (hasErrors(parsed) && !parsed.module.hasModuleSyntax)
    parsed = parseSync(path, source, { ...options, sourceType: 'script' })
  const wrong = parsed.errors.filter(each => each.severity === 'Error')
  if (wrong.length > 0 && parsed.program.body.length === 0)
    throw refusal(
      wrong.map(each => ({
        code: 'T2109',
        problem: `the file does not read: ${each.message}`,
        fix: each.helpMessage ?? 'mend the syntax here',
        at: placeOf(path, source, each.labels[0]?.start ?? 0, each.labels[0]?.end ?? 0),
      })),
    )
  const module: { -readonly [K in keyof Module]: Module[K] } = {
    path,
    source,
    program: parsed.program,
    comments: parsed.comments,
    scope: undefined as never,
  }
  module.scope = scopeOf(module, undefined, parsed.program.body)
  return module
}

function hasErrors({ errors }: ReturnType<typeof parseSync>): boolean {
  return errors.some(each => each.severity === 'Error')
}

/** The doc comment right before `start`. */
export function docAt(module: Module, start: number): Doc {
  return docBefore(module.path, module.source, module.comments, start)
}

/** The place of a node. */
export function placeIn(module: Module, node: { start: number; end: number }): Place {
  return placeOf(module.path, module.source, node.start, node.end)
}
