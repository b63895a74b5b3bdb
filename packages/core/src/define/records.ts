// The records that pass between the rooms of this package, as the requirement lists them.
// They hold JSON only, so that each can be journaled, logged and sent as it is.

import type { Duration } from './limits.ts'

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A tool call that a model made. */
export interface Call {
  /** The provider's id of the call. Unique within its turn; it may come again in a later turn. */
  id: string
  /** The tool's name, as it is told to people (a provider may have been told a mapped name). */
  tool: string
  /** The arguments: a JSON object's text, as the model wrote it. */
  arguments: string
  /** Fields that the provider sent with the call and wants back (a signature, say), kept as they came. */
  extra?: Record<string, Json>
  /** The turn ended inside this call (the output limit): it is told a fault and never runs. */
  cut?: true
}

/** Who a message is from. Nothing in toolwright decides by parsing a message's text. */
export type Origin =
  | { from: 'person' }
  | { from: 'model'; model: string }
  | { from: 'tool'; tool: string }
  | { from: 'marker'; tool: string }
  | { from: 'system' }

/** One message of a conversation. Messages are written once and never changed, so texts made of them can be cached. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** What it says; of a "tool" message the result of the call {@link Message.call}. */
  text: string
  /** The model's reasoning, of an "assistant" message; else ''. */
  reasoning: string
  /** The calls of an "assistant" message; else []. */
  calls: readonly Call[]
  /** The id of the call that a "tool" message answers; else ''. */
  call: string
  /** The provider's reasoning details that continue an "assistant" message; else []. */
  details: readonly Json[]
  /** The pictures of a "user" message, as data URLs (data:image/png;base64,…). */
  images?: readonly string[]
  origin: Origin
}

