// Types as TypeScript writes them, as Agency knows them. What Agency has no word for is `any`.
import type {
  FormalParameterRest,
  Function as FunctionNode,
  ParamPattern,
  TSFunctionType,
  TSInterfaceDeclaration,
  TSSignature,
  TSType,
} from 'oxc-parser'
import {
  type Alias,
  ANY,
  BOOLEAN,
  type FieldTy,
  type FunctionTy,
  func,
  listOf,
  literal,
  NULL,
  NUMBER,
  type ParamTy,
  STRING,
  type Ty,
  union,
  VOID,
} from '../check/type.ts'

/** What the names of types stand for. */
export interface Names {
  alias(name: string): Alias | undefined
  /** A type parameter. */
  param(name: string): Ty | undefined
}

export function typeOf(node: TSType | TSInterfaceDeclaration, names: Names): Ty {
  switch (node.type) {
    case 'TSStringKeyword':
    case 'TSTemplateLiteralType':
      return STRING
    case 'TSNumberKeyword':
      return NUMBER
    case 'TSBooleanKeyword':
      return BOOLEAN
    case 'TSNullKeyword':
    case 'TSUndefinedKeyword':
      return NULL
    case 'TSVoidKeyword':
      return VOID
    case 'TSLiteralType': {
      const value = node.literal.type === 'Literal' ? node.literal.value : undefined
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? literal(value)
        : ANY
    }
    case 'TSArrayType':
      return listOf(typeOf(node.elementType, names))
    case 'TSParenthesizedType':
      return typeOf(node.typeAnnotation, names)
    case 'TSTypeOperator':
      return node.operator === 'readonly' ? typeOf(node.typeAnnotation, names) : ANY
    case 'TSUnionType':
      return union(node.types.map(each => typeOf(each, names)))
    case 'TSTypeLiteral':
      return recordOf(node.members, names)
    case 'TSInterfaceDeclaration':
      return node.extends.length > 0 ? ANY : recordOf(node.body.body, names)
    case 'TSFunctionType':
      return functionType(node, names)
    case 'TSTypeReference':
      return node.typeName.type === 'Identifier'
        ? named(node.typeName.name, (node.typeArguments?.params ?? []) as TSType[], names)
        : ANY
    default:
      return ANY
  }
}

const LISTS = new Set(['Array', 'ReadonlyArray'])
const LATER = new Set(['Promise', 'PromiseLike', 'Awaited'])

function named(name: string, args: readonly TSType[], names: Names): Ty {
  const param = names.param(name)
  if (param) return param
  const alias = names.alias(name)
  if (alias) return { kind: 'alias', name, args: args.map(each => typeOf(each, names)), def: alias }
  const [first, second] = args
  if (LISTS.has(name) && first) return listOf(typeOf(first, names))
  if (LATER.has(name) && first) return typeOf(first, names)
  if (name === 'Record' && first && second)
    return { kind: 'map', key: typeOf(first, names), value: typeOf(second, names) }
  return ANY
}

function recordOf(members: readonly TSSignature[], names: Names): Ty {
  const fields = new Map<string, FieldTy>()
  for (const each of members) {
    if (each.type === 'TSPropertySignature' && !each.computed) {
      const name = nameOf(each.key)
      if (name === undefined) return ANY
      const type = each.typeAnnotation ? typeOf(each.typeAnnotation.typeAnnotation, names) : ANY
      fields.set(name, { type, optional: each.optional })
    } else if (each.type === 'TSMethodSignature' && !each.computed) {
      const name = nameOf(each.key)
      if (name === undefined) return ANY
      fields.set(name, { type: ANY, optional: each.optional })
    } else if (each.type === 'TSIndexSignature' && members.length === 1)
      return { kind: 'map', key: STRING, value: typeOf(each.typeAnnotation.typeAnnotation, names) }
    // What else it may hold cannot be said.
    else return ANY
  }
  return { kind: 'object', fields }
}

function nameOf(key: { type: string; name?: unknown; value?: unknown }): string | undefined {
  if (key.type === 'Identifier') return String(key.name)
  return key.type === 'Literal' ? String(key.value) : undefined
}

type Signed = FunctionNode | TSFunctionType

/** The type of a function; what it gives later is what it gives. */
export function functionType(node: Signed, outer: Names): FunctionTy {
  const generics = (node.typeParameters?.params ?? []).map(each => {
    return { kind: 'param', name: each.name.name, of: each } as const
  })
  const names: Names = {
    alias: name => outer.alias(name),
    param: name => generics.find(each => each.name === name) ?? outer.param(name),
  }
  const params = node.params.filter(each => !isThis(each as ParamPattern)).map(each => paramOf(each, names))
  const stated = node.returnType?.typeAnnotation
  return { ...func(params, stated ? typeOf(stated, names) : ANY), generics }
}

const isThis = (p: ParamPattern): boolean => p.type === 'Identifier' && p.name === 'this'

function paramOf(p: ParamPattern | FormalParameterRest, names: Names): Partial<ParamTy> & { type: Ty } {
  const typed = (of: { typeAnnotation?: { typeAnnotation: TSType } | null | undefined }): Ty =>
    of.typeAnnotation ? typeOf(of.typeAnnotation.typeAnnotation, names) : ANY
  if (p.type === 'RestElement') {
    const all = typed(p)
    return { name: called(p.argument), type: all.kind === 'list' ? all.of : ANY, rest: true }
  }
  if (p.type === 'AssignmentPattern') {
    const stated = 'typeAnnotation' in p.left ? typed(p.left as never) : ANY
    const value = p.right.type === 'Literal' ? typeof p.right.value : ''
    const type = stated !== ANY || !/^(string|number|boolean)$/.test(value) ? stated : ({ kind: value } as Ty)
    return { name: called(p.left), type, default: true, optional: true }
  }
  if (p.type === 'TSParameterProperty') return { type: ANY }
  return { name: called(p), type: typed(p), optional: 'optional' in p && Boolean(p.optional) }
}

function called(p: { type: string; name?: unknown }): string {
  return p.type === 'Identifier' ? String(p.name) : ''
}

/**
 * Whether a call of it has to be waited for: not where it states that it gives something at once. One that takes a
 * block is waited for, because the block may have to be.
 */
export function waitsFor(node: Signed | TSType | undefined, names: Names): boolean {
  if (!node || !('params' in node) || !('returnType' in node)) return true
  const of = node as Signed
  if ('async' in of && of.async) return true
  const stated = of.returnType?.typeAnnotation
  if (!stated) return true
  const { params, returns } = functionType(of, names)
  return !isPlain(returns, stated) || params.some(p => mayBeFunction(p.type))
}

/** It is no promise, to be sure. */
function isPlain(t: Ty, stated: TSType): boolean {
  if (t.kind === 'any' || t.kind === 'alias' || t.kind === 'param') return false
  if (t.kind === 'union') return stated.type === 'TSUnionType' && stated.types.every(each => !isLater(each))
  return !isLater(stated)
}

function isLater(node: TSType): boolean {
  if (node.type === 'TSParenthesizedType') return isLater(node.typeAnnotation)
  return (
    node.type === 'TSTypeReference' &&
    (node.typeName.type !== 'Identifier' ||
      !['Array', 'ReadonlyArray', 'Record'].includes(node.typeName.name))
  )
}

function mayBeFunction(t: Ty): boolean {
  if (t.kind === 'union') return t.of.some(mayBeFunction)
  return t.kind === 'function' || t.kind === 'any' || t.kind === 'alias' || t.kind === 'param'
}
