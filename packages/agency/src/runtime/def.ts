// A def as a tool: what it is told as, and how the arguments of a model become its parameters.

import { type JsonSchema, ToolwrightError } from '@toolwright/core'
import { type Definition, definition, TOOL } from '@toolwright/core/engine'
import { shapeOf } from './shape.ts'
import { Outcome, text } from './values.ts'

/** What the emitter says of a def. */
export interface Meta {
  name: string
  about: string
  params: readonly { name: string; rest?: boolean; block?: boolean }[]
  input: () => JsonSchema
  handoff?: boolean
  /** It gives nothing. */
  nothing?: boolean
}

type Body = (...args: unknown[]) => unknown

export const META: unique symbol = Symbol.for('toolwright.agency.def') as never

export function metaOf(value: unknown): Meta | undefined {
  return typeof value === 'function' ? (value as Partial<{ [META]: Meta }>)[META] : undefined
}

/** Has `body` told as a tool where it stands in a list of tools; the telling is made when it is asked for. */
export function def(body: Body, meta: Meta): void {
  let made: Definition | undefined
  Object.defineProperty(body, META, { value: meta })
  Object.defineProperty(body, TOOL, {
    get() {
      made ??= toolOf(body, meta)
      return made
    },
  })
}

export function toolOf(body: Body, meta: Meta, more: Partial<Definition> = {}): Definition {
  const { name, about, handoff = false } = meta
  return definition({
    name,
    about: about === '' ? name : about,
    input: shapeOf(meta.input(), name),
    handoff,
    // It may ask a model, and a person: that takes its time.
    timeout: Number.POSITIVE_INFINITY,
    execute(input) {
      const given = body(...positional(meta, input as Record<string, unknown>))
      return given instanceof Promise ? given.then(value => told(value, meta)) : told(given, meta)
    },
    ...more,
  })
}

/** Arguments by name, in the order of the parameters. */
export function positional(meta: Meta, input: Record<string, unknown>): unknown[] {
  return meta.params.flatMap(({ name, rest }) => (rest ? ((input[name] ?? []) as unknown[]) : [input[name]]))
}

/** What the model is told: a failure is a failed call, a success is its value. */
function told(value: unknown, meta: Meta): unknown {
  if (value instanceof Outcome) {
    if (!value.success) throw new Error(text(value.error))
    return told(value.value, meta)
  }
  if (meta.nothing || value === undefined) return undefined
  return value
}

/** A call with arguments by name of a function that was not known before. */
export function callNamed(
  body: Body,
  args: readonly unknown[],
  named: Record<string, unknown>,
  block?: unknown,
): unknown {
  const meta = metaOf(body)
  if (!meta)
    throw new ToolwrightError('A2003', 'only a def can be given arguments by name', {
      fix: 'give them by their place',
    })
  const all = [...args]
  for (const [name, value] of Object.entries(named)) {
    const at = meta.params.findIndex(p => p.name === name)
    if (at < 0) throw new ToolwrightError('A2003', `${meta.name} has no parameter ${name}`)
    if (at < args.length) throw new ToolwrightError('A2003', `${name} is given twice to ${meta.name}`)
    if (meta.params[at]?.rest) all.push(...(value as unknown[]))
    else all[at] = value
  }
  if (block !== undefined) all[meta.params.length - 1] = block
  return body(...all)
}
