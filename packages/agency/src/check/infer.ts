// What the type parameters of a generic function stand for in one call of it.
import { assignable } from './assign.ts'
import { type Bindings, expand, type FunctionTy, type Ty, union, widen } from './type.ts'

/** How it is learned what a type parameter stands for. */
export interface Learning {
  /** What would suit the one who calls: that is it, where nothing is known yet and what is given is one of it. */
  hoped?: Bindings
  /** Literals stay as they are. */
  exact?: boolean
}

/** Adds to `found` what `given` says about the type parameters in `asked`. */
export function learn(asked: Ty, given: Ty, found: Map<object, Ty>, how: Learning = {}, depth = 0): void {
  if (depth > 12) return
  if (asked.kind === 'param') {
    const before = found.get(asked.of)
    const hope = how.hoped?.get(asked.of)
    if (
      hope &&
      (before === undefined || before === hope) &&
      given.kind !== 'any' &&
      assignable(given, hope)
    ) {
      found.set(asked.of, hope)
      return
    }
    const now = how.exact ? given : widen(given)
    found.set(asked.of, before && before.kind !== 'any' ? union([before, now]) : now)
    return
  }
  if (asked.kind === 'alias' && given.kind === 'alias' && asked.def === given.def) {
    asked.args.forEach((each, i) => {
      learn(each, given.args[i]!, found, how, depth + 1)
    })
    return
  }
  const a = expand(asked)
  const b = expand(given)
  if (a.kind === 'list' && b.kind === 'list') learn(a.of, b.of, found, how, depth + 1)
  else if (a.kind === 'map' && b.kind === 'map') {
    learn(a.key, b.key, found, how, depth + 1)
    learn(a.value, b.value, found, how, depth + 1)
  } else if (a.kind === 'map' && b.kind === 'object')
    learn(a.value, union([...b.fields.values()].map(f => f.type)), found, how, depth + 1)
  else if (a.kind === 'object' && b.kind === 'object') {
    for (const [name, field] of a.fields) {
      const own = b.fields.get(name)
      if (own) learn(field.type, own.type, found, how, depth + 1)
    }
  } else if (a.kind === 'result' && b.kind === 'result') learn(a.of, b.of, found, how, depth + 1)
  else if (a.kind === 'function' && b.kind === 'function') learnFunction(a, b, found, how, depth)
  else if (a.kind === 'union') {
    const rest =
      b.kind === 'union'
        ? b.of.filter(each => !a.of.some(own => own.kind === each.kind && own.kind !== 'param'))
        : [b]
    // Of `T[] | T` a list says what it holds, and no more.
    const plain = rest.filter(one => !a.of.some(each => each.kind === one.kind))
    for (const each of a.of)
      if (each.kind !== 'param')
        for (const one of rest) if (one.kind === each.kind) learn(each, one, found, how, depth + 1)
    if (plain.length > 0)
      for (const each of a.of) if (each.kind === 'param') learn(each, union(plain), found, how, depth + 1)
  }
}

function learnFunction(
  a: FunctionTy,
  b: FunctionTy,
  found: Map<object, Ty>,
  how: Learning,
  depth: number,
): void {
  a.params.forEach((p, i) => {
    const own = b.params[i]
    if (own && p.type.kind === 'param' && !found.has(p.type.of))
      learn(p.type, own.type, found, how, depth + 1)
  })
  learn(a.returns, b.returns, found, how, depth + 1)
}
