// The calls of a file whose types are read: found by what they import, not by how they are called.
import type { CallExpression, Expression, Node } from 'oxc-parser'
import type { Module } from '../read/module.ts'
import { add, type Declaration, type Scope, scopeOf, unbound } from '../read/scope.ts'

export type Callee = 'tool' | 'agent' | 'ask' | 'llm' | 'schema' | 'model'

export interface Call {
  callee: Callee
  node: CallExpression
  /** Where it stands: what its types mean. */
  scope: Scope
}

const SOURCES = new Set(['toolwright', '@toolwright/core'])
const CALLEES = new Set<string>(['tool', 'agent', 'ask', 'llm', 'schema', 'model'])

/** False where a file certainly has no such call: it need not be parsed. */
export function mayHaveCalls(source: string): boolean {
  return source.includes('toolwright') && /\b(?:tool|agent|ask|llm|schema|model)\b/.test(source)
}

/** All such calls of a file, in the order of their ends. */
export function callsOf(module: Module): Call[] {
  const calls: Call[] = []
  if (!importsAny(module)) return calls
  walk(module.program.body, module.scope, calls)
  return calls
}

function importsAny(module: Module): boolean {
  return [...module.scope.names.values()].some(each =>
    each.some(one => one.kind === 'import' && SOURCES.has(one.source)),
  )
}

function walk(value: unknown, scope: Scope, calls: Call[]): void {
  if (Array.isArray(value)) {
    for (const each of value) walk(each, scope, calls)
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
    if (key !== 'type' && key !== 'parent') walk(node[key as keyof Node], inner, calls)
  if (node.type !== 'CallExpression') return
  const callee = calleeOf(node.callee, scope)
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

function calleeOf(node: Expression, scope: Scope): Callee | undefined {
  if (node.type === 'Identifier') {
    const found = importOf(node.name, scope)
    return found && CALLEES.has(found) ? (found as Callee) : undefined
  }
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'Identifier') return undefined
  const { property } = node
  if (property.type !== 'Identifier' || !CALLEES.has(property.name)) return undefined
  return importOf(node.object.name, scope) === '*' ? (property.name as Callee) : undefined
}

/** What of this package `name` imports; nothing where it is anything else. */
export function importOf(name: string, scope: Scope): string | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const [first] = at.names.get(name) ?? []
    if (first) return first.kind === 'import' && SOURCES.has(first.source) ? first.name : undefined
  }
  return undefined
}
