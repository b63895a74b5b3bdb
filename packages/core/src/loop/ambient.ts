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

interface Hooks {
  AsyncLocalStorage?: new () => Storage
}

interface Platform extends Hooks {
  process?: { getBuiltinModule?: (name: string) => Hooks | undefined }
}

// Node and Bun have it as a module, and so has workerd with `nodejs_compat`; some edge platforms as a global alone.
const platform = globalThis as Platform
const { AsyncLocalStorage } = platform.process?.getBuiltinModule?.('node:async_hooks') ?? platform
const storage: Storage | undefined = AsyncLocalStorage && new AsyncLocalStorage()

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
  if (!storage) throw untracked('llm')
  throw new ToolwrightError('T7003', '`llm` was used outside of a tool', {
    fix: 'call it from a function that a tool calls',
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
  if (!storage) throw untracked('endTurn')
  current()?.endTurn(scope)
}

/** Says what a handoff hands back with; outside of a call it does nothing. See {@link Inner.handBack}. */
export function handBack(message: string): void {
  if (!storage) throw untracked('handBack')
  current()?.handBack(message)
}

/** Shows the model a picture with the result of the call; outside of one it does nothing. See {@link Inner.attachToReply}. */
export function attachToReply(image: string): void {
  if (!storage) throw untracked('attachToReply')
  current()?.attachToReply(image)
}

/** Where nobody knows whether this is inside of a call, doing nothing would hide what was meant. */
function untracked(what: string): ToolwrightError {
  return new ToolwrightError(
    'T7003',
    `\`${what}\` cannot find its call on this platform: use ctx.${what} of the tool`,
    {
      fix: 'hand `ctx` on to the function that needs it, or give the platform AsyncLocalStorage (nodejs_compat in Workers)',
    },
  )
}
