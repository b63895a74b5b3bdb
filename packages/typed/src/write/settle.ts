// Which names stay `$ref`s: the recursive ones, and large ones that are told more than once. All others are written
// out where they stand, which models and providers understand best.
import type { Schema, Writing } from './schema.ts'

/** A type that is told several times is written out each time, up to so many characters. */
const SMALL = 300

/** `schema` with its names written out, or kept in `$defs`. `atRoot`: a recursive root stands there in full. */
export function settled(w: Writing, schema: Schema, atRoot: boolean): Schema {
  if (w.defs.size === 0) return schema
  const defs = new Map([...w.defs.values()].map(each => [each.name, each.schema ?? {}]))
  const kept = keptNames(schema, defs)
  const used = new Set<string>()
  const inline = (value: unknown): unknown =>
    mapped(value, (name, beside) => {
      if (!kept.has(name)) return { ...(inline(defs.get(name)) as Schema), ...beside }
      used.add(name)
      return undefined
    })
  let root = inline(schema) as Schema
  const name = refOf(root)
  // Many providers want `type: 'object'` at the top.
  if (atRoot && name !== undefined) {
    const { $ref: _, ...beside } = root
    root = { ...(inline(defs.get(name)) as Schema), ...beside }
  }
  const out: Schema = {}
  // The set grows while it is gone through: a definition may use others.
  for (const each of used) out[each] = inline(defs.get(each))
  return used.size === 0 ? root : { ...root, $defs: out }
}

function keptNames(root: Schema, defs: ReadonlyMap<string, Schema>): Set<string> {
  const uses = new Map<string, number>()
  const refs = new Map([...defs].map(([name, schema]) => [name, refsIn(schema)]))
  for (const each of [...refsIn(root), ...[...refs.values()].flat()])
    uses.set(each, (uses.get(each) ?? 0) + 1)
  const kept = recursive(refs)
  // The inner ones are measured first, so that what uses a kept one counts it as a short `$ref`.
  const sizes = new Map<string, number>()
  const sizeOf = (name: string): number => {
    if (kept.has(name)) return name.length + 20
    const known = sizes.get(name)
    if (known !== undefined) return known
    const inside = (refs.get(name) ?? []).reduce((sum, each) => sum + sizeOf(each), 0)
    const size = JSON.stringify(defs.get(name)).length + inside
    sizes.set(name, size)
    if (size > SMALL && (uses.get(name) ?? 0) > 1) kept.add(name)
    return kept.has(name) ? name.length + 20 : size
  }
  for (const name of defs.keys()) sizeOf(name)
  return kept
}

/** The names that lead back to themselves: what is on a cycle of references (Tarjan's strongly connected parts). */
function recursive(refs: ReadonlyMap<string, readonly string[]>): Set<string> {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found = new Set<string>()
  const visit = (name: string): void => {
    order.set(name, order.size)
    low.set(name, order.get(name)!)
    stack.push(name)
    for (const next of refs.get(name) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(name, Math.min(low.get(name)!, low.get(next)!))
    }
    if (low.get(name) !== order.get(name)) return
    const part = stack.splice(stack.indexOf(name))
    if (part.length > 1 || refs.get(name)?.includes(name)) for (const each of part) found.add(each)
  }
  for (const name of refs.keys()) if (!order.has(name)) visit(name)
  return found
}

function refsIn(value: unknown): string[] {
  const names: string[] = []
  mapped(value, name => {
    names.push(name)
    return undefined
  })
  return names
}

function refOf(schema: Schema): string | undefined {
  const { $ref } = schema
  return typeof $ref === 'string' ? $ref.slice('#/$defs/'.length) : undefined
}

/** A copy of a schema, each `$ref` replaced by what `change` gives for its name, or left where it gives nothing. */
function mapped(
  value: unknown,
  change: (name: string, beside: Schema) => Schema | undefined,
  key = '',
): unknown {
  if (Array.isArray(value)) return value.map(each => mapped(each, change))
  if (typeof value !== 'object' || value === null) return value
  // What stands under these is a value, no schema.
  if (key === 'const' || key === 'default' || key === 'enum') return value
  const schema = value as Schema
  const name = key === 'properties' ? undefined : refOf(schema)
  const pairs = Object.entries(schema).map(([each, inner]) => [
    each,
    key === 'properties' ? mapped(inner, change) : mapped(inner, change, each),
  ])
  const copy = Object.fromEntries(pairs) as Schema
  if (name === undefined) return copy
  const { $ref: _, ...beside } = copy
  return change(name, beside) ?? copy
}
