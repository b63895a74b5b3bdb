// Functions: where one is written, and what its parameters say.
import type {
  ArrowFunctionExpression,
  Expression,
  Function as FunctionNode,
  ParamPattern,
  TSType,
} from 'oxc-parser'
import { type Doc, NO_DOC } from '../read/doc.ts'
import { thunkOf } from '../read/evaluate.ts'
import { find, member } from '../read/find.ts'
import { docAt } from '../read/module.ts'
import type { Reader } from '../read/reader.ts'
import { bound, type Declaration, type Scope, scopeOf, unbound } from '../read/scope.ts'
import type { Thunk } from '../read/types.ts'

export interface Signature {
  /** Its own name; nothing for one without. */
  name: string | undefined
  doc: Doc
  params: readonly ParamPattern[]
  /** What it says that it gives; nothing where that is inferred. */
  returns: TSType | undefined
  /** Where the types of its parameters are read. */
  scope: Scope
  node: { start: number; end: number }
}

/** The function that an expression is; nothing where it is none, or where that is only known when it runs. */
export function signatureOf(r: Reader, node: Expression, scope: Scope): Signature | undefined {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return signatureOf(r, node.expression, scope)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return written(node, scope, nameOf(node), docAt(scope.module, node.start))
    case 'TSInstantiationExpression': {
      const generic = signatureOf(r, node.expression, scope)
      return generic && instantiated(r, generic, node.typeArguments.params, scope)
    }
    case 'Identifier': {
      const found = find(r, scope, node.name)
      return found?.kind === 'declared' ? declared(r, found.declarations) : undefined
    }
    case 'MemberExpression': {
      if (node.computed || node.object.type !== 'Identifier' || node.property.type !== 'Identifier')
        return undefined
      const whole = find(r, scope, node.object.name)
      const { name } = node.property
      const found = whole && member(r, whole, name)
      if (found?.kind === 'declared') return declared(r, found.declarations)
      if (whole?.kind !== 'declared') return undefined
      return methodOf(r, whole.declarations, name) ?? staticOf(whole.declarations, name)
    }
  }
  return undefined
}

function nameOf(node: ArrowFunctionExpression | FunctionNode): string | undefined {
  return 'id' in node ? (node.id?.name ?? undefined) : undefined
}

function written(
  node: ArrowFunctionExpression | FunctionNode,
  scope: Scope,
  name: string | undefined,
  doc: Doc,
): Signature {
  const inner = scopeOf(scope.module, scope, [], unbound(node.typeParameters))
  return { name, doc, params: node.params, returns: node.returnType?.typeAnnotation, scope: inner, node }
}

function declared(r: Reader, declarations: readonly Declaration[]): Signature | undefined {
  const functions = declarations.filter(each => each.kind === 'function')
  const [first] = functions
  if (first) {
    // Of overloads the first is told; any of them may have the doc comment.
    const docs = functions.map(each => docAt(each.scope.module, each.start))
    const doc = docs.find(each => each.text !== '') ?? docs[0] ?? NO_DOC
    return written(first.node, first.scope, first.node.id?.name, doc)
  }
  const variable = declarations.find(each => each.kind === 'variable')
  if (variable?.kind !== 'variable' || variable.node.id.type !== 'Identifier') return undefined
  const doc = docAt(variable.scope.module, variable.start)
  const { name, typeAnnotation } = variable.node.id
  const typed = typeAnnotation && functionType(r, typeAnnotation.typeAnnotation, variable.scope)
  if (typed) return { ...typed, name, doc }
  const { init } = variable.node
  if (!init || init.type === 'Identifier') return undefined
  const signature = signatureOf(r, init, variable.scope)
  return (
    signature && { ...signature, name, doc: doc.text === '' && doc.tags.length === 0 ? signature.doc : doc }
  )
}

/** A generic function with its type parameters bound: `first<string>`. */
function instantiated(r: Reader, generic: Signature, args: readonly TSType[], scope: Scope): Signature {
  const names = [...generic.scope.types.keys()]
  const types = new Map<string, Thunk>()
  for (const [i, arg] of args.entries()) {
    const name = names[i]
    if (name !== undefined) types.set(name, thunkOf(r, arg, scope))
  }
  return { ...generic, scope: bound(generic.scope, types) }
}

/** The static method of a class: `tool(Orders.find)`. */
function staticOf(declarations: readonly Declaration[], name: string): Signature | undefined {
  const found = declarations.find(each => each.kind === 'class')
  if (found?.kind !== 'class') return undefined
  for (const each of found.node.body.body) {
    if (each.type !== 'MethodDefinition' || !each.static || each.computed || each.kind !== 'method') continue
    if (each.key.type !== 'Identifier' || each.key.name !== name) continue
    return written(each.value, found.scope, name, docAt(found.scope.module, each.start))
  }
  return undefined
}

/** The method of a record that is written out: `const math = { add(a: number) { … } }`. */
function methodOf(r: Reader, declarations: readonly Declaration[], name: string): Signature | undefined {
  const variable = declarations.find(each => each.kind === 'variable')
  if (variable?.kind !== 'variable' || variable.as !== 'const') return undefined
  let init = variable.node.init
  while (init?.type === 'TSAsExpression' || init?.type === 'TSSatisfiesExpression') init = init.expression
  if (init?.type !== 'ObjectExpression') return undefined
  const found = propertyOf(init, name)
  const signature = found && signatureOf(r, found.value, variable.scope)
  return signature && { ...signature, name, doc: docAt(variable.scope.module, found.start) }
}

/** A property of a record that is written out. */
export function propertyOf(
  node: Extract<Expression, { type: 'ObjectExpression' }>,
  name: string,
): { value: Expression; start: number } | undefined {
  for (const each of node.properties) {
    if (each.type !== 'Property' || each.computed) continue
    const key =
      each.key.type === 'Identifier' ? each.key.name : 'value' in each.key ? String(each.key.value) : ''
    if (key === name) return { value: each.value as Expression, start: each.start }
  }
  return undefined
}

function functionType(r: Reader, node: TSType, scope: Scope): Omit<Signature, 'name' | 'doc'> | undefined {
  if (node.type === 'TSFunctionType')
    return {
      params: node.params,
      returns: node.returnType?.typeAnnotation,
      scope: scopeOf(scope.module, scope, [], unbound(node.typeParameters)),
      node,
    }
  if (node.type !== 'TSTypeReference' || node.typeName.type !== 'Identifier' || node.typeArguments)
    return undefined
  const found = find(r, scope, node.typeName.name)
  const alias =
    found?.kind === 'declared' ? found.declarations.find(each => each.kind === 'alias') : undefined
  return alias?.kind === 'alias' ? functionType(r, alias.node.typeAnnotation, alias.scope) : undefined
}
