// Fills parameters with values: what the model wrote, what is fixed, what a variable holds.
import { read } from '@toolwright/core/values'
import { isIndex, joined } from '../document/dotted.ts'
import { isTold } from '../document/params.ts'
import type { Param, Ref } from '../document/plan.ts'
import { template } from '../document/template.ts'
import { schemaOfType } from './types.ts'

/** Stands for a value that is not there: what is absent is left out, never null. */
export const ABSENT: unique symbol = Symbol('absent')
/** Stands for a value that is only known when an earlier source has answered. */
export const LATER: unique symbol = Symbol('later')

/** Where values come from. */
export interface Sources {
  /** The input as it was read. */
  readonly input: unknown
  variable(name: string): unknown
  /** What a placeholder reads; LATER where nobody knows yet, ABSENT where it is not there. */
  ref(ref: Ref): unknown
}

/** A parameter with its value. */
export interface Filled {
  readonly param: Param
  readonly value: unknown
}

/** The values of parameters that are there; what is wrong is added to `faults`, one line each. */
export function fill(params: readonly Param[], sources: Sources, faults: string[]): Filled[] {
  return params.flatMap(param => {
    const value = valueFor(param, at(sources.input, param.keys), sources, faults, joined(param.keys))
    return value === ABSENT ? [] : [{ param, value }]
  })
}

/** Parameters as one nested value, as the dots in their names say. */
export function nested(filled: readonly Filled[], faults: string[]): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const { param, value } of filled) {
    let level = root
    param.keys.forEach((key, i) => {
      const next = param.keys[i + 1]
      if (next === undefined) level[key] = value
      else {
        level[key] ??= isIndex(next) ? [] : {}
        level = level[key] as Record<string, unknown>
      }
    })
  }
  holes(root, '', faults)
  return root
}

// An optional entry that is absent before one that is there: the list cannot be made.
function holes(value: unknown, path: string, faults: string[]): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value))
    for (let i = 0; i < value.length; i++) if (!(i in value)) faults.push(`${path}[${i}]: is missing`)
  for (const [key, one] of Object.entries(value)) holes(one, path === '' ? key : `${path}.${key}`, faults)
}

function valueFor(param: Param, given: unknown, sources: Sources, faults: string[], path: string): unknown {
  const value = found(param, given, sources, faults, path)
  if (value !== ABSENT || !param.required) return value
  const what =
    param.from === 'variable' ? `the variable ${JSON.stringify(param.value)} has no value` : 'is missing'
  faults.push(`${path}: ${what}: expected ${param.type}`)
  return ABSENT
}

function found(param: Param, given: unknown, sources: Sources, faults: string[], path: string): unknown {
  const { from, type, fields, values } = param
  if (fields)
    return type === 'array'
      ? listOf(param, given, sources, faults, path)
      : recordOf(param, given, sources, faults, path)
  if (from === 'llm') return given === undefined ? ABSENT : checked(given)
  const value =
    from === 'fixed' ? resolved(param.value, param, sources) : sources.variable(param.value as string)
  if (value === LATER) return LATER
  if (value === ABSENT || value === undefined || value === null) return ABSENT
  return checked(value)

  // The input was read by the tool's schema; it is checked again because code may come another way.
  function checked(value: unknown): unknown {
    const exact = typeof value === 'bigint' ? big(value, type) : value
    if (typeof exact === 'bigint') return exact
    const result = read(schemaOfType(type, values), exact)
    if (result.ok) return result.value
    for (const line of result.faults) faults.push(line.replace(/^the value/, path))
    return ABSENT
  }
}

function big(value: bigint, type: Param['type']): unknown {
  return type === 'string' ? value.toString() : value
}

function recordOf(param: Param, given: unknown, sources: Sources, faults: string[], path: string): unknown {
  const fields = param.fields!
  const told = fields.some(isTold)
  if (told && (typeof given !== 'object' || given === null || Array.isArray(given))) return ABSENT
  return groupOf(fields, given, sources, faults, path)
}

function listOf(param: Param, given: unknown, sources: Sources, faults: string[], path: string): unknown {
  if (!Array.isArray(given)) return ABSENT
  const fields = param.fields!
  const bare = fields[0]?.keys.length === 0 ? fields[0] : undefined
  return given.map((entry, i) => {
    const at = `${path}[${i}]`
    if (!bare) return groupOf(fields, entry, sources, faults, at)
    const values = param.values ?? bare.values
    return valueFor({ ...bare, values, required: true }, entry, sources, faults, at)
  })
}

function groupOf(
  fields: readonly Param[],
  given: unknown,
  sources: Sources,
  faults: string[],
  path: string,
): unknown {
  const inner: string[] = []
  const value = nested(fill(fields, { ...sources, input: given }, inner), inner)
  faults.push(...inner.map(line => `${path}.${line}`))
  return value
}

/** A fixed value with what its placeholders read. A text that is one placeholder alone keeps the type of what it reads. */
function resolved(value: unknown, param: Param, sources: Sources): unknown {
  if (typeof value === 'string') return resolvedText(value, param, sources)
  if (typeof value !== 'object' || value === null || param.refs.size === 0) return value
  let missing: typeof ABSENT | typeof LATER | undefined
  const inner = (one: unknown): unknown => {
    const result = resolved(one, param, sources)
    if (result === ABSENT || result === LATER) missing = result
    return result
  }
  const copy = Array.isArray(value)
    ? value.map(inner)
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]))
  return missing ?? copy
}

function resolvedText(text: string, param: Param, sources: Sources): unknown {
  const parts = template(text)
  if (parts.length === 0) return text
  const values = parts.map(part => {
    if (typeof part === 'string') return part
    const ref = param.refs.get(part.name)
    return ref ? sources.ref(ref) : ABSENT
  })
  if (values.includes(ABSENT)) return ABSENT
  if (values.includes(LATER)) return LATER
  if (values.length === 1) return values[0]
  return values.some(value => typeof value === 'object') ? ABSENT : values.join('')
}

/** What stands at `keys`; own fields only. */
export function at(value: unknown, keys: readonly string[]): unknown {
  let now = value
  for (const key of keys) {
    if (typeof now !== 'object' || now === null || !Object.hasOwn(now, key)) return undefined
    now = (now as Record<string, unknown>)[key]
  }
  return now
}
