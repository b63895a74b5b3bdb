// What the type parameters of a generic function stand for in one call of it.
import { expand, type FunctionTy, type Ty, union, widen } from './type.ts'

/** Adds to `found` what `given` says about the type parameters in `asked`. */
export function learn(asked: Ty, given: Ty, found: Map<object, Ty>, depth = 0): void {
  if (depth > 12) return
  if (asked.kind === 'param') {
    const before = found.get(asked.of)
    const now = widen(given)
    found.set(asked.of, before && before.kind !== 'any' ? union([before, now]) : now)
    return
  }
  if (asked.kind === 'alias' && given.kind === 'alias' && asked.def === given.def) {
    asked.args.forEach((each, i) => {
      learn(each, given.args[i]!, found, depth + 1)
    })
    return
  }
  const a = expand(asked)
  const b = expand(given)
  if (a.kind === 'list' && b.kind === 'list') learn(a.of, b.of, found, depth + 1)
  else if (a.kind === 'map' && b.kind === 'map') {
    learn(a.key, b.key, found, depth + 1)
    learn(a.value, b.value, found, depth + 1)
  } else if (a.kind === 'map' && b.kind === 'object')
    learn(a.value, union([...b.fields.values()].map(f => f.type)), found, depth + 1)
  else if (a.kind === 'object' && b.kind === 'object') {
    for (const [name, field] of a.fields) {
      const own = b.fields.get(name)
      if (own) learn(field.type, own.type, found, depth + 1)
    }
  } else if (a.kind === 'result' && b.kind === 'result') learn(a.of, b.of, found, depth + 1)
  else if (a.kind === 'function' && b.kind === 'function') learnFunction(a, b, found, depth)
  else if (a.kind === 'union') {
    const rest =
      b.kind === 'union'
        ? b.of.filter(each => !a.of.some(own => own.kind === each.kind && own.kind !== 'param'))
        : [b]
    for (const each of a.of)
      if (each.kind === 'param') learn(each, union(rest), found, depth + 1)
      else for (const one of rest) if (one.kind === each.kind) learn(each, one, found, depth + 1)
  }
}

function learnFunction(a: FunctionTy, b: FunctionTy, found: Map<object, Ty>, depth: number): void {
  a.params.forEach((p, i) => {
    const own = b.params[i]
    if (own && p.type.kind === 'param' && !found.has(p.type.of)) learn(p.type, own.type, found, depth + 1)
  })
  learn(a.returns, b.returns, found, depth + 1)
}
