// Tools of the AI SDK as tools of ours.
import type { Context } from '../../define/context.ts'
import { nameFault } from '../../define/names.ts'
import type { JsonSchema } from '../../define/records.ts'
import { type ResultPart, result } from '../../define/result.ts'
import {
  type Danger,
  type Definition,
  definition,
  statedShape,
  type Tool,
  toTool,
} from '../../define/tool.ts'
import { type Fault, refuse } from '../../errors.ts'
import { fields, list } from '../json.ts'
import { toBase64 } from '../picture.ts'

/** A tool as the AI SDK's `tool({ … })` gives it, as far as it is used here. Methods, so that typed ones fit. */
export interface AiSdkTool {
  readonly type?: string | undefined
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly needsApproval?: unknown
  execute?(input: never, options: never): unknown
  toModelOutput?(options: never): unknown
}

/** What the AI SDK hands a tool beside its input. There is no thread to hand: `messages` is empty. */
interface Handed {
  toolCallId: string
  messages: []
  abortSignal: AbortSignal
  /** What the run was given as `deps`. */
  context: unknown
  experimental_context: unknown
}

/**
 * Tools of the AI SDK as they are, in a list of tools: `needsApproval` is told as `danger`, `context` is the run's
 * `deps`, what an `execute` yields before its last value is told as progress, and `toModelOutput` makes what the model
 * sees. Throws one T1001 that lists every tool that cannot be taken: one without `execute`, or one that its provider runs.
 */
export function fromAiSdkTools(tools: Readonly<Record<string, AiSdkTool>>): Tool[] {
  const faults: Fault[] = []
  const made = Object.entries(tools).map(([name, stated]) => toolOf(name, stated, faults))
  refuse('fromAiSdkTools', faults)
  return made as Tool[]
}

function toolOf(name: string, stated: AiSdkTool, faults: Fault[]): Tool | undefined {
  const before = faults.length
  const fault = (option: string, problem: string, fix: string) =>
    faults.push({ option: option ? `${name}.${option}` : name, problem, fix })
  const wrong = nameFault(name)
  if (wrong) fault('', wrong, 'give it another name')
  if (typeof stated !== 'object' || stated === null) {
    fault('', 'is no tool', 'write { weather: tool({ description, inputSchema, execute }) }')
    return undefined
  }
  if (stated.type !== undefined && stated.type !== 'function' && stated.type !== 'dynamic')
    fault(
      'type',
      `is ${JSON.stringify(stated.type)}: its provider defines it`,
      'leave it out, or state a tool of your own',
    )
  else if (typeof stated.execute !== 'function') fault('execute', 'is missing', 'write execute: input => …')
  const about = aboutOf(stated.description)
  if (about === undefined) fault('description', 'is missing', 'say in a sentence what the tool does')
  const schema = schemaOf(stated.inputSchema)
  if (schema === undefined)
    fault('inputSchema', 'gives no JSON Schema, or only later', 'write a zod schema, or jsonSchema({ … })')
  const input = schema && statedShape(`${name}.inputSchema`, schema.stated, faults)
  if (faults.length > before || about === undefined || !schema || !input) return undefined
  const danger = dangerOf(stated.needsApproval)
  return toTool(definition({ name, about, input, danger, execute: executeOf(stated, schema.validate) }))
}

function aboutOf(description: unknown): string | undefined {
  let text = description
  try {
    if (typeof description === 'function') text = description({ context: undefined })
  } catch {
    // One that needs its context is none that can be told beforehand.
  }
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}

type Validate = (value: unknown) => unknown

/** The schema as it can be stated here, and what else checks a value: `jsonSchema(…, { validate })` of the AI SDK. */
function schemaOf(given: unknown): { stated: unknown; validate?: Validate } | undefined {
  if (given === undefined) return { stated: { type: 'object', properties: {}, additionalProperties: false } }
  if (given === null || (typeof given !== 'object' && typeof given !== 'function')) return undefined
  if (Reflect.get(given, Symbol.for('vercel.ai.schema')) === true) {
    const schema: unknown = Reflect.get(given, 'jsonSchema')
    const validate: unknown = Reflect.get(given, 'validate')
    if (fields(schema) === undefined || typeof fields(schema)?.['then'] === 'function') return undefined
    return {
      stated: schema as JsonSchema,
      ...(typeof validate === 'function' ? { validate: validate as Validate } : {}),
    }
  }
  if ('~standard' in given) return { stated: given }
  // A lazy schema: a function that gives one.
  return typeof given === 'function' ? schemaOf(given()) : undefined
}

function dangerOf(needsApproval: unknown): Danger | undefined {
  if (needsApproval === true) return 'ask'
  if (typeof needsApproval !== 'function') return undefined
  return async (input, ctx) => (await needsApproval(input, handed(ctx))) === true
}

function handed(ctx: Context): Handed {
  return {
    toolCallId: ctx.callKey,
    messages: [],
    abortSignal: ctx.signal,
    context: ctx.deps,
    experimental_context: ctx.deps,
  }
}

function executeOf(stated: AiSdkTool, validate: Validate | undefined): Definition['execute'] {
  return async (input, ctx) => {
    const checked = validate ? valid(await validate(input)) : input
    const output = await lastOf(stated.execute!(checked as never, handed(ctx) as never), ctx)
    if (!stated.toModelOutput) return output
    const toolCallId = ctx.callKey
    return seen(output, await stated.toModelOutput({ toolCallId, input: checked, output } as never))
  }
}

function valid(told: unknown): unknown {
  const { success, value, error } = (told ?? {}) as { success?: boolean; value?: unknown; error?: unknown }
  if (success) return value
  throw error instanceof Error ? error : new Error(String(error))
}

/** What it gives; of one that yields, the last value: those before it tell how far it is. */
async function lastOf(given: unknown, ctx: Context): Promise<unknown> {
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return await given
  let last: unknown
  let any = false
  for await (const value of given as AsyncIterable<unknown>) {
    if (any) ctx.progress(typeof last === 'string' ? last : (JSON.stringify(last) ?? ''))
    last = value
    any = true
  }
  return last
}

/** What the model sees of the output, as `toModelOutput` says. */
function seen(data: unknown, told: unknown): unknown {
  const output = fields(told)
  const value = output?.['value']
  switch (output?.['type']) {
    case 'text':
    case 'json':
      return result({ data, model: asText(value) })
    case 'content':
      return result({ data, model: list(value).map(partOf) })
    case 'execution-denied':
      throw new Error(String(output['reason'] ?? 'it was not agreed to'))
    case 'error-text':
    case 'error-json':
      throw new Error(asText(value))
    default:
      return data
  }
}

/** A text, a picture in one of the forms that the versions of the SDK have for it, or a note of what it is. */
function partOf(item: unknown): ResultPart {
  const part = fields(item) ?? {}
  if (part['type'] === 'text') return asText(part['text'])
  const type = String(part['mediaType'] ?? '')
  const tagged = fields(part['data'])
  const data: unknown = tagged && 'data' in tagged ? tagged['data'] : part['data']
  if (type.startsWith('image/') && (typeof data === 'string' || data instanceof Uint8Array))
    return { image: `data:${type};base64,${typeof data === 'string' ? data : toBase64(data)}` }
  return `[${String(part['type'])}${type ? `, ${type}` : ''}, not shown]`
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
