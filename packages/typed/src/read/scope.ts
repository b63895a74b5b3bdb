// Scopes: which names are declared where. A file, a namespace and a block of statements each have one.
import type {
  Class,
  Directive,
  Function as FunctionNode,
  Statement,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSModuleDeclaration,
  TSTypeAliasDeclaration,
  TSTypeParameterDeclaration,
  VariableDeclaration,
  VariableDeclarator,
} from 'oxc-parser'
import type { Module } from './module.ts'
import type { Thunk } from './types.ts'

/** What a name can stand for. */
export type Declaration =
  | { kind: 'interface'; node: TSInterfaceDeclaration; start: number; scope: Scope }
  | { kind: 'alias'; node: TSTypeAliasDeclaration; start: number; scope: Scope }
  | { kind: 'enum'; node: TSEnumDeclaration; start: number; scope: Scope }
  | { kind: 'namespace'; node: TSModuleDeclaration; start: number; scope: Scope; body: Scope }
  | { kind: 'class'; node: Class; start: number; scope: Scope }
  | { kind: 'function'; node: FunctionNode; start: number; scope: Scope }
  | {
      kind: 'variable'
      node: VariableDeclarator
      as: VariableDeclaration['kind']
      start: number
      scope: Scope
    }
  /** `name`: what is imported; '*' is all of it. */
  | { kind: 'import'; source: string; name: string; start: number; end: number; scope: Scope }
  /** A parameter of a function: it hides outer names, and has no type that can be read. */
  | { kind: 'local'; start: number; scope: Scope }

export interface Scope {
  readonly module: Module
  readonly outer: Scope | undefined
  readonly names: Map<string, Declaration[]>
  /** Type parameters: bound to a type, or not (of a generic function). */
  readonly types: ReadonlyMap<string, Thunk | undefined>
  /** Tells scopes of the same place with different type arguments apart. */
  readonly key: string
}

const NONE: ReadonlyMap<string, undefined> = new Map()

/** A scope inside `outer` with the declarations of `body`. */
export function scopeOf(
  module: Module,
  outer: Scope | undefined,
  body: readonly (Statement | Directive)[],
  types: ReadonlyMap<string, Thunk | undefined> = NONE,
): Scope {
  const scope: Scope = { module, outer, names: new Map(), types, key: outer?.key ?? '' }
  for (const statement of body) declare(scope, statement)
  return scope
}

/** `scope` with type parameters bound to types. */
export function bound(scope: Scope, types: ReadonlyMap<string, Thunk>): Scope {
  if (types.size === 0) return scope
  const key = `${scope.key}<${[...types].map(([name, thunk]) => `${name}=${thunk.key}`).join()}>`
  return { module: scope.module, outer: scope, names: new Map(), types, key }
}

/** The type parameters of a generic function, which nothing binds. */
export function unbound(parameters: TSTypeParameterDeclaration | null | undefined): Map<string, undefined> {
  return new Map(parameters?.params.map(each => [each.name.name, undefined]))
}

/** Adds a name to a scope. */
export function add(scope: Scope, name: string, declaration: Declaration): void {
  const before = scope.names.get(name)
  if (before) before.push(declaration)
  else scope.names.set(name, [declaration])
}

function declare(scope: Scope, statement: Statement | Directive): void {
  // The doc comment of an exported declaration stands before the word export.
  const { start } = statement
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      if (statement.declaration) declareOne(scope, statement.declaration, start)
      return
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement
      if (declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'FunctionDeclaration')
        declareOne(scope, declaration, start)
      return
    }
    case 'ImportDeclaration':
      for (const each of statement.specifiers) {
        const name =
          each.type === 'ImportSpecifier'
            ? nameOf(each.imported)
            : each.type === 'ImportDefaultSpecifier'
              ? 'default'
              : '*'
        add(scope, each.local.name, {
          kind: 'import',
          source: statement.source.value,
          name,
          start: statement.source.start,
          end: statement.source.end,
          scope,
        })
      }
      return
    default:
      declareOne(scope, statement, start)
  }
}

function declareOne(scope: Scope, node: Statement | Directive, start: number): void {
  switch (node.type) {
    case 'TSInterfaceDeclaration':
      add(scope, node.id.name, { kind: 'interface', node, start, scope })
      break
    case 'TSTypeAliasDeclaration':
      add(scope, node.id.name, { kind: 'alias', node, start, scope })
      break
    case 'TSEnumDeclaration':
      add(scope, node.id.name, { kind: 'enum', node, start, scope })
      break
    case 'ClassDeclaration':
      if (node.id) add(scope, node.id.name, { kind: 'class', node, start, scope })
      break
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      if (node.id) add(scope, node.id.name, { kind: 'function', node, start, scope })
      break
    case 'VariableDeclaration':
      for (const each of node.declarations)
        if (declareRequired(scope, each)) continue
        else if (each.id.type === 'Identifier')
          add(scope, each.id.name, { kind: 'variable', node: each, as: node.kind, start, scope })
      break
    case 'TSImportEqualsDeclaration':
      if (node.moduleReference.type === 'TSExternalModuleReference') {
        const { value, start: from, end } = node.moduleReference.expression
        add(scope, node.id.name, { kind: 'import', source: value, name: '=', start: from, end, scope })
      }
      break
    case 'TSModuleDeclaration':
      if (node.kind !== 'global') declareNamespace(scope, node, start)
  }
}

/** `const { tool } = require('toolwright')`, and `const tw = require(…)`: what CommonJS imports. */
function declareRequired(scope: Scope, { id, init }: VariableDeclarator): boolean {
  let call = init
  while (call?.type === 'TSAsExpression' || call?.type === 'TSSatisfiesExpression') call = call.expression
  if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier') return false
  const [from] = call.arguments
  if (call.callee.name !== 'require' || from?.type !== 'Literal' || typeof from.value !== 'string')
    return false
  const { value: source, start, end } = from
  const put = (local: string, name: string): void =>
    add(scope, local, { kind: 'import', source, name, start, end, scope })
  if (id.type === 'Identifier') put(id.name, '=')
  if (id.type === 'ObjectPattern')
    for (const each of id.properties)
      if (each.type === 'Property' && each.key.type === 'Identifier' && each.value.type === 'Identifier')
        put(each.value.name, each.key.name)
  return true
}

function declareNamespace(scope: Scope, node: TSModuleDeclaration, start: number): void {
  if (node.kind !== 'namespace' || !node.body || node.id.type === 'Literal') return
  let name: unknown = node.id
  const path: string[] = []
  while (isQualified(name)) {
    path.unshift(name.right.name)
    name = name.left
  }
  path.unshift((name as { name: string }).name)
  // `namespace A.B { … }` is B in A.
  let at = scope
  for (const [i, each] of path.entries()) {
    const body = scopeOf(scope.module, at, i === path.length - 1 ? node.body.body : [])
    add(at, each, { kind: 'namespace', node, start, scope: at, body })
    at = body
  }
}

function isQualified(
  name: unknown,
): name is { type: 'TSQualifiedName'; left: unknown; right: { name: string } } {
  return (name as { type?: string }).type === 'TSQualifiedName'
}

/** The text of a name in an import or an export. */
export function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.type === 'Literal' ? String(node.value) : (node.name ?? '')
}
