// The kinds of JSON values, as numbers: the walk picks a list of steps by them, and sets of kinds are bit masks.

export const NO_JSON = 0
export const NULL = 1
export const BOOLEAN = 2
export const INTEGER = 3
export const FRACTION = 4
export const STRING = 5
export const ARRAY = 6
export const OBJECT = 7

/** The mask of every kind that JSON has. */
export const ALL = 0b1111_1110

const masks: Readonly<Record<string, number>> = {
  null: 1 << NULL,
  boolean: 1 << BOOLEAN,
  integer: 1 << INTEGER,
  number: (1 << INTEGER) | (1 << FRACTION),
  string: 1 << STRING,
  array: 1 << ARRAY,
  object: 1 << OBJECT,
}

/** The kind of a value; {@link NO_JSON} for what JSON cannot hold (undefined, NaN, bigint, a function). */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
      return Number.isInteger(value) ? INTEGER : Number.isFinite(value) ? FRACTION : NO_JSON
    case 'boolean':
      return BOOLEAN
    case 'object':
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT
    default:
      return NO_JSON
  }
}

/** The mask of a `type` keyword; unknown names count for nothing, and a wrong `type` allows every kind. */
export function maskOf(type: unknown): number {
  if (typeof type === 'string') return Object.hasOwn(masks, type) ? masks[type]! : ALL
  if (!Array.isArray(type) || type.length === 0) return ALL
  let mask = 0
  for (const one of type) if (typeof one === 'string' && Object.hasOwn(masks, one)) mask |= masks[one]!
  return mask === 0 ? ALL : mask
}

/** The names of a mask's kinds, as JSON Schema writes them. */
export function namesOf(mask: number): string[] {
  const number = masks['number']!
  return Object.keys(masks).filter(name => {
    if (name === 'integer' && (mask & number) === number) return false
    const own = masks[name]!
    return (mask & own) === own
  })
}

/** Whether a value is a JSON object (an array is none). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
