// What a name means: outward through the scopes, and through imports and exports into other files.
import type { TSTypeName } from 'oxc-parser'
import type { Module } from './module.ts'
import { openModule, type Reader } from './reader.ts'
import { type Declaration, nameOf, type Scope } from './scope.ts'
import type { Thunk } from './types.ts'

/** A name that was found: a type parameter, declarations, all exports of a file, or why there is nothing. */
export type Found =
  | { kind: 'parameter'; type: Thunk | undefined }
  | { kind: 'declared'; declarations: readonly Declaration[] }
  | { kind: 'module'; module: Module }
  /** What this package itself exports as `name` ('*': all of it), imported in the file `from`. */
  | { kind: 'own'; name: string; source: string; from: Module; scope: Scope; start: number; end: number }
  /** From a package of types that cannot be found; `at` is the import. */
  | { kind: 'unresolved'; source: string; scope: Scope; start: number; end: number }
  | { kind: 'unexported'; source: string; name: string; scope: Scope; start: number; end: number }

/** The names of this package. What comes from it is told by its name, and its files are opened only for its types. */
export const OWN: ReadonlySet<string> = new Set(['toolwright', '@toolwright/core'])

/** What `name` means in `scope`; nothing where it is not declared. */
export function find(r: Reader, scope: Scope, name: string): Found | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (at.types.has(name)) return { kind: 'parameter', type: at.types.get(name) }
    const declarations = at.names.get(name)
    if (declarations) return followed(r, declarations)
  }
  return undefined
}

/** What a dotted name means: `A.B.C`. */
export function findName(r: Reader, scope: Scope, name: TSTypeName): Found | undefined {
  if (name.type === 'Identifier') return find(r, scope, name.name)
  if (name.type !== 'TSQualifiedName') return undefined
  const left = findName(r, scope, name.left)
  return left && member(r, left, name.right.name)
}

/** What `name` means inside of what was found. */
export function member(r: Reader, found: Found, name: string): Found | undefined {
  if (found.kind === 'module') return exported(r, found.module, name)
  if (found.kind === 'own') return found.name === '*' || found.name === '=' ? { ...found, name } : undefined
  if (found.kind === 'unresolved' || found.kind === 'unexported') return found
  if (found.kind !== 'declared') return undefined
  const inside = found.declarations.flatMap(each =>
    each.kind === 'namespace' ? (each.body.names.get(name) ?? []) : [],
  )
  return inside.length > 0 ? followed(r, inside) : undefined
}

/** The imports among declarations, followed. */
function followed(r: Reader, declarations: readonly Declaration[]): Found {
  const [first] = declarations
  if (first?.kind !== 'import') return { kind: 'declared', declarations }
  const { source, name, scope, start, end } = first
  if (OWN.has(source)) return { kind: 'own', name, source, from: scope.module, scope, start, end }
  const found = imported(r, source, name, scope.module)
  if (found === undefined) return { kind: 'unexported', source, name, scope, start, end }
  return found === 'unresolved' ? { kind: 'unresolved', source, scope, start, end } : found
}

/** What `name` of the file that `source` means in `from` is; '*': all of it. */
export function imported(
  r: Reader,
  source: string,
  name: string,
  from: Module,
): Found | 'unresolved' | undefined {
  const path = r.host.resolve(source, from.path)
  const module = path === undefined ? undefined : openModule(r, path)
  if (!module) return 'unresolved'
  if (name === '*') return { kind: 'module', module }
  if (name === '=') return assigned(r, module) ?? { kind: 'module', module }
  return exported(r, module, name)
}

