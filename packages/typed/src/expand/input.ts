// What a function takes, as a schema: one record as it is, or its parameters told as a record in their order.
import type { Expression, ObjectPattern, ParamPattern, TSType } from 'oxc-parser'
import { type Doc, NO_DOC, paramTexts } from '../read/doc.ts'
import { thunkOf } from '../read/evaluate.ts'
import { docAt } from '../read/module.ts'
import { fault, type Reader } from '../read/reader.ts'
import type { Scope } from '../read/scope.ts'
import { plain, type Type } from '../read/types.ts'
import { constantOf, typeOfValue } from '../read/value.ts'
import { type Schema, schemaOf, type Writing, write } from '../write/schema.ts'
import { settled } from '../write/settle.ts'
import { namedContext } from './context.ts'
import type { Signature } from './signature.ts'

export interface Input {
  input: Schema
  /** The names of positional parameters in their order; absent where it takes one record. */
  params?: string[]
  /** What the record's own doc comment says. */
  about: string
}

/** How the input may be written: one record only (`run: (input, ctx) => …`), or parameters too. */
export type Form = 'record' | 'any'

export interface Parameter {
  name: string | undefined
  pattern: ObjectPattern | undefined
  written: TSType | undefined
  optional: boolean
  fallback: Expression | undefined
  node: { start: number; end: number }
}

/** `given`: the type argument of the call, for a function whose parameter has no type of its own. */
export function inputOf(
  w: Writing,
  signature: Signature,
  form: Form,
  given?: { node: TSType; scope: Scope },
): Input {
  const { scope } = signature
  const all = told(w, signature)
  const params = form === 'record' ? all.slice(0, 1) : all
  if (params.length === 0) return { input: emptyRecord(), about: '' }
  const [first] = params
  if (params.length === 1 && first) {
    const type = typeOf(w.reader, first, scope, given)
    const bare = type && plain(type)
    // A type that is refused is told as itself, not as a parameter of it.
    const whole = bare?.kind === 'record' || bare?.kind === 'refused' || bare?.kind === 'object'
    if (type && (whole || form === 'record')) return recordInput(w, signature, first, type)
    if (form === 'record') return unannotated(w, first, scope)
  }
  return positional(w, signature, params)
}

/** The parameters that are told: all but `this`, and the context, which comes last. */
function told(w: Writing, { params, scope }: Signature): Parameter[] {
  const out: Parameter[] = []
  let context: Parameter | undefined
  for (const each of params) {
    const one = parameterOf(w, each, scope)
    if (!one || one.name === 'this') continue
    if (namedContext(w.reader, 'Context', one.written, scope)) {
      context ??= one
      continue
    }
    if (context)
      w.faults.push(
        fault(
          'T2112',
          'the context does not come last',
          'write it behind what the model is told',
          scope,
          context.node,
        ),
      )
    out.push(one)
  }
  return out
}

/** The input of a function that takes one record, `first`, of the type `type`. */
export function recordInput(w: Writing, signature: Signature, first: Parameter, type: Type): Input {
  const bare = plain(type)
  const records = bare.kind === 'union' ? bare.members.map(each => plain(each).kind) : [bare.kind]
  if (records.some(kind => !['record', 'object', 'refused'].includes(kind)))
    w.faults.push(
      fault(
        'T2104',
        'the input is no record',
        'write a record: { value: … }',
        signature.scope,
        first.written ?? first.node,
      ),
    )
  const input = schemaOf(w, type)
  const about = typeof input['description'] === 'string' ? input['description'] : ''
  delete input['description']
  if (input['type'] === undefined) input['type'] = 'object'
  const properties = (input['properties'] ?? {}) as Record<string, Schema>
  const texts = paramTexts(signature.doc)
  for (const [name, schema] of Object.entries(properties)) {
    const said = texts.get(`${first.name ?? 'input'}.${name}`)
    if (said && schema['description'] === undefined) properties[name] = { ...schema, description: said }
  }
  if (first.pattern) fillDefaults(w.reader, input, properties, first.pattern, signature.scope)
  return { input, about }
}

