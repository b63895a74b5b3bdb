// The names of parameters that stand beside one another: no two are the same, and together they make one shape.
import { isIndex } from './dotted.ts'
import { below, type Faults, short } from './faults.ts'
import type { Param } from './plan.ts'

/** Adds a fault for each name that is there twice, clashes with another, or leaves a gap in a list. */
export function checkNames(params: readonly Param[], pointers: readonly string[], faults: Faults): void {
  const tree: Level = { children: new Map() }
  params.forEach((param, i) => {
    const at = below(pointers[i]!, 'name')
    const clash = place(tree, param)
    if (clash === undefined) return
    const [problem, fix] =
      clash === param.name
        ? [`${short(param.name)} is there twice`, 'leave one of them out']
        : [
            `${short(param.name)} and ${short(clash)} cannot both be there`,
            'a name is a value, an object or a list: choose one',
          ]
    faults.add(at, 'T4008', problem, fix)
  })
  gaps(tree, params, pointers, faults)
}

interface Level {
  children: Map<string, Level>
  /** The parameter whose value stands here. */
  param?: Param
  /** The parameter that made this level. */
  first?: string
}

/** Puts a parameter into the tree; gives the name that is in its way. */
function place(tree: Level, param: Param): string | undefined {
  let level = tree
  for (const key of param.keys) {
    if (level.param) return level.param.name
    const sibling = level.children.keys().next().value
    if (sibling !== undefined && level !== tree && isIndex(sibling) !== isIndex(key))
      return level.children.get(sibling)?.first
    let next = level.children.get(key)
    if (!next) {
      next = { children: new Map(), first: param.name }
      level.children.set(key, next)
    }
    level = next
  }
  if (level.param) return level.param.name
  if (level.children.size > 0) return level.first
  level.param = param
  return undefined
}

function gaps(level: Level, params: readonly Param[], pointers: readonly string[], faults: Faults): void {
  const keys = [...level.children.keys()]
  if (level.first !== undefined && keys.length > 0 && keys.every(isIndex)) {
    const missing = keys.findIndex((_, i) => !level.children.has(String(i)))
    if (missing >= 0) {
      const name = level.children.get(keys[0]!)!.first!
      const at = pointers[params.findIndex(param => param.name === name)] ?? ''
      faults.add(
        below(at, 'name'),
        'T4008',
        `${short(name)}: the list has no entry ${missing}`,
        'count its entries from 0, without a gap',
      )
    }
  }
  for (const child of level.children.values()) gaps(child, params, pointers, faults)
}
