// The parameters of a source, each on its own: where it comes from, its type, and what belongs to that.
import { check, read } from '@toolwright/core/values'
import { schemaOfType } from '../values/types.ts'
import { dotted } from './dotted.ts'
import { below, type Faults, kindOf, short } from './faults.ts'
import { choiceAt, type Fields, flagAt, listAt, objectAt } from './keys.ts'
import { checkNames } from './names.ts'
import type { Param, Ref } from './plan.ts'
import { refAt, type Scope } from './refs.ts'
import { namesIn, template } from './template.ts'
import { FROM, type ParamType, TYPES } from './types.ts'

const KEYS = ['from', 'name', 'value', 'type', 'required', 'fields', 'values'] as const
const MENDS = {
  description: 'write value: of "llm" it is what the model is told',
  enum: 'write values',
  properties: 'write fields',
  items: 'write fields: one field with an empty name for entries that are no objects',
  default: 'write from: "fixed" with value',
}

/** What of a parameter depends on where it stands. */
export interface ParamPlace {
  readonly scope: Scope
  /** Names of parameters that stand as placeholders in the url. */
  readonly placeholders: readonly string[]
  readonly method: unknown
  /** It is a field of an object or of the entries of an array. */
  readonly inside: boolean
}

/** Reads `params` or `fields`; every fault of every one is added. */
export function readParams(
  list: readonly unknown[],
  pointer: string,
  place: ParamPlace,
  faults: Faults,
): Param[] {
  const read = list.map((raw, i) => readParam(raw, below(pointer, i), place, faults))
  const good = read.filter(param => param !== undefined)
  const pointers = read.flatMap((param, i) => (param ? [below(pointer, i)] : []))
  checkNames(good, pointers, faults)
  return good
}

function readParam(raw: unknown, pointer: string, place: ParamPlace, faults: Faults): Param | undefined {
  const stated = objectAt(raw, pointer, KEYS, faults, MENDS)
  if (!stated) return undefined
  const from = choiceAt(stated, 'from', pointer, FROM, faults)
  const type = choiceAt(stated, 'type', pointer, TYPES, faults)
  const keys = keysOf(stated, pointer, place, faults)
  const required = flagAt(stated, 'required', pointer, false, faults)
  if (!from || !type || !keys) return undefined
  const name = stated['name'] as string
  const where = place.inside ? 'body' : whereOf(name, place)
  const fields = fieldsOf(stated, from, type, pointer, place, faults)
  const values = valuesOf(stated, type, pointer, faults)
  const refs = valueRefs(stated, from, type, fields, values, pointer, place, faults)
  checkWhere(where, type, fields, pointer, faults)
  return { from, name, keys, type, required, value: stated['value'], values, fields, where, refs }
}

function whereOf(name: string, { placeholders, method }: ParamPlace): Param['where'] {
  if (placeholders.includes(name)) return 'url'
  return method === 'GET' ? 'query' : 'body'
}

const FORBIDDEN = ['__proto__', 'constructor', 'prototype']

function keysOf(
  { name }: Fields,
  pointer: string,
  { inside }: ParamPlace,
  faults: Faults,
): string[] | undefined {
  if (typeof name !== 'string') {
    const missing = name === undefined
    if (missing) faults.add(pointer, 'T4003', 'name is missing', 'write the name that the server knows')
    else faults.add(below(pointer, 'name'), 'T4004', `is ${kindOf(name)}`, 'write a text')
    return undefined
  }
  // The one field of a list's entries that are no objects has no name.
  if (name === '' && inside) return []
  const keys = dotted(name)
  if (!keys)
    faults.add(below(pointer, 'name'), 'T4008', `${short(name)} has an empty part`, 'write "address.street"')
  else if (keys.some(key => FORBIDDEN.includes(key)))
    faults.add(
      below(pointer, 'name'),
      'T4008',
      `${short(name)} is a name of the language`,
      'use another name',
    )
  else return keys
  return undefined
}

function valuesOf(
  stated: Fields,
  type: ParamType,
  pointer: string,
  faults: Faults,
): readonly unknown[] | undefined {
  const list = listAt(stated, 'values', pointer, faults)
  if (!list) return undefined
  const at = below(pointer, 'values')
  if (list.length === 0) return undefined
  // Of an array they are the values of its entries, whose type the one field without a name states.
  if (type !== 'array')
    list.forEach((value, i) => {
      if (!check({ type }, value).ok)
        faults.add(
          below(at, i),
          'T4009',
          `is ${kindOf(value)}, not of type ${type}`,
          `write a value of type ${type}`,
        )
    })
  return list
}

