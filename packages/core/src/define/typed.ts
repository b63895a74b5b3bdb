// Tools from plain functions: what a build step or loader (`@toolwright/typed`) read from their types, as data.
// It writes one more argument into a call, a function that gives an {@link Expanded}; people never write it.

import { ToolwrightError } from '../errors.ts'
import type { Context } from './context.ts'
import type { JsonSchema } from './records.ts'
import type { Danger, Definition, Line, ToolStated, Usable } from './tool.ts'

/** What the types of a call say. */
export interface Expanded {
  /** A function's own name. */
  readonly name?: string
  /** What its record's doc comment says, else the function's; '' where neither says anything. */
  readonly about?: string
  readonly input?: JsonSchema
  readonly output?: JsonSchema
  /** Positional parameters in their order, told as the fields of a record; absent where it takes one record. */
  readonly params?: readonly string[]
  /** The plain functions in a list of tools, by their place; -1 is the last, where a spread stands before it. */
  readonly tools?: { readonly [place: number]: Expanded }
}

/** The argument that is written into a call. */
export type Typed = () => Expanded

/** A plain function that may be a tool: of one record, or of parameters; its context comes last. */
export type Plain = (...args: never) => unknown

/** The arguments that code calls such a tool with: all but the context. */
export type Given<A extends readonly unknown[]> = A extends readonly [...infer Before, Context<infer _>]
  ? Before
  : A

/** What {@link tool} takes where the types of `run` tell its input. */
export type ToolTyped<I, O, D> = Omit<ToolStated<undefined, O, D>, 'input' | 'danger' | 'line' | 'run'> & {
  input?: undefined
  danger?: Danger<I>
  line?: Line<I>
  run: (input: I, ctx: Context<D>) => O
}

/** A tool made of a plain function. Code calls it like the function: `await add(1, 2)`. */
export interface PlainTool<A extends readonly unknown[], O> extends Usable {
  (...args: A): Promise<Awaited<O>>
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly readOnly: boolean
  run(argumentsText: string): Promise<string>
}

/** How a plain function is called: with the record as it was read, or with its fields as parameters. */
export function callPlain(run: Plain, params: readonly string[] | undefined): Definition['execute'] {
  const call = run as (...args: readonly unknown[]) => unknown
  if (!params) return (input, ctx) => call(input, ctx)
  return (input, ctx) => call(...params.map(name => (input as Record<string, unknown>)[name]), ctx)
}

/** The record that a call by code means: its one argument, or its parameters under their names. */
export function gather(params: readonly string[] | undefined): (args: readonly unknown[]) => unknown {
  if (!params) return args => args[0]
  return args =>
    Object.fromEntries(params.flatMap((name, i) => (args[i] === undefined ? [] : [[name, args[i]]])))
}

/**
 * The JSON Schema of a type, from its declaration: `schema<Order>()`. Throws `T2108` where the types were not read.
 */
// biome-ignore lint/correctness/noUnusedVariables: the type is what is read
export function schema<T>(typed?: Typed): JsonSchema {
  const made = typed?.().output
  if (made === undefined) throw untold('schema<T>()')
  return made
}

/** T2108: `what` needs the types of a file whose types nobody read. */
export function untold(what: string): ToolwrightError {
  return new ToolwrightError('T2108', `${what}: the types were not read`, {
    fix: `${loading()}, add the plugin of @toolwright/typed to your bundler, or write tool(name, { about, input, run })`,
  })
}

/** How this program would be run for its types to be read. */
export function loading(): string {
  const args = (globalThis as { process?: { execArgv?: readonly string[] } }).process?.execArgv ?? []
  const underTsx = args.some(each => /[/\\]tsx[/\\]|^tsx$/.test(each))
  return underTsx
    ? 'under tsx, `--import toolwright/register` must come first: node --import toolwright/register --import tsx FILE'
    : 'run node --import toolwright/register FILE'
}