/** What a file exports as `name`. */
export function exported(
  r: Reader,
  module: Module,
  name: string,
  seen = new Set<Module>(),
): Found | undefined {
  if (seen.has(module)) return undefined
  seen.add(module)
  const stars: string[] = []
  for (const statement of module.program.body) {
    if (statement.type === 'ExportNamedDeclaration') {
      if (statement.declaration && declares(statement.declaration, name)) return find(r, module.scope, name)
      for (const each of statement.specifiers) {
        if (nameOf(each.exported) !== name) continue
        const local = nameOf(each.local)
        if (!statement.source) return find(r, module.scope, local)
        if (OWN.has(statement.source.value)) return own(statement.source, local, module)
        const found = imported(r, statement.source.value, local, module)
        if (found !== 'unresolved') return found
        return {
          kind: 'unresolved',
          source: statement.source.value,
          scope: module.scope,
          ...span(statement.source),
        }
      }
    } else if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
      const { declaration } = statement
      if (declaration.type === 'Identifier') return find(r, module.scope, declaration.name)
      if ('id' in declaration && declaration.id?.type === 'Identifier')
        return find(r, module.scope, declaration.id.name)
      if (declaration.type === 'FunctionDeclaration')
        return {
          kind: 'declared',
          declarations: [
            { kind: 'function', node: declaration, start: statement.start, scope: module.scope },
          ],
        }
    } else if (statement.type === 'ExportAllDeclaration') {
      if (statement.exported === null) stars.push(statement.source.value)
      else if (nameOf(statement.exported) === name && OWN.has(statement.source.value))
        return own(statement.source, '*', module)
      else if (nameOf(statement.exported) === name) {
        const found = imported(r, statement.source.value, '*', module)
        return found === 'unresolved' ? undefined : found
      }
    }
  }
  const whole = assigned(r, module)
  if (whole) return name === 'default' ? whole : member(r, whole, name)
  // In a declaration file without exports of its own, all that stands at its top is exported.
  if (/\.d\.[cm]?ts$/.test(module.path) && module.scope.names.has(name) && !hasExports(module))
    return find(r, module.scope, name)
  for (const source of stars.filter(each => !OWN.has(each))) {
    const path = r.host.resolve(source, module.path)
    const next = path === undefined ? undefined : openModule(r, path)
    const found = next && name !== 'default' ? exported(r, next, name, seen) : undefined
    if (found) return found
  }
  const ownStar = stars.find(each => OWN.has(each))
  return ownStar !== undefined && name !== 'default'
    ? own({ value: ownStar, start: 0, end: 0 }, name, module)
    : undefined
}

/** The same, where it is what this package exports: its declarations are looked up in its files. */
export function withOwn(r: Reader, found: Found | undefined): Found | undefined {
  if (found?.kind !== 'own') return found
  const { source, name, from, scope, start, end } = found
  const there = imported(r, source, name, from)
  if (there === undefined) return { kind: 'unexported', source, name, scope, start, end }
  if (there === 'unresolved') return { kind: 'unresolved', source, scope, start, end }
  // `toolwright` hands on what `@toolwright/core` declares.
  return there.kind === 'own' && there.from === from ? undefined : withOwn(r, there)
}

function own(source: { value: string; start: number; end: number }, name: string, from: Module): Found {
  return { kind: 'own', name, source: source.value, from, scope: from.scope, ...span(source) }
}

/** What `export = …` gives away. */
function assigned(r: Reader, module: Module): Found | undefined {
  for (const statement of module.program.body)
    if (statement.type === 'TSExportAssignment' && statement.expression.type === 'Identifier')
      return find(r, module.scope, statement.expression.name)
  return undefined
}

function hasExports(module: Module): boolean {
  return module.program.body.some(
    each => /^(Export|TSExport)/.test(each.type) && each.type !== 'ExportAllDeclaration',
  )
}

function declares(
  declaration: { type: string; id?: unknown; declarations?: unknown },
  name: string,
): boolean {
  if (declaration.type === 'VariableDeclaration')
    return (declaration.declarations as { id: { name?: string } }[]).some(each => each.id.name === name)
  let id = declaration.id as { type: string; name?: string; left?: unknown } | undefined
  while (id?.type === 'TSQualifiedName') id = id.left as typeof id
  return id?.name === name
}

function span({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end }
}
