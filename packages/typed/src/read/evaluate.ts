// Types out of their syntax. One function a kind of syntax; what is larger has a file of its own.
import type { TSImportTypeQualifier, TSLiteralType, TSTupleElement, TSTupleType, TSType } from 'oxc-parser'
import { imported, member } from './find.ts'
import { intersectionOf } from './intersect.ts'
import { indexed, keysOf } from './keys.ts'
import { fault, type Reader, refused } from './reader.ts'
import { recordOf } from './record.ts'
import { keyOfReference, reference, referenceTo } from './reference.ts'
import type { Scope } from './scope.ts'
import { templateOf } from './template.ts'
import { literal, once, plain, type Thunk, type TupleItem, type Type, unionOf } from './types.ts'
import { valueNamed } from './value.ts'

/** The type that `node` writes, read when it is asked for. One node in one scope gives one thunk. */
export function thunkOf(r: Reader, node: TSType, scope: Scope): Thunk {
  if (node.type === 'TSParenthesizedType') return thunkOf(r, node.typeAnnotation, scope)
  if (node.type === 'TSTypeReference') {
    const same = keyOfReference(r, node.typeName, node.typeArguments?.params ?? [], scope)
    if (typeof same === 'function') return same
    if (same !== undefined) return kept(r, same, node, scope)
  }
  const key = /Keyword$/.test(node.type)
    ? node.type
    : node.type === 'TSLiteralType' && node.literal.type === 'Literal' && !('bigint' in node.literal)
      ? scope.module.source.slice(node.start, node.end)
      : `${scope.module.path}:${node.start}:${node.end}@${scope.key}`
  // Faults and warnings tell a place, so that only what has neither may be shared between places.
  if (/^TS(Any|Unknown|Symbol|BigInt|Void|Undefined|Never|Intrinsic)Keyword$/.test(key))
    return kept(r, `${key}@${scope.module.path}:${node.start}`, node, scope)
  return kept(r, key, node, scope)
}

function kept(r: Reader, key: string, node: TSType, scope: Scope): Thunk {
  let thunk = r.thunks.get(key)
  if (!thunk) {
    let reading = false
    thunk = once(key, () => {
      if (reading) return refused('T2110', 'the type refers to itself', 'write it out', scope, node)
      reading = true
      const type = evaluate(r, node, scope)
      reading = false
      return type
    })
    r.thunks.set(key, thunk)
  }
  return thunk
}

function evaluate(r: Reader, node: TSType, scope: Scope): Type {
  const no = (code: string, problem: string, fix: string): Type => refused(code, problem, fix, scope, node)
  switch (node.type) {
    case 'TSStringKeyword':
      return { kind: 'string' }
    case 'TSNumberKeyword':
      return { kind: 'number' }
    case 'TSBooleanKeyword':
      return { kind: 'boolean' }
    case 'TSNullKeyword':
      return { kind: 'null' }
    case 'TSUndefinedKeyword':
      return { kind: 'undefined' }
    case 'TSNeverKeyword':
      return { kind: 'never' }
    case 'TSObjectKeyword':
      return { kind: 'object' }
    case 'TSAnyKeyword':
    case 'TSUnknownKeyword': {
      const name = node.type === 'TSAnyKeyword' ? 'any' : 'unknown'
      const problem = `${name} lets every value through`
      return { kind: 'loose', warning: fault('T2111', problem, 'write the type that is meant', scope, node) }
    }
    case 'TSBigIntKeyword':
      return no('T2101', 'bigint has no form in JSON', 'write number, or string for its digits')
    case 'TSSymbolKeyword':
      return no('T2101', 'symbol has no form in JSON', 'write a union of texts')
    case 'TSVoidKeyword':
      return no('T2101', 'void has no form in JSON', 'write null, or make the field optional')
    case 'TSFunctionType':
    case 'TSConstructorType':
      return no('T2101', 'a function has no form in JSON', "leave the field out: Omit<T, 'name'>")
    case 'TSConditionalType':
    case 'TSInferType':
      return no('T2102', 'a conditional type is not read', 'write out the type that it gives here')
    case 'TSMappedType':
      return no(
        'T2102',
        'a mapped type is not read',
        'write Record, Partial, Required, Pick or Omit, or the fields themselves',
      )
    case 'TSLiteralType':
      return literalOf(r, node, scope)
    case 'TSArrayType':
      return { kind: 'array', item: thunkOf(r, node.elementType, scope) }
    case 'TSTupleType':
      return tupleOf(r, node, scope)
    case 'TSTypeLiteral':
      return recordOf(r, node.members, scope)
    case 'TSUnionType':
      return unionOf(node.types.map(each => thunkOf(r, each, scope)()))
    case 'TSIntersectionType':
      return intersectionOf(
        r,
        node.types.map(each => thunkOf(r, each, scope)),
        scope,
        node,
      )
    case 'TSParenthesizedType':
      return thunkOf(r, node.typeAnnotation, scope)()
    case 'TSTypeReference':
      return reference(r, node.typeName, node.typeArguments?.params ?? [], scope, node)
    case 'TSTemplateLiteralType':
      return templateOf(r, node, scope)
    case 'TSTypeOperator':
      if (node.operator === 'readonly') return thunkOf(r, node.typeAnnotation, scope)()
      if (node.operator === 'keyof') return keysOf(thunkOf(r, node.typeAnnotation, scope)(), scope, node)
      return no('T2101', 'symbol has no form in JSON', 'write a union of texts')
    case 'TSIndexedAccessType':
      return indexed(thunkOf(r, node.objectType, scope)(), thunkOf(r, node.indexType, scope)(), scope, node)
    case 'TSTypeQuery':
      if (node.exprName.type === 'TSImportType') break
      return valueNamed(r, node.exprName, scope, node)
    case 'TSImportType':
      return importType(r, node, scope)
  }
  return no('T2102', 'this kind of type is not read', 'write out the type that it gives here')
}

