// Whether a value of one type may stand where another is asked for.
import { expand, type FunctionTy, listOf, type ObjectTy, type Ty } from './type.ts'

/** True where a value of `from` is one of `to`. A recursive type is taken to fit while it is looked into. */
export function assignable(from: Ty, to: Ty, open: readonly (readonly [Ty, Ty])[] = []): boolean {
  if (from === to || from.kind === 'any' || to.kind === 'any' || from.kind === 'never') return true
  if (from.kind === 'alias' || to.kind === 'alias') {
    if (from.kind === 'alias' && to.kind === 'alias' && from.def === to.def && from.args.length === 0)
      return true
    if (open.some(([a, b]) => alike(a, from) && alike(b, to)) || open.length > 40) return true
    return assignable(expand(from), expand(to), [...open, [from, to]])
  }
  if (from.kind === 'union') return from.of.every(each => assignable(each, to, open))
  if (to.kind === 'union') return to.of.some(each => assignable(from, each, open)) || spread(from, to, open)
  switch (to.kind) {
    case 'never':
      return false
    case 'string':
    case 'number':
    case 'boolean':
      return from.kind === to.kind || (from.kind === 'literal' && typeof from.value === to.kind)
    case 'null':
    case 'void':
      return from.kind === 'null' || from.kind === 'void'
    case 'literal':
      return from.kind === 'literal' && from.value === to.value
    case 'record':
      return ['object', 'map', 'list', 'record', 'result'].includes(from.kind)
    case 'list':
      return from.kind === 'list' && assignable(from.of, to.of, open)
    case 'map':
      if (from.kind === 'record') return true
      if (from.kind === 'map')
        return assignable(from.key, to.key, open) && assignable(from.value, to.value, open)
      return (
        from.kind === 'object' &&
        [...from.fields].every(
          ([k, f]) =>
            assignable({ kind: 'literal', value: k }, to.key, open) && assignable(f.type, to.value, open),
        )
      )
    case 'object':
      return (
        from.kind === 'record' ||
        (from.kind === 'object' && objectFits(from, to, open)) ||
        (from.kind === 'map' && [...to.fields.values()].every(f => assignable(from.value, f.type, open)))
      )
    case 'function':
      return from.kind === 'function' && functionFits(from, to, open)
    case 'result':
      return from.kind === 'result' && (from.state === 'failure' || assignable(from.of, to.of, open))
    case 'param':
      return from.kind === 'param' && from.of === to.of
    default:
      return false
  }
}

function alike(a: Ty, b: Ty): boolean {
  if (a === b) return true
  return (
    a.kind === 'alias' &&
    b.kind === 'alias' &&
    a.def === b.def &&
    a.args.every((each, i) => alike(each, b.args[i]!))
  )
}

/** A boolean, or an object whose tag is a union, fits a union whose members each take a part of it. */
function spread(from: Ty, to: Ty & { kind: 'union' }, open: readonly (readonly [Ty, Ty])[]): boolean {
  if (from.kind === 'boolean')
    return [true, false].every(value =>
      to.of.some(each => assignable({ kind: 'literal', value }, each, open)),
    )
  return false
}

function objectFits(from: ObjectTy, to: ObjectTy, open: readonly (readonly [Ty, Ty])[]): boolean {
  for (const [name, field] of to.fields) {
    const given = from.fields.get(name)
    if (!given) {
      if (!field.optional) return false
      continue
    }
    if (given.optional && !field.optional && !assignable({ kind: 'null' }, field.type, open)) return false
    if (assignable(given.type, field.type, open)) continue
    // A missing optional is null, so that null may stand for it.
    if (field.optional && given.type.kind === 'null') continue
    return false
  }
  return true
}

function functionFits(from: FunctionTy, to: FunctionTy, open: readonly (readonly [Ty, Ty])[]): boolean {
  const needed = from.params.filter(p => !p.optional && !p.default && !p.rest).length
  if (needed > to.params.length && !to.params.some(p => p.rest)) return false
  const fits = to.params.every((p, i) => {
    const own = from.params[i] ?? from.params.find(each => each.rest)
    if (!own) return true
    const wanted = own.rest && p.rest ? listOf(own.type) : own.type
    return assignable(p.rest ? listOf(p.type) : p.type, wanted, open) || hasParam(wanted)
  })
  if (!fits) return false
  return to.returns.kind === 'void' || assignable(from.returns, to.returns, open) || hasParam(from.returns)
}

/** A type parameter of the function itself fits anything. */
function hasParam(t: Ty): boolean {
  if (t.kind === 'param') return true
  return t.kind === 'list' ? hasParam(t.of) : false
}

/** The first place at which `from` is no `to`, for a message: a field, or nothing. */
export function misfit(from: Ty, to: Ty): { field: string; from: Ty | undefined; to: Ty } | undefined {
  const a = expand(from)
  const b = expand(to)
  if (a.kind !== 'object' || b.kind !== 'object') return undefined
  for (const [name, field] of b.fields) {
    const given = a.fields.get(name)
    if (!given) {
      if (!field.optional) return { field: name, from: undefined, to: field.type }
    } else if (!assignable(given.type, field.type) && !(field.optional && given.type.kind === 'null')) {
      const inner = misfit(given.type, field.type)
      return inner
        ? { ...inner, field: `${name}.${inner.field}` }
        : { field: name, from: given.type, to: field.type }
    }
  }
  return undefined
}
