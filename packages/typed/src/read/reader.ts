// What the parts of the reader share: the files, and the types that were read already.
import type { TypeFault } from '../faults.ts'
import { disk, type Host } from './host.ts'
import { type Module, parseModule, placeIn } from './module.ts'
import type { Scope } from './scope.ts'
import type { Thunk, Type } from './types.ts'

/** Reads the types of files. It keeps what it read, so it must be made anew when a file changes. */
export interface Reader {
  readonly host: Host
  readonly modules: Map<string, Module | undefined>
  readonly thunks: Map<string, Thunk>
  /** Files that were parsed before, which may be shared by readers: one is used while its text is the same. */
  readonly parsed: Map<string, Module>
}

export function reader(host: Host = disk, parsed = new Map<string, Module>()): Reader {
  return { host, modules: new Map(), thunks: new Map(), parsed }
}

/** The module of a file; nothing where it cannot be read. `source`: its text, where the caller has it. */
export function openModule(r: Reader, path: string, source?: string): Module | undefined {
  if (r.modules.has(path)) return r.modules.get(path)
  const text = source ?? r.host.read(path)
  const before = r.parsed.get(path)
  const module = text === undefined ? undefined : before?.source === text ? before : parseModule(path, text)
  if (module) r.parsed.set(path, module)
  r.modules.set(path, module)
  return module
}

/** A type that is refused if it is needed. */
export function refused(
  code: string,
  problem: string,
  fix: string,
  scope: Scope,
  node: { start: number; end: number },
): Type {
  return { kind: 'refused', fault: fault(code, problem, fix, scope, node) }
}

export function fault(
  code: string,
  problem: string,
  fix: string,
  scope: Scope,
  node: { start: number; end: number },
): TypeFault {
  return { code, problem, fix, at: placeIn(scope.module, node) }
}
