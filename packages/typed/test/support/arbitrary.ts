// Values that a JSON Schema is likely to take, for tests: both drafts that stand beside one another here.
import * as fc from 'fast-check'

type Schema = { [keyword: string]: unknown }

/** Values of `schema`; where it recurses, they end soon. */
export function arbitraryOf(schema: unknown, root: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (schema === true || schema === undefined || typeof schema !== 'object' || schema === null) return loose
  const s = schema as Schema
  if (typeof s['$ref'] === 'string') {
    const target = s['$ref']
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (at, key) => (at as Schema)[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')],
        root,
      )
    return depth > 12 ? loose : fc.constant(0).chain(() => arbitraryOf(target, root, depth + 1))
  }
  if ('const' in s) return fc.constant(s['const'])
  if (Array.isArray(s['enum'])) return fc.constantFrom(...s['enum'])
  const branches = (s['anyOf'] ?? s['oneOf']) as unknown[] | undefined
  if (branches) {
    const all = branches.map(each => arbitraryOf(each, root, depth + 1))
    // The first branches are the simple ones more often than not.
    return depth > 6 ? fc.oneof(all[0]!, loose) : fc.oneof(...all)
  }
  const types = Array.isArray(s['type']) ? s['type'] : [s['type']]
  return fc.oneof(...types.map(type => ofType(type, s, root, depth)))
}

function ofType(type: unknown, s: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return text(s)
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer({ min: -12, max: 12 }), fc.constantFrom(0.5, 5, 10, 1e9))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return list(s, root, depth)
    case 'object':
      return record(s, root, depth)
  }
  return loose
}

function text(s: Schema): fc.Arbitrary<string> {
  if (typeof s['pattern'] !== 'string') return fc.string({ maxLength: 6 })
  try {
    return fc.stringMatching(new RegExp(s['pattern']), { maxLength: 12 })
  } catch {
    return fc.string({ maxLength: 6 })
  }
}

function list(s: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  const prefix = (s['prefixItems'] ?? (Array.isArray(s['items']) ? s['items'] : [])) as unknown[]
  const rest = Array.isArray(s['items']) ? s['additionalItems'] : s['items']
  const most = rest === false || depth > 6 ? 0 : 2
  return fc
    .tuple(
      fc.tuple(...prefix.map(each => arbitraryOf(each, root, depth + 1))),
      fc.array(arbitraryOf(rest, root, depth + 1), { maxLength: most }),
    )
    .map(([first, more]) => [...first, ...more])
}

function record(s: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = (s['properties'] ?? {}) as Schema
  const required = (s['required'] ?? []) as string[]
  const fields = Object.entries(properties).filter(([name]) => depth <= 6 || required.includes(name))
  const named = fc.record(
    Object.fromEntries(fields.map(([name, each]) => [name, arbitraryOf(each, root, depth + 1)])),
    {
      requiredKeys: fields.map(([name]) => name).filter(name => required.includes(name)),
    },
  )
  const more = s['additionalProperties']
  if (more === false || more === undefined || depth > 6) return named
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom('k', 'l', '7'), arbitraryOf(more, root, depth + 1), { maxKeys: 2 }),
      named,
    )
    .map(([a, b]) => ({ ...a, ...b }))
}

const loose: fc.Arbitrary<unknown> = fc.constantFrom(null, true, 0, 1.5, 'x', '', [], {}, { a: 1 }, ['x'])

/** A value with one thing in it that is otherwise: left out, added, or of another kind. */
export function spoiled(value: unknown, pick: (most: number) => number): unknown {
  const others = [null, true, 7, 0.25, 'spoiled', [], {}, [1], { other: 1 }]
  if (pick(3) === 0 || typeof value !== 'object' || value === null) return others[pick(others.length)]
  if (Array.isArray(value)) {
    if (value.length === 0 || pick(3) === 0) return [...value, others[pick(others.length)]]
    const at = pick(value.length)
    return pick(3) === 0 ? value.toSpliced(at, 1) : value.with(at, spoiled(value[at], pick))
  }
  const names = Object.keys(value)
  if (names.length === 0 || pick(4) === 0) return { ...value, strange: others[pick(others.length)] }
  const name = names[pick(names.length)]!
  if (pick(3) === 0) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  return { ...value, [name]: spoiled((value as Schema)[name], pick) }
}
