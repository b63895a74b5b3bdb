// What the function of a tool is handed beside its input. Types only: the loop makes it.
import type { InferInput, Statement } from '../value/shape.ts'
import type { Agent } from './agent.ts'
import type { Entry, Told } from './entries.ts'
import type { FlowDefinition } from './flow.ts'
import type { Json, Message, Model, Settings, Usage } from './records.ts'
import type { Typed } from './typed.ts'

/** Options of {@link Context.llm}. */
export interface LlmOptions<S extends Statement = Statement> {
  /** Tools that this turn may call. */
  tools?: readonly Entry[]
  /** The shape of the answer; left out: a text. */
  output?: S
  /** A system message that comes before the prompt on the thread. */
  system?: string
  /** The model; left out: the one of the agent that called the tool. */
  model?: Model | string
  settings?: Settings
  /**
   * Asks for `output` by the model's JSON-schema response format, where it has one, and not by the function `answer`:
   * its text is then the record, as `{ response }` [false].
   */
  format?: boolean
  /** False: the text is not shown as it comes, but whole [true]. */
  stream?: boolean
  /** What the log and the tree call it [the agent's name]. */
  label?: string
}

/** Asks a model on the call's own thread; several at once queue in the order in which they were called. */
export interface Llm {
  (prompt: string, options?: LlmOptions & { output?: undefined }, typed?: Typed): Promise<string>
  <const S extends Statement>(
    prompt: string,
    options: LlmOptions<S> & { output: S },
    typed?: Typed,
  ): Promise<InferInput<S>>
  /** For a record of type T, from its declaration (`@toolwright/typed`); of the imported `llm` only. */
  <T>(prompt: string, options?: LlmOptions, typed?: Typed): Promise<T>
}

/** Values of the conversation by name, which no model is told: stated with a run, or kept by an earlier call. */
export interface Variables {
  /** Of `owner`, where it has one under this name; else anybody's. */
  get(name: string, owner?: string): Json | undefined
  /** Keeps a value for later calls: for those of `owner` only, where one is named. It is kept with the conversation. */
  set(name: string, value: Json, owner?: string): void
}

/** What a tool's function is handed beside its input; `Deps` is what the run was given as `deps`. */
export interface Context<Deps = unknown> {
  /** Aborts when the run is stopped or the call's time is over. */
  readonly signal: AbortSignal
  /** Names this call of this run for ever: the same when it is tried again after a kill. */
  readonly callKey: string
  /** Who started the run; absent in a script. */
  readonly person: string | undefined
  readonly deps: Deps
  readonly variables: Variables
  /** Tells whoever watches how far it is: a piece `step`. */
  progress(text: string): void
  /** Does `fn` once: in an app its result is journaled and `fn` does not run again after a kill. */
  step<T>(name: string, fn: () => T | Promise<T>): Promise<T>
  readonly llm: Llm
  /**
   * Ends the turn: what the tool gives becomes the answer, and the model is not asked to restate it. 'turn': every
   * `llm` call around this one too, up to the person's turn ['call']. It counts only for the tool that ran last in its
   * response, a handoff or the only call, and only where it gives what may be the answer.
   */
  endTurn(scope?: 'call' | 'turn'): void
  /** What a handoff says when it hands back, in place of the usual message. */
  handBack(message: string): void
  /** Shows the model a picture with the result: a data URL. */
  attachToReply(image: string): void
}

/** What an agent that is a tool is handed. */
export interface Handed {
  message: string
  /** Names of attachments of the caller's thread. */
  files?: readonly string[]
  /** The name of the conversation, of an agent that states `memory`. */
  thread?: string
}

/** The context as the doors of this package see it: what agents, sequences and flows are built on. */
export interface Inner extends Context {
  /** Tells the log what its author would want to know. */
  warn(text: string): void
  /** What the thread of the call's `llm` calls shows by now. */
  readonly messages: readonly Message[]
  /** What the call has used so far. */
  readonly usage: Usage
  /** Puts a message on that thread. */
  say(role: 'system' | 'user' | 'assistant', text: string, images?: readonly string[]): void
  /**
   * From here on, `llm` works on another thread: a new one, or one that begins as a `copy` of this. What it gives ends
   * that. For code whose calls follow one another.
   */
  aside(copy: boolean): () => void
  /** Runs an agent in this call, as its child, and gives its answer: a text, or the record that its `output` states. */
  converse(agent: Agent, handed: Handed): Promise<unknown>
  /** Runs a flow in this call, as its child, and gives its output. */
  flow(flow: FlowDefinition, input: unknown): Promise<unknown>
  /** Makes an ordinary tool call inside this one, under its own number; it is guarded, limited and shown like any. */
  call(
    number: string,
    told: Told,
    argumentsText: string,
  ): Promise<{ text: string; value?: unknown; failed?: true }>
}
