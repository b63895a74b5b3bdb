// Settings of a request as fields of its body. Servers agree about most of their names, and not about all.
import type { Json, Request, Settings } from '../define/records.ts'
import { field, setField } from '../value/json.ts'
import type { Api } from './api.ts'
import { type Fields, fields } from './json.ts'
import { wireName } from './names.ts'

/** The API with the settings' headers, so that they are sent, and kept out of errors, like its own. */
export function withHeaders(api: Api, settings: Settings | undefined): Api {
  if (!settings?.headers) return api
  const headers: Record<string, string> = {}
  for (const each of [api.headers, settings.headers])
    for (const [name, value] of Object.entries(each ?? {})) headers[name.toLowerCase()] = value
  return { ...api, headers }
}

/** The fields that the request's settings set, but for `body`, which comes over everything else. */
export function settingsFields(api: Api, request: Request): Record<string, Json> {
  const { temperature, reasoning, maxTokens, toolChoice } = request.settings ?? {}
  const set: Record<string, Json> = {}
  if (temperature !== undefined) set['temperature'] = temperature
  if (reasoning !== undefined) {
    if (effortKey(api) === 'reasoning') set['reasoning'] = { effort: reasoning }
    else set['reasoning_effort'] = reasoning
  }
  if (maxTokens !== undefined) set[maxTokensKey(api)] = maxTokens
  const choice = toolChoice === undefined ? undefined : choiceOf(toolChoice, request)
  if (choice !== undefined) set['tool_choice'] = choice
  return set
}

/** Adds `over` to `body`: records within records too, anything else replaces what was there. */
export function overlay(body: Record<string, unknown>, over: Fields): void {
  for (const key of Object.keys(over)) {
    const there = fields(field(body, key))
    const value = fields(over[key])
    if (!there || !value) setField(body, key, over[key])
    else {
      const joined: Record<string, unknown> = { ...there }
      overlay(joined, value)
      setField(body, key, joined)
    }
  }
}

/** A choice means nothing without tools, and several servers refuse one, or the name of a tool that is not on offer. */
function choiceOf(choice: NonNullable<Settings['toolChoice']>, { tools }: Request): Json | undefined {
  if (tools.length === 0) return undefined
  if (typeof choice === 'string') return choice
  if (!tools.some(tool => tool.function.name === choice.tool)) return undefined
  return { type: 'function', function: { name: wireName(choice.tool) } }
}

function effortKey(api: Api): 'reasoning' | 'reasoning_effort' {
  return api.effort ?? (hostIs(api, 'openrouter.ai') ? 'reasoning' : 'reasoning_effort')
}

/** OpenAI's own models refuse the older name, and many other servers do not know the newer one. */
function maxTokensKey(api: Api): 'max_tokens' | 'max_completion_tokens' {
  const newer = isOpenAi(api)
  return api.maxTokens ?? (newer ? 'max_completion_tokens' : 'max_tokens')
}

/** Whether the API is at `host` or a host below it. */
export function hostIs(api: Api, host: string): boolean {
  const url = String(api.url).trim()
  const name = URL.canParse(url) ? new URL(url).hostname : ''
  return name === host || name.endsWith(`.${host}`)
}

/** OpenAI itself, there or at Azure. */
export function isOpenAi(api: Api): boolean {
  return hostIs(api, 'api.openai.com') || hostIs(api, 'openai.azure.com')
}
