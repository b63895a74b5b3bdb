// `llm`: a door to the core's own, on the thread of the node or the tool that it is called in.
import {
  type Entry,
  endpoint,
  type JsonSchema,
  type LlmOptions,
  type Model,
  type Settings,
  ToolwrightError,
} from '@toolwright/core'
import { current, type Inner } from '@toolwright/core/engine'
import { text } from './values.ts'

/** What `llm` takes beside its prompt. */
export interface Options {
  tools?: readonly Entry[] | null
  model?: string | Model | null
  provider?: string | null
  apiKey?: string | null
  maxTokens?: number | null
  temperature?: number | null
  reasoningEffort?: string | null
  stream?: boolean | null
  timeout?: number | string | null
  retries?: number | null
  label?: string | null
}

/** What the calls of a node ask that is a flow: a flow has no model of its own. */
const asked = new WeakMap<Inner, Model | string>()

/** From here on, `llm` asks `model` in this call, where it names none. */
export function asks(inner: Inner, model: Model | string): void {
  asked.set(inner, model)
}

export async function llm(prompt: unknown, options?: Options | null, schema?: JsonSchema): Promise<unknown> {
  const inner = current()
  if (!inner) throw outside('llm')
  const given = options ?? {}
  const model = modelOf(given) ?? asked.get(inner)
  const settings = settingsOf(given)
  const how: LlmOptions = {
    ...(given.tools ? { tools: given.tools } : {}),
    ...(schema === undefined ? {} : { output: schema as never }),
    ...(model === undefined ? {} : { model }),
    ...(settings === undefined ? {} : { settings }),
    ...(given.stream == null ? {} : { stream: given.stream }),
    ...(given.label == null ? {} : { label: given.label }),
    format: true,
  }
  return await (inner.llm as (prompt: string, options: LlmOptions) => Promise<unknown>)(text(prompt), how)
}

/** The model that a call names; nothing where it asks the one of the run. */
function modelOf({ model, provider, apiKey }: Options): Model | string | undefined {
  if (model != null && typeof model !== 'string') return model
  if (provider && !model)
    throw new ToolwrightError('A2003', `llm is given the provider ${provider}, and no model`, {
      fix: `write model: "…" beside it`,
    })
  const name = provider && model && !model.includes('/') ? `${provider}/${model}` : (model ?? undefined)
  return apiKey ? endpoint(name, { key: apiKey }) : name
}

function settingsOf(options: Options): Settings | undefined {
  const { temperature, maxTokens, reasoningEffort, timeout, retries } = options
  const settings: Settings = {
    ...(temperature == null ? {} : { temperature }),
    ...(maxTokens == null ? {} : { maxTokens }),
    ...(timeout == null ? {} : { timeout }),
    ...(retries == null ? {} : { tries: retries + 1 }),
    ...(reasoningEffort == null ? {} : { reasoning: reasoningEffort as NonNullable<Settings['reasoning']> }),
  }
  return Object.keys(settings).length === 0 ? undefined : settings
}

export function outside(what: string): ToolwrightError {
  return new ToolwrightError('A2005', `${what} was called outside of a node`, {
    fix: 'call it from a node, or from what a node calls',
  })
}
