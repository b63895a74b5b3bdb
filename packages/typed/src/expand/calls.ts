// The calls of a file whose types are read: found by what they import, not by how they are called.
import type { CallExpression, Expression, Node } from 'oxc-parser'
import { find, OWN } from '../read/find.ts'
import type { Module } from '../read/module.ts'
import type { Reader } from '../read/reader.ts'
import { add, type Declaration, type Scope, scopeOf, unbound } from '../read/scope.ts'

export type Callee = 'tool' | 'agent' | 'ask' | 'llm' | 'schema' | 'model' | 'flow'

export interface Call {
  callee: Callee
  node: CallExpression
  /** Where it stands: what its types mean. */
  scope: Scope
}

const CALLEES = new Set<string>(['tool', 'agent', 'ask', 'llm', 'schema', 'model', 'flow'])
/** A file of one's own, by the ways it is imported: packages are not opened to see what they hand on. */
const NEAR = /^(?:\.{1,2}\/|[#~]|@\/)/
const HANDED_ON =
  /\bimport\b[^'";]*\b(?:tool|agent|ask|llm|schema|model|flow)\b[^'";]*\bfrom\s*['"](?:\.{1,2}\/|[#~]|@\/)/

/** False where a file certainly has no such call: it need not be parsed. */
export function mayHaveCalls(source: string): boolean {
  if (!/\b(?:tool|agent|ask|llm|schema|model|flow)\b/.test(source)) return false
  return source.includes('toolwright') || HANDED_ON.test(source)
}

/** All such calls of a file, in the order of their ends. */
export function callsOf(r: Reader, module: Module): Call[] {
  const calls: Call[] = []
  if (importsAny(module)) walk(r, module.program.body, module.scope, calls)
  return calls
}

function importsAny(module: Module): boolean {
  return [...module.scope.names.values()].some(each =>
    each.some(
      one =>
        one.kind === 'import' && (OWN.has(one.source) || (CALLEES.has(one.name) && NEAR.test(one.source))),
    ),
  )
}

function walk(r: Reader, value: unknown, scope: Scope, calls: Call[]): void {
  if (Array.isArray(value)) {
    for (const each of value) walk(r, each, scope, calls)
    return
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return
  const node = value as Node
  // No call stands in a type.
  if (
    /^TS.*(?:Type|Keyword|Annotation|Signature|Instantiation|Declaration)$/.test(node.type) &&
    !/^TSModule/.test(node.type)
  )
    return
  const inner = scopeInside(node, scope)
  for (const key of Object.keys(node))
    if (key !== 'type' && key !== 'parent') walk(r, node[key as keyof Node], inner, calls)
  if (node.type !== 'CallExpression') return
  const callee = calleeOf(r, node.callee, scope)
  if (callee) calls.push({ callee, node, scope })
}

function scopeInside(node: Node, scope: Scope): Scope {
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      return scopeOf(scope.module, scope, node.body)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const inner = scopeOf(scope.module, scope, [], unbound(node.typeParameters))
      for (const parameter of node.params) declareNames(parameter, inner)
      return inner
    }
    case 'ClassDeclaration':
    case 'ClassExpression':
      return scopeOf(scope.module, scope, [], unbound(node.typeParameters))
  }
  return scope
}

/** The names that a parameter declares hide the outer ones. */
function declareNames(pattern: unknown, scope: Scope): void {
  const node = pattern as Node
  const declaration: Declaration = { kind: 'local', start: node.start, scope }
  switch (node.type) {
    case 'Identifier':
      add(scope, node.name, declaration)
      break
    case 'AssignmentPattern':
      declareNames(node.left, scope)
      break
    case 'RestElement':
      declareNames(node.argument, scope)
      break
    case 'TSParameterProperty':
      declareNames(node.parameter, scope)
      break
    case 'ArrayPattern':
      for (const each of node.elements) if (each) declareNames(each, scope)
      break
    case 'ObjectPattern':
      for (const each of node.properties) declareNames(each.type === 'Property' ? each.value : each, scope)
  }
}

function calleeOf(r: Reader, node: Expression, scope: Scope): Callee | undefined {
  if (node.type === 'Identifier') return known(importOf(r, node.name, scope))
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'Identifier') return undefined
  const { property } = node
  if (property.type !== 'Identifier' || !CALLEES.has(property.name)) return undefined
  const whole = importOf(r, node.object.name, scope)
  return whole === '*' || whole === '=' ? known(property.name) : undefined
}

function known(name: string | undefined): Callee | undefined {
  return name !== undefined && CALLEES.has(name) ? (name as Callee) : undefined
}

/** What of this package `name` imports, from itself or through a file of one's own; nothing where it is other. */
function importOf(r: Reader, name: string, scope: Scope): string | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const [first] = at.names.get(name) ?? []
    if (!first) continue
    if (first.kind !== 'import') return undefined
    if (OWN.has(first.source)) return first.name
    if (!CALLEES.has(first.name) || !NEAR.test(first.source)) return undefined
    const found = find(r, at, name)
    return found?.kind === 'own' ? found.name : undefined
  }
  return undefined
}