/** The defaults of a parameter that is taken apart: `({ limit = 10 }: Search) => …`. */
function fillDefaults(
  r: Reader,
  input: Schema,
  properties: Record<string, Schema>,
  pattern: ObjectPattern,
  scope: Scope,
): void {
  for (const each of pattern.properties) {
    if (each.type !== 'Property' || each.key.type !== 'Identifier' || each.value.type !== 'AssignmentPattern')
      continue
    const { name } = each.key
    const schema = properties[name]
    const value = jsonOf(r, each.value.right, scope)
    if (schema === undefined || schema['default'] !== undefined || value === undefined) continue
    properties[name] = { ...schema, default: value }
    const required = input['required']
    if (Array.isArray(required)) input['required'] = required.filter(one => one !== name)
  }
}

function positional(w: Writing, signature: Signature, params: readonly Parameter[]): Input {
  const texts = paramTexts(signature.doc)
  const properties: [string, Schema][] = []
  const required: string[] = []
  for (const each of params) {
    const { name } = each
    if (name === undefined) {
      w.faults.push(
        fault(
          'T2103',
          'this parameter has no name to be told under',
          'give it a name',
          signature.scope,
          each.node,
        ),
      )
      continue
    }
    const type = typeOf(w.reader, each, signature.scope)
    if (!type) {
      unannotated(w, each, signature.scope)
      continue
    }
    const said = texts.get(name)
    const doc: Doc = said ? { ...NO_DOC, text: said } : docAt(signature.scope.module, each.node.start)
    const schema = write(w, type, doc)
    const value = each.fallback && jsonOf(w.reader, each.fallback, signature.scope)
    if (value !== undefined) schema['default'] = value
    properties.push([name, schema])
    if (!each.optional && !each.fallback) required.push(name)
  }
  const input = settled(
    w,
    { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false },
    true,
  )
  return { input, params: params.map(each => each.name ?? ''), about: '' }
}

function unannotated(w: Writing, { name, node }: Parameter, scope: Scope): Input {
  const what = name === undefined ? 'the input' : `the parameter ${name}`
  w.faults.push(fault('T2103', `${what} has no type`, 'write its type', scope, node))
  return { input: emptyRecord(), about: '' }
}

function emptyRecord(): Schema {
  return { type: 'object', properties: {}, required: [], additionalProperties: false }
}

function typeOf(
  r: Reader,
  parameter: Parameter,
  scope: Scope,
  given?: { node: TSType; scope: Scope },
): Type | undefined {
  if (parameter.written) return thunkOf(r, parameter.written, scope)()
  if (given) return thunkOf(r, given.node, given.scope)()
  if (!parameter.fallback) return undefined
  return typeOfValue(r, parameter.fallback, scope, true)
}

function parameterOf(w: Writing, node: ParamPattern, scope: Scope): Parameter | undefined {
  const one = parameterIn(node)
  if (!one)
    w.faults.push(
      fault('T2102', 'a rest of parameters is not read', 'take a list: names: string[]', scope, node),
    )
  return one
}

/** A parameter as it is written; nothing for a rest of them. */
export function parameterIn(node: ParamPattern): Parameter | undefined {
  if (node.type === 'RestElement' || node.type === 'TSParameterProperty') return undefined
  const target = node.type === 'AssignmentPattern' ? node.left : node
  const fallback = node.type === 'AssignmentPattern' ? node.right : undefined
  return {
    // `this: …` is no parameter, but its name says so.
    name: target.type === 'Identifier' ? target.name : undefined,
    pattern: target.type === 'ObjectPattern' ? target : undefined,
    written: target.typeAnnotation?.typeAnnotation,
    optional: (target as { optional?: boolean }).optional === true,
    fallback,
    node: target,
  }
}

/** The JSON value that an expression is; nothing where it is only known when it runs. */
function jsonOf(r: Reader, node: Expression, scope: Scope): unknown {
  if (node.type === 'Literal' && node.raw === 'null') return null
  if (
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'ParenthesizedExpression'
  )
    return jsonOf(r, node.expression, scope)
  if (node.type === 'ArrayExpression') {
    const items = node.elements.map(each =>
      each && each.type !== 'SpreadElement' ? jsonOf(r, each, scope) : undefined,
    )
    return items.includes(undefined) ? undefined : items
  }
  if (node.type === 'ObjectExpression') {
    const pairs = node.properties.map(each =>
      each.type === 'Property' && each.key.type === 'Identifier' && !each.computed
        ? ([each.key.name, jsonOf(r, each.value as Expression, scope)] as const)
        : undefined,
    )
    return pairs.some(each => each === undefined || each[1] === undefined)
      ? undefined
      : Object.fromEntries(pairs as [string, unknown][])
  }
  return constantOf(r, node, scope)
}