function fieldsOf(
  stated: Fields,
  from: Param['from'],
  type: ParamType,
  pointer: string,
  place: ParamPlace,
  faults: Faults,
): readonly Param[] | undefined {
  const at = below(pointer, 'fields')
  const list = listAt(stated, 'fields', pointer, faults)
  if (!list) return undefined
  if (list.length === 0) {
    if (from === 'llm' && (type === 'array' || type === 'object'))
      faults.add(pointer, 'T4009', `an ${type} from "llm" has no fields`, 'write fields: what it is made of')
    return undefined
  }
  if (type !== 'array' && type !== 'object') {
    faults.add(
      at,
      'T4009',
      `type ${type} has no fields`,
      'write type "object" or "array", or leave fields out',
    )
    return undefined
  }
  const before = faults.all.length
  const fields = readParams(list, at, { ...place, placeholders: [], inside: true }, faults)
  const unnamed = fields.some(field => field.keys.length === 0)
  if (unnamed && type === 'object')
    faults.add(at, 'T4008', 'a field of an object has no name', 'write its name')
  else if (unnamed && fields.length > 1)
    faults.add(
      at,
      'T4008',
      'a field without a name stands beside others',
      'write one field with an empty name, or name them all',
    )
  if (type === 'array' && faults.all.length === before && !fields.some(isTold))
    faults.add(
      at,
      'T4009',
      'no field of the entries is from "llm", so nothing says how many there are',
      'write the whole list as value, from "fixed"',
    )
  return fields
}

/** Whether the model is told something of a parameter. */
export function isTold({ from, fields }: Param): boolean {
  return fields ? fields.some(isTold) : from === 'llm'
}

function valueRefs(
  stated: Fields,
  from: Param['from'],
  type: ParamType,
  fields: readonly Param[] | undefined,
  values: readonly unknown[] | undefined,
  pointer: string,
  place: ParamPlace,
  faults: Faults,
): ReadonlyMap<string, Ref> {
  const refs = new Map<string, Ref>()
  const { value } = stated
  const at = below(pointer, 'value')
  if (from !== 'llm' && fields) {
    if (value !== undefined)
      faults.add(at, 'T4009', 'both value and fields are stated', 'leave one of them out')
    return refs
  }
  if (from === 'llm') {
    if (fields && value === undefined) return refs
    if (typeof value !== 'string' || value.trim() === '')
      faults.add(
        value === undefined ? pointer : at,
        value === undefined ? 'T4003' : 'T4004',
        value === undefined ? 'value is missing' : `is ${kindOf(value)}`,
        'say what is meant, and in which format',
      )
  } else if (from === 'variable') {
    if (typeof value !== 'string' || value === '')
      faults.add(
        value === undefined ? pointer : at,
        value === undefined ? 'T4003' : 'T4004',
        value === undefined ? 'value is missing' : `is ${kindOf(value)}`,
        'write the name of the variable',
      )
  } else if (value === undefined || value === null) {
    faults.add(
      value === undefined ? pointer : at,
      value === undefined ? 'T4003' : 'T4004',
      value === undefined ? 'value is missing' : 'is null',
      'write the value; what is absent is left out, never null',
    )
  } else {
    for (const text of textsIn(value))
      for (const name of namesIn(template(text))) {
        const ref = refAt(name, at, { ...place.scope, params: [] }, faults)
        if (ref) refs.set(name, ref)
      }
    if (refs.size === 0 && !textsIn(value).some(text => text.includes('{{'))) {
      const fits = read(schemaOfType(type, values), value)
      if (!fits.ok)
        faults.add(
          at,
          'T4009',
          fits.faults[0]!.replace(/^the value: /, ''),
          `write a value of type ${type}${values ? ' that values allows' : ''}`,
        )
    }
  }
  return refs
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function checkWhere(
  where: Param['where'],
  type: ParamType,
  fields: readonly Param[] | undefined,
  pointer: string,
  faults: Faults,
): void {
  if (where === 'url' && (type === 'object' || type === 'array'))
    faults.add(
      below(pointer, 'type'),
      'T4009',
      `an ${type} stands as a placeholder in the url`,
      'use a text, a number or a boolean there',
    )
  if (where !== 'query') return
  if (type === 'object')
    faults.add(
      below(pointer, 'type'),
      'T4009',
      'an object cannot go into the address of a GET',
      'write its fields as parameters with dots: "address.street"',
    )
  if (type === 'array' && fields?.some(field => field.keys.length > 0))
    faults.add(
      below(pointer, 'fields'),
      'T4009',
      'a list of objects cannot go into the address of a GET',
      'write one field with an empty name',
    )
}