function literalOf(_r: Reader, { literal: node }: TSLiteralType, scope: Scope): Type {
  if (node.type === 'Literal' && 'value' in node) {
    const { value } = node
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return literal(value)
    return refused(
      'T2101',
      'bigint has no form in JSON',
      'write a number, or a text of its digits',
      scope,
      node,
    )
  }
  if (node.type === 'UnaryExpression' && node.argument.type === 'Literal') {
    const { value } = node.argument
    if (typeof value === 'number') return literal(node.operator === '-' ? -value : value)
    return refused(
      'T2101',
      'bigint has no form in JSON',
      'write a number, or a text of its digits',
      scope,
      node,
    )
  }
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return literal(node.quasis[0]?.value.cooked ?? '')
  return refused('T2102', 'this literal is not read', 'write it out', scope, node)
}

function tupleOf(r: Reader, node: TSTupleType, scope: Scope): Type {
  const items: TupleItem[] = []
  let rest: Thunk | undefined
  for (const element of node.elementTypes) {
    if (element.type === 'TSRestType') {
      const inner =
        element.typeAnnotation.type === 'TSNamedTupleMember'
          ? (element.typeAnnotation.elementType as TSType)
          : element.typeAnnotation
      const list = plain(thunkOf(r, inner, scope)())
      if (list.kind === 'array') rest = list.item
      else if (list.kind === 'tuple' && rest === undefined) {
        items.push(...list.items)
        rest = list.rest
      } else if (list.kind === 'refused') return list
      else return refused('T2102', 'this rest of a tuple is no list', 'write ...T[]', scope, element)
    } else if (rest !== undefined)
      return refused(
        'T2102',
        'a tuple whose rest is not at its end is not read',
        'put the rest at its end',
        scope,
        node,
      )
    else items.push(itemOf(r, element, scope))
  }
  return { kind: 'tuple', items, rest }
}

function itemOf(
  r: Reader,
  element: Exclude<TSTupleElement, { type: 'TSRestType' }>,
  scope: Scope,
): TupleItem {
  if (element.type === 'TSOptionalType')
    return { type: thunkOf(r, element.typeAnnotation, scope), optional: true, name: undefined }
  if (element.type === 'TSNamedTupleMember')
    return {
      type: thunkOf(r, element.elementType as TSType, scope),
      optional: element.optional,
      name: element.label.name,
    }
  return { type: thunkOf(r, element, scope), optional: false, name: undefined }
}

function importType(r: Reader, node: Extract<TSType, { type: 'TSImportType' }>, scope: Scope): Type {
  const source = node.source.value
  let found = imported(r, source, '*', scope.module)
  const names: string[] = []
  for (let at: TSImportTypeQualifier | null = node.qualifier; at; ) {
    names.unshift(at.type === 'Identifier' ? at.name : at.right.name)
    at = at.type === 'Identifier' ? null : at.left
  }
  for (const name of names) if (found && found !== 'unresolved') found = member(r, found, name)
  if (found === 'unresolved')
    found = { kind: 'unresolved', source, scope, start: node.source.start, end: node.source.end }
  return referenceTo(r, found, names.join('.'), node.typeArguments?.params ?? [], scope, node)
}
