// The call that code is inside of, found without being handed on: where the platform keeps track of it
// (AsyncLocalStorage), `llm` works in any function that a tool calls.
import type { Inner, Llm, LlmOptions } from '../define/context.ts'
import { toldPlain } from '../define/entries.ts'
import type { Expanded, Typed } from '../define/typed.ts'
import { ToolwrightError } from '../errors.ts'

interface Storage {
  getStore(): Inner | undefined
  run<T>(store: Inner, work: () => T): T
}

interface Platform {
  process?: { getBuiltinModule?: (name: string) => { AsyncLocalStorage: new () => Storage } | undefined }
}

const hooks = (globalThis as Platform).process?.getBuiltinModule?.('node:async_hooks')
const storage: Storage | undefined = hooks && new hooks.AsyncLocalStorage()

/** Does `work` inside the call of `ctx`. */
export function inside<T>(ctx: Inner, work: () => T): T {
  return storage ? storage.run(ctx, work) : work()
}

/** The call that this code is inside of, if any. */
export function current(): Inner | undefined {
  return storage?.getStore()
}

/** Asks a model on the thread of the call that this code is inside of: `ctx.llm`, without being handed `ctx`. */
export const llm = (async (prompt: string, options?: LlmOptions, typed?: Typed): Promise<unknown> => {
  const ctx = current()
  if (ctx) {
    const ask = ctx.llm as (prompt: string, options?: LlmOptions) => Promise<unknown>
    return await ask(prompt, typed ? withTypes(options, typed()) : options)
  }
  throw new ToolwrightError('T7003', '`llm` was used outside of a tool', {
    fix: storage
      ? 'call it from a function that a tool calls'
      : 'this platform does not track it: use ctx.llm of the tool',
  })
}) as Llm

/** Options with what the types of the call say: the plain functions among its tools, and the record that is asked for. */
function withTypes(options: LlmOptions | undefined, { tools, output }: Expanded): LlmOptions {
  return {
    ...options,
    ...(options?.tools && tools && { tools: toldPlain(options.tools, tools) }),
    ...(output !== undefined && options?.output === undefined && { output }),
  }
}

/** Ends the turn of the call that this code is inside of; outside of one it does nothing. See {@link Inner.endTurn}. */
export function endTurn(scope?: 'call' | 'turn'): void {
  current()?.endTurn(scope)
}

/** Says what a handoff hands back with; outside of a call it does nothing. See {@link Inner.handBack}. */
export function handBack(message: string): void {
  current()?.handBack(message)
}

/** Shows the model a picture with the result of the call; outside of one it does nothing. See {@link Inner.attachToReply}. */
export function attachToReply(image: string): void {
  current()?.attachToReply(image)
}
