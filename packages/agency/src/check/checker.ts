// What the checker knows while it reads a file: names, types, what was narrowed, and what it found wrong.
import type { AgencyCode } from '../errors.ts'
import type { Call, Def, Expression, Lambda, Name, Program, Span, ThreadBlock } from '../syntax/ast.ts'
import type { AgencyFault } from '../syntax/fault.ts'
import type { Types } from './declare.ts'
import type { Facts } from './narrow.ts'
import type { Scope, Sym } from './scope.ts'
import type { Alias, FunctionTy, Ty } from './type.ts'

/** What a module gives to those who import it. */
export interface ModuleFace {
  /** Its names; nothing where they are not known, and every name is taken to be there. */
  names: ReadonlyMap<string, Exported> | undefined
  /** It may have other names, too. */
  loose?: boolean
  /** It is written in Agency. */
  agency: boolean
}

export interface Exported {
  type: () => Ty
  alias?: Alias
  sym?: Sym
  /** Its doc, for people. */
  doc?: string | undefined
  /** A call of it may have to be waited for. */
  waits?: boolean
}

/** How the checker finds what a file imports; it executes nothing. */
export interface CheckHost {
  /** The module that `specifier` names in this file, or nothing where there is none. */
  module(specifier: string): ModuleFace | undefined
}

/** The function whose body is read. */
export interface Within {
  of: Def | Lambda | ThreadBlock | undefined
  /** What it states to give. */
  returns: Ty | undefined
  /** What its returns give. */
  given: Ty[]
  loops: number
  /** Inside of a match or a thread that is a part of an expression: nothing can be left from there. */
  apart?: boolean
}

/** What is known of a file. */
export interface Checked {
  program: Program
  faults: AgencyFault[]
  /** The type of each expression. */
  types: ReadonlyMap<Expression, Ty>
  /** What each name that is used or declared stands for. */
  symbols: ReadonlyMap<Name, Sym>
  /** What each call calls, where that is known: its parameters are what the arguments were placed by. */
  calls: ReadonlyMap<Call, FunctionTy>
  /** What each call of `llm` is asked for. */
  asked: ReadonlyMap<Call, Ty>
  /** The names of types, where they are used. */
  typeNames: ReadonlyMap<number, { name: string; start: number; end: number; alias: Alias | undefined }>
  /** What others can import from it. */
  face: ModuleFace
  /** The names that can be used at a place, for completion. */
  at(offset: number): Scope
  scope: Scope
  aliases: ReadonlyMap<string, Alias>
}

export interface Checker {
  program: Program
  host: CheckHost
  faults: AgencyFault[]
  types: Map<Expression, Ty>
  symbols: Map<Name, Sym>
  calls: Map<Call, FunctionTy>
  asked: Map<Call, Ty>
  /** Matches and threads that stand alone: as a statement, or as the whole of what is stored or returned. */
  alone: Set<Expression>
  /** Calls whose result has a type of its own: see `asks`. */
  askable: Set<Call>
  typeNames: Map<number, { name: string; start: number; end: number; alias: Alias | undefined }>
  scopes: { start: number; end: number; scope: Scope }[]
  scope: Scope
  declared: Types
  facts: Facts
  within: Within
  /** Names that are set anew somewhere in the file. */
  assigned: ReadonlySet<string>
  ids: Map<Sym, number>
  byId: Sym[]
  levels: number
}

export function tell(c: Checker, code: AgencyCode, at: Span, message: string, hint?: string): void {
  // One place has one fault: what follows from it is not told again.
  if (c.faults.some(f => f.start === at.start && f.end === at.end)) return
  c.faults.push({ code, start: at.start, end: at.end, message, hint })
}

/** Declares a name in the scope that is open. */
export function declare(c: Checker, name: Name, sym: Omit<Sym, 'name' | 'declared' | 'uses' | 'level'>): Sym {
  const before = c.scope.names.get(name.text)
  const made: Sym = { ...sym, name: name.text, declared: name, uses: [name], level: c.scope.level }
  if (before?.declared && name.text !== '' && name.text !== '_')
    tell(c, 'A2002', name, `\`${name.text}\` is declared twice here`)
  if (name.text !== '' && !before) c.scope.names.set(name.text, made)
  c.symbols.set(name, made)
  return made
}

/** Does `read` in a scope of its own, which is what can be used between `start` and `end`. */
export function inScope<T>(c: Checker, scope: Scope, span: Span, read: () => T): T {
  const around = c.scope
  c.scope = scope
  c.scopes.push({ start: span.start, end: span.end, scope })
  const result = read()
  c.scope = around
  return result
}
