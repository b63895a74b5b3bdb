// Types of values: `typeof X`, and what a literal or a default says.
import type { Expression, TSTypeName } from 'oxc-parser'
import { NO_DOC } from './doc.ts'
import { memberOfEnum } from './enums.ts'
import { thunkOf } from './evaluate.ts'
import { findName, withOwn } from './find.ts'
import { docAt } from './module.ts'
import { type Reader, refused } from './reader.ts'
import type { Scope } from './scope.ts'
import { type Field, type Literal, literal, once, type Thunk, type Type, unionOf } from './types.ts'

type Span = { start: number; end: number }

/** The type of the value that a name means. */
export function valueNamed(r: Reader, name: TSTypeName, scope: Scope, node: Span): Type {
  const found = withOwn(r, findName(r, scope, name))
  const no = (): Type =>
    refused(
      'T2102',
      'the type of this value is not read',
      'give the value a type, or write the type here',
      scope,
      node,
    )
  if (!found && name.type === 'TSQualifiedName') {
    const whole = valueNamed(r, name.left, scope, node)
    if (whole.kind === 'refused') return whole
    return (whole.kind === 'record' ? whole.fields.get(name.right.name)?.type() : undefined) ?? no()
  }
  if (found?.kind !== 'declared') return no()
  for (const each of found.declarations) {
    if (each.kind !== 'variable') continue
    const annotation = each.node.id.typeAnnotation?.typeAnnotation
    if (annotation) return thunkOf(r, annotation, each.scope)()
    if (each.node.init) return typeOfValue(r, each.node.init, each.scope, each.as !== 'const') ?? no()
  }
  const enums = found.declarations.filter(each => each.kind === 'enum')
  const [first] = enums
  if (!first) return no()
  const fields = enums.flatMap(each =>
    each.node.body.members.map(member => {
      const id = 'name' in member.id ? member.id.name : 'value' in member.id ? String(member.id.value) : ''
      const type = once(`${each.scope.module.path}:${member.start}`, () => memberOfEnum(r, found, id) ?? no())
      return [id, { type, optional: false, doc: NO_DOC }] as const
    }),
  )
  return { kind: 'record', fields: new Map(fields), index: undefined }
}

/**
 * The type of an expression; nothing where it takes a type checker to tell. `wide`: a literal counts as its kind, as
 * in what may be changed later. `as const` keeps literals all the way down.
 */
export function typeOfValue(
  r: Reader,
  node: Expression,
  scope: Scope,
  wide: boolean,
  fixed = false,
): Type | undefined {
  switch (node.type) {
    case 'ParenthesizedExpression':
      return typeOfValue(r, node.expression, scope, wide, fixed)
    case 'TSSatisfiesExpression':
      return typeOfValue(r, node.expression, scope, wide, fixed)
    case 'TSAsExpression': {
      const { typeAnnotation: to } = node
      const isConst =
        to.type === 'TSTypeReference' && to.typeName.type === 'Identifier' && to.typeName.name === 'const'
      return isConst ? typeOfValue(r, node.expression, scope, false, true) : thunkOf(r, to, scope)()
    }
    case 'ArrayExpression':
      return listOf(r, node, scope, fixed)
    case 'ObjectExpression':
      return objectOf(r, node, scope, fixed)
    case 'Identifier':
      return node.name === 'undefined'
        ? { kind: 'undefined' }
        : valueNamed(r, node as TSTypeName, scope, node)
    case 'Literal':
      if (node.value === null && node.raw === 'null') return { kind: 'null' }
  }
  const value = constantOf(r, node, scope)
  if (value === undefined) return undefined
  return wide && !fixed ? { kind: typeof value as 'string' | 'number' | 'boolean' } : literal(value)
}

