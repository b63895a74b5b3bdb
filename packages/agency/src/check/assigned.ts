// The names that a file sets anew, wherever it does.
import type { Node, Program } from '../syntax/ast.ts'
import { walk } from '../syntax/walk.ts'

export function assignedIn(program: Program): ReadonlySet<string> {
  const names = new Set<string>()
  walk(program, (node: Node) => {
    if (node.kind !== 'assign') return
    let target = node.target
    while (target.kind === 'member' || target.kind === 'index') target = target.of
    if (target.kind === 'name') names.add(target.text)
  })
  return names
}