/** A tool as it is told to a model: an OpenAI function object. */
export interface FunctionObject {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

/** A JSON Schema, draft 2020-12 (draft 7 is read too). */
export type JsonSchema = boolean | { [keyword: string]: unknown }

/** How a model is asked, beside what: the settings of an agent. What a provider does not know it leaves out. */
export interface Settings {
  temperature?: number
  /** How much a model thinks before it answers. */
  reasoning?: 'none' | 'low' | 'medium' | 'high'
  /** Tokens that one turn may write. */
  maxTokens?: number
  /**
   * Whether tools are called: as the model likes ['auto'], at least one, none, or this very one. One that forces a
   * call counts for the first turn of a run only, so that the model can answer after it; `forced: 'always'` keeps it.
   */
  toolChoice?: 'auto' | 'required' | 'none' | { tool: string }
  /** Whether a tool choice that forces a call counts for the first turn of a run ['first'] or for each. */
  forced?: 'first' | 'always'
  /** Headers to send along. */
  headers?: Readonly<Record<string, string>>
  /** Merged into the request's body as it is, over all that is set otherwise. */
  body?: Readonly<Record<string, Json>>
  /** How often one turn is asked for at most, the first time included, of a model that asks a server [4]. */
  tries?: number
  /** How long one turn may take, in ms, all its tries together; stated in ms or as '30 seconds' [no limit]. */
  timeout?: Duration
  /** Marks the instructions, the tools and the last messages for a provider's prompt cache, where it wants marks [false]. */
  cache?: boolean
}

/** What a model is asked for one turn. */
export interface Request {
  instructions: string
  /** The conversation, by reference: a model must not change it. */
  messages: readonly Message[]
  /** The tools on offer, under their real names; a model that must map names does so itself. */
  tools: readonly FunctionObject[]
  /** True: write an answer now. The tools are none, or only `answer`. */
  answer: boolean
  settings?: Settings
  /** The shape that the text of the answer must have, for models with a JSON-schema response format. */
  format?: { name: string; schema: JsonSchema }
}

/** One turn of a model. */
export interface Turn {
  text: string
  reasoning: string
  calls: Call[]
  /** Reasoning details as the provider sent them, to be sent back with the message. */
  details: Json[]
  /** Tokens written. */
  tokens: number
  /** Tokens read. */
  input: number
  /** The model's context window in tokens; 0: unknown. */
  window: number
  /** Of the tokens read, those that came from the provider's prompt cache. */
  cached?: number
  /** Of the tokens written, those of the reasoning. */
  reasoned?: number
  /** What the turn cost, in US dollars, where it is known. */
  cost?: number
  /** Which model wrote it, where one stands for several. */
  model?: string
  /** Why the turn ended before the model had finished it, where it did. */
  cut?: 'length' | 'filter' | 'stopped'
}

/** What a model gives as it writes. Each text is a part to be added to what came before. */
export type TurnPiece =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  /** A part of a call's arguments; `index` counts the calls of the turn from 0. */
  | { kind: 'input'; text: string; index: number; tool: string }

/**
 * A model: its name and the function that writes a turn, giving each piece to `each` as it comes.
 * A false from `each` stops the turn: it is answered with what was written, `cut: 'stopped'`.
 * `signal` aborts it: the same, or it rejects. A turn that cannot be had rejects.
 */
export interface Model {
  name: string
  /** It takes pictures [true]; false: a picture is told as a note with its type and size. */
  images?: boolean
  /** It writes texts of the JSON Schema that `request.format` states [false]. */
  formats?: boolean
  /** US dollars a million tokens, for turns that do not say what they cost. */
  price?: Price
  /**
   * How many tokens it takes [told with its turns]; 0: unknown. Asked where a long conversation goes on that no turn of
   * it was told of yet. It does not reject.
   */
  window?(): number | Promise<number>
  turn(request: Request, each: (piece: TurnPiece) => boolean, signal: AbortSignal): Promise<Turn>
}

/** US dollars a million tokens. */
export interface Price {
  input: number
  output: number
  /** Of tokens read from the prompt cache; left out: as `input`. */
  cached?: number
}

/** What the work of a run (or of a part of it) used. */
export interface Usage {
  /** Turns of a model. */
  calls: number
  /** Tokens written. */
  tokens: number
  /** Tokens read. */
  input: number
  /** Of the tokens read, those from a prompt cache; absent where none was told. */
  cached?: number
  /** Of the tokens written, those of reasoning; absent where none was told. */
  reasoned?: number
  /** US dollars; absent where no turn said what it cost. */
  cost?: number
  /** Tool calls. */
  toolCalls: number
  /** How often a person was asked; absent where nobody was. */
  asks?: number
}

interface Shown {
  /** The step that shows it, as listed: 'model 1', 'tool 1.1 tidy'; of nested work behind a slash. */
  step: string
  /** 1, or higher where the step had to be done again: a viewer then drops what the lower attempts showed. */
  attempt: number
  text: string
}

/** What a run shows as it goes. */
export type Piece =
  /** Text of the model; `offset` is where in the step's text it stands, in UTF-16 units. */
  | (Shown & { kind: 'text'; offset: number; call?: undefined })
  | (Shown & { kind: 'reasoning'; offset: number; call?: undefined })
  /** Part of the arguments of a call that is being written. */
  | (Shown & { kind: 'input'; call: Call })
  /** A call that the model made, before anybody is asked about it. `text` is ''. */
  | (Shown & { kind: 'call'; call: Call })
  /** What a person is told while the call runs. */
  | (Shown & { kind: 'line'; call: Call })
  /** A person is asked: `call.arguments` is the input as it would run. `text` is why. */
  | (Shown & { kind: 'ask'; call: Call })
  /** Progress that the call's tool told. */
  | (Shown & { kind: 'step'; call: Call })
  /** What the call answered. */
  | (Shown & { kind: 'result'; call: Call })
  /** What went wrong with the call, as the model is told. */
  | (Shown & { kind: 'failed'; call: Call })
  /** The step is begun again, as attempt `attempt`. */
  | (Shown & { kind: 'restart'; call?: undefined })
  /** The end: the answer, why the run failed, or what was written when it was stopped. */
  | (Shown & { kind: 'done'; call?: undefined })
  | (Shown & { kind: 'error'; call?: undefined })
  | (Shown & { kind: 'stopped'; call?: undefined })

/** A file that a person gives with a message. */
export interface Attachment {
  name: string
  /** Its media type: image/png, application/pdf, text/csv … */
  type: string
  /** Where it is on this computer. */
  path: string
}

/** The name of the tool that `ask` adds: its input is the record asked for. */
export const ANSWER = 'answer'
/** What a declined call gives the model as its result. */
export const DECLINED = 'The person declined this call.'
/** The name of the tool that reads a long document in parts. */
export const READ_FILE = 'read_file'