function listOf(
  r: Reader,
  node: Extract<Expression, { type: 'ArrayExpression' }>,
  scope: Scope,
  fixed: boolean,
): Type | undefined {
  const items: Thunk[] = []
  for (const element of node.elements) {
    if (!element) return undefined
    if (element.type === 'SpreadElement') {
      const more = typeOfValue(r, element.argument, scope, !fixed, fixed)
      if (more?.kind !== 'tuple' || more.rest) return undefined
      items.push(...more.items.map(each => each.type))
      continue
    }
    const type = typeOfValue(r, element, scope, !fixed, fixed)
    if (!type) return undefined
    items.push(once(`${scope.module.path}:${element.start}@${scope.key}`, () => type))
  }
  if (fixed)
    return {
      kind: 'tuple',
      items: items.map(type => ({ type, optional: false, name: undefined })),
      rest: undefined,
    }
  const key = `items ${scope.module.path}:${node.start}@${scope.key}`
  return { kind: 'array', item: once(key, () => unionOf(items.map(each => each()))) }
}

function objectOf(
  r: Reader,
  node: Extract<Expression, { type: 'ObjectExpression' }>,
  scope: Scope,
  fixed: boolean,
): Type | undefined {
  const fields = new Map<string, Field>()
  for (const each of node.properties) {
    if (each.type === 'SpreadElement') return undefined
    const key =
      each.key.type === 'Literal' && 'value' in each.key
        ? String(each.key.value)
        : each.key.type === 'Identifier' && !each.computed
          ? each.key.name
          : undefined
    if (key === undefined) return undefined
    const type = once(
      `${scope.module.path}:${each.value.start}@${scope.key}`,
      () =>
        typeOfValue(r, each.value as Expression, scope, !fixed, fixed) ??
        refused('T2102', 'the type of this value is not read', 'write the type', scope, each.value),
    )
    fields.set(key, { type, optional: false, doc: docAt(scope.module, each.start) })
  }
  return { kind: 'record', fields, index: undefined }
}

/** The text, number or flag that an expression is; nothing where it is none, or is only known when it runs. */
export function constantOf(
  r: Reader,
  node: Expression,
  scope: Scope,
  known: ReadonlyMap<string, Literal> = new Map(),
): Literal | undefined {
  switch (node.type) {
    case 'Literal': {
      const { value } = node
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : undefined
    }
    case 'TemplateLiteral': {
      let text = node.quasis[0]?.value.cooked ?? ''
      for (const [i, hole] of node.expressions.entries()) {
        const value = constantOf(r, hole, scope, known)
        if (value === undefined) return undefined
        text += String(value) + (node.quasis[i + 1]?.value.cooked ?? '')
      }
      return text
    }
    case 'UnaryExpression': {
      const value = constantOf(r, node.argument, scope, known)
      if (typeof value !== 'number') return undefined
      return node.operator === '-'
        ? -value
        : node.operator === '+'
          ? value
          : node.operator === '~'
            ? ~value
            : undefined
    }
    case 'BinaryExpression': {
      if (node.left.type === 'PrivateIdentifier') return undefined
      const a = constantOf(r, node.left, scope, known)
      const b = constantOf(r, node.right, scope, known)
      if (node.operator === '+' && typeof a === 'string' && b !== undefined) return a + String(b)
      return typeof a === 'number' && typeof b === 'number' ? computed(a, node.operator, b) : undefined
    }
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return constantOf(r, node.expression, scope, known)
    case 'Identifier':
      return known.get(node.name) ?? literalNamed(r, node, scope)
    case 'MemberExpression': {
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier' || node.computed)
        return undefined
      const type = memberOfEnum(r, findName(r, scope, node.object as TSTypeName), node.property.name)
      return type?.kind === 'literal' ? type.value : undefined
    }
  }
  return undefined
}

/** The value of a constant. */
export function literalNamed(
  r: Reader,
  node: { type: 'Identifier'; name: string },
  scope: Scope,
): Literal | undefined {
  const found = findName(r, scope, node as TSTypeName)
  const variable =
    found?.kind === 'declared' ? found.declarations.find(each => each.kind === 'variable') : undefined
  if (variable?.kind !== 'variable' || variable.as !== 'const' || !variable.node.init) return undefined
  return constantOf(r, variable.node.init, variable.scope)
}

function computed(a: number, operator: string, b: number): number | undefined {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '|':
      return a | b
    case '&':
      return a & b
    case '<<':
      return a << b
    case '>>':
      return a >> b
  }
  return undefined
}
