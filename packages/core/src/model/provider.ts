// Which provider's dialect of JSON Schema an endpoint speaks, and what is warned of where a tool cannot be told in it.
import type { FunctionObject } from '../define/records.ts'
import type { Provider } from '../value/dialect.ts'
import { type ToldFunction, toolsFor } from '../value/offer.ts'
import type { Api } from './api.ts'
import { hostIs } from './settings.ts'

/** The tools as the endpoint takes them. One that it cannot be told is left out, with a warning that names it. */
export function offeredTools(
  api: Api,
  model: string,
  tools: readonly FunctionObject[],
): readonly ToldFunction[] {
  const provider = api.dialect ?? providerOf(api, model)
  const { functions, left } = toolsFor(tools, provider)
  for (const { name, why } of left) warnOnce(api, `the tool ${name} is not told to ${model}: ${why}`)
  return functions
}

/** By the host; at OpenRouter, which hands on to all of them, by the maker in the model's name. */
function providerOf(api: Api, model: string): Provider {
  if (hostIs(api, 'openai.com')) return 'openai'
  if (hostIs(api, 'anthropic.com')) return 'anthropic'
  if (hostIs(api, 'googleapis.com')) return 'gemini'
  if (!hostIs(api, 'openrouter.ai')) return 'plain'
  const [maker] = model.split('/')
  return maker === 'openai' || maker === 'anthropic' ? maker : maker === 'google' ? 'gemini' : 'plain'
}

const warned = new Set<string>()

function warnOnce(api: Api, text: string): void {
  if (warned.has(text)) return
  warned.add(text)
  if (api.warn) api.warn(text)
  else console.warn(`toolwright: ${text}`)
}
