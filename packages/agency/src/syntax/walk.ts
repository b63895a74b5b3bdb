// Every node of a tree, from the outside in.
import type { Node } from './ast.ts'

/** Calls `each` for a node and all that is in it. Where it gives false, what is in the node is left out. */
export function walk(node: Node, each: (node: Node) => unknown): void {
  if (each(node) === false) return
  for (const value of Object.values(node)) visit(value, each)
}

function visit(value: unknown, each: (node: Node) => unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) for (const item of value) visit(item, each)
  else if ('kind' in value) walk(value as Node, each)
  // The parts of a pattern and of a function type stand in plain records.
  else for (const item of Object.values(value)) visit(item, each)
}
