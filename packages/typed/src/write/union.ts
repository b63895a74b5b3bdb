// Unions: texts and numbers become an enum, simple kinds a list of types, the rest a list of branches.
import { type Literal, plain, type Type } from '../read/types.ts'
import { type Schema, type Writing, write } from './schema.ts'
import { hasKeywords } from './tags.ts'

const SIMPLE = ['string', 'number', 'boolean']

export function unionSchema(w: Writing, members: readonly Type[], integer: boolean): Schema {
  const simple = new Set<string>()
  const literals = new Set<Literal>()
  const branches: Type[] = []
  let nullable = false
  for (const member of members) {
    const bare = plain(member)
    // A name with tags of its own (a format, say) is a branch that keeps them.
    if (member.kind === 'named' && SIMPLE.includes(bare.kind) && hasKeywords(member.doc))
      branches.push(member)
    else if (bare.kind === 'null' || bare.kind === 'undefined') nullable ||= bare.kind === 'null'
    else if (SIMPLE.includes(bare.kind)) simple.add(bare.kind)
    else if (bare.kind === 'literal') literals.add(bare.value)
    else branches.push(member)
  }
  if (literals.has(true) && literals.has(false)) simple.add('boolean')
  // What a wider kind takes anyway says nothing more.
  for (const value of literals) if (simple.has(typeof value)) literals.delete(value)
  const types = [...simple].map(each => (each === 'number' && integer ? 'integer' : each))
  const parts: Schema[] = []
  if (literals.size > 0)
    parts.push(enumOf([...literals], nullable && types.length === 0 && branches.length === 0))
  const open = types.length > 0 || (nullable && (branches.length > 0 || literals.size === 0))
  if (open) {
    const all = nullable ? [...types, 'null'] : types
    parts.push({ type: all.length === 1 ? all[0] : all })
  }
  // Branches keep the place that they are written at: the first is what a model reads first.
  const written = dedupe(branches.map(each => write(w, each)))
  const all =
    branches.length > 0 && members[0] && branches.includes(members[0])
      ? [...written, ...parts]
      : [...parts, ...written]
  return all.length === 1 ? all[0]! : { anyOf: all }
}

function enumOf(values: readonly Literal[], nullable: boolean): Schema {
  const types: string[] = [...new Set(values.map(each => typeof each))]
  if (nullable) types.push('null')
  const [type] = types
  if (values.length === 1 && !nullable) return { type, const: values[0] }
  return { type: types.length === 1 ? type : types, enum: nullable ? [...values, null] : [...values] }
}

function dedupe(schemas: readonly Schema[]): Schema[] {
  const seen = new Set<string>()
  return schemas.filter(each => {
    const text = JSON.stringify(each)
    return !seen.has(text) && seen.add(text)
  })
}
