// Names: what each stands for, where it was declared and where it is used.
import type { Def, Name } from '../syntax/ast.ts'
import type { Ty } from './type.ts'

export type SymbolKind = 'def' | 'node' | 'const' | 'let' | 'param' | 'import' | 'module' | 'prelude' | 'type'

export interface Sym {
  name: string
  kind: SymbolKind
  /** Where it is declared in this file; nothing for what comes with the language. */
  declared: Name | undefined
  /** Its type; computed when somebody asks. */
  type: () => Ty
  /** Each place where it stands in this file, its declaration with it. */
  uses: Name[]
  def?: Def
  /** Where it comes from, for what is imported. */
  from?: { module: string; name: string }
  /** Its doc, for people. */
  doc?: string | undefined
  /** It is JavaScript's own: `Math`, `JSON`. */
  host?: boolean
  /** Set anew somewhere: what is known of it does not hold inside of blocks. */
  assigned?: boolean
  /** A call of it may have to be waited for: told for what is imported or comes with the language. */
  waits?: boolean
  /** The function (or the file, 0) in which it was declared: 0, 1, … */
  level?: number
}

export interface Scope {
  names: Map<string, Sym>
  around: Scope | undefined
  level: number
}

export function scope(around: Scope | undefined, level = around?.level ?? 0): Scope {
  return { names: new Map(), around, level }
}

export function find(scope: Scope | undefined, name: string): Sym | undefined {
  for (let at = scope; at; at = at.around) {
    const found = at.names.get(name)
    if (found) return found
  }
  return undefined
}

/** The names that can be used here, the nearest of each. */
export function visible(scope: Scope | undefined): Map<string, Sym> {
  const all = new Map<string, Sym>()
  for (let at = scope; at; at = at.around)
    for (const [name, sym] of at.names) if (!all.has(name)) all.set(name, sym)
  return all
}

/** The name that was probably meant. */
export function nearest(name: string, among: Iterable<string>): string | undefined {
  let best: string | undefined
  // Short names are all near to one another.
  let least = name.length <= 2 ? 1 : name.length <= 4 ? 2 : 3
  for (const each of among) {
    const far = distance(name.toLowerCase(), each.toLowerCase(), least)
    if (far < least) {
      least = far
      best = each
    }
  }
  return best
}

/** Edits between two names, at least `limit` where there are that many. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}
