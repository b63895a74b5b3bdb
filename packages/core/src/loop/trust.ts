// Which tools may send data out without asking a person.
import type { Definition } from '../define/tool.ts'

/** Does `trust` name this very tool, or its service? It names definitions, not what they are told as. */
export function names(trust: readonly (Definition | string)[], definition: Definition): boolean {
  return trust.some(each =>
    typeof each === 'string' ? each === definition.service || each === definition.name : each === definition,
  )
}

/**
 * The trust of a child agent: its own word counts where its parent trusts the child itself;
 * else the parent must trust the tool too.
 */
export function trusting(
  own: readonly (Definition | string)[],
  child: Definition,
  parent: (definition: Definition) => boolean,
): (definition: Definition) => boolean {
  return definition => names(own, definition) && (parent(child) || parent(definition))
}
