// Middleware on tools: a tool around a tool. Middleware on models needs nothing: a model is a record with a function.
import type { Context } from './context.ts'
import { type Definition, definitionOf, type Tool, toTool, type Usable } from './tool.ts'

/** What stands around a tool's function: `next` does the work, if it is to be done, on the input that it is given. */
export type Around<I, O, R> = (input: I, ctx: Context, next: (input: I) => Promise<Awaited<O>>) => R

/**
 * The tool `wrapped` with `around` in place of its function; everything else of it stays as it is. `around` gets the
 * input as it was read and agreed to. What it gives is the result, what it throws is a failed result for the model. It
 * may call `next` once, never, or several times.
 */
export function wrapTool<I, O, R, Given>(
  wrapped: Tool<I, O, Given>,
  around: Around<I, O, R>,
): Tool<I, R, Given>
export function wrapTool<R>(wrapped: Usable, around: Around<unknown, unknown, R>): Tool<never, R>
export function wrapTool(
  wrapped: Usable,
  around: (input: never, ctx: Context, next: never) => unknown,
): unknown {
  const inner = definitionOf(wrapped)
  if (!inner) throw new TypeError('wrapTool: the first argument is no tool and no agent')
  const outer: Definition = {
    ...inner,
    execute(input, ctx) {
      const next = async (given: unknown) => await inner.execute(given, ctx)
      return around(input as never, ctx, next as never)
    },
  }
  return toTool(outer)
}
