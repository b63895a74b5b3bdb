// The settings of an agent, read: what is wrong with them is told where the agent is defined, all of it at once.
import type { Fault } from '../errors.ts'
import { type Duration, duration } from './limits.ts'
import { nearest, unknownOptions } from './names.ts'
import type { Settings } from './records.ts'

const OPTIONS = [
  'temperature',
  'reasoning',
  'maxTokens',
  'toolChoice',
  'forced',
  'headers',
  'body',
  'tries',
  'timeout',
  'cache',
]
const MENDS = {
  max_tokens: 'write maxTokens',
  maxOutputTokens: 'write maxTokens',
  max_completion_tokens: 'write maxTokens',
  tool_choice: 'write toolChoice',
  reasoningEffort: 'write reasoning',
  reasoning_effort: 'write reasoning',
  providerOptions: 'write body',
  topP: 'write body: { top_p: … }',
  top_p: 'write body: { top_p: … }',
  stop: 'write body: { stop: […] }',
  seed: 'write body: { seed: … }',
}
const EFFORTS = ['none', 'low', 'medium', 'high']
const CHOICES = ['auto', 'required', 'none']
/** What a body holds of its own: settings cannot replace it. */
const OWN = ['messages', 'tools', 'stream']
/** RFC 9110, 5.6.2: what a header's name is made of. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * The settings that are stated, as a frozen copy; undefined where none are. Every fault is added to `faults`. Where
 * `tools` names the tools of the agent, a tool choice must name one of them.
 */
export function readSettings(
  stated: unknown,
  faults: Fault[],
  tools?: readonly string[],
): Settings | undefined {
  if (stated === undefined) return undefined
  if (!isRecord(stated)) {
    faults.push({ option: 'settings', problem: 'is no record', fix: 'write settings: { temperature: 0 }' })
    return undefined
  }
  const before = faults.length
  const fault = (option: string, problem: string, fix: string) =>
    faults.push({ option: `settings.${option}`, problem, fix })
  for (const each of unknownOptions(stated, OPTIONS, MENDS))
    faults.push({ ...each, option: `settings.${each.option}` })
  const { temperature, reasoning, maxTokens, toolChoice, forced, headers, body, tries, timeout, cache } =
    stated
  if (temperature !== undefined && !(isNumber(temperature) && temperature >= 0))
    fault('temperature', `is ${shown(temperature)}`, 'write a number, 0 or above')
  if (reasoning !== undefined && !EFFORTS.includes(reasoning as string))
    fault('reasoning', `is ${shown(reasoning)}`, `write one of ${EFFORTS.map(quoted).join(', ')}`)
  if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && (maxTokens as number) > 0))
    fault('maxTokens', `is ${shown(maxTokens)}`, 'write a whole number above 0')
  if (toolChoice !== undefined) readChoice(toolChoice, tools, fault)
  if (forced !== undefined && forced !== 'first' && forced !== 'always')
    fault('forced', `is ${shown(forced)}`, "write 'first' or 'always'")
  if (headers !== undefined) readHeaders(headers, fault)
  if (body !== undefined) readBody(body, fault)
  if (tries !== undefined && !(Number.isSafeInteger(tries) && (tries as number) > 0))
    fault('tries', `is ${shown(tries)}`, 'write a whole number above 0')
  const ms = timeout === undefined ? undefined : duration(timeout as Duration)
  if (timeout !== undefined && !ms) fault('timeout', `is ${shown(timeout)}`, "write ms, or '30 seconds'")
  if (cache !== undefined && typeof cache !== 'boolean')
    fault('cache', `is ${shown(cache)}`, 'write true or false')
  if (faults.length > before) return undefined
  return frozen({ ...(structuredClone(stated) as Settings), ...(ms === undefined ? {} : { timeout: ms }) })
}

type AddFault = (option: string, problem: string, fix: string) => void

function readChoice(choice: unknown, tools: readonly string[] | undefined, fault: AddFault): void {
  if (CHOICES.includes(choice as string)) return
  const name = isRecord(choice) ? choice['tool'] : undefined
  if (!isRecord(choice) || typeof name !== 'string' || name === '' || Object.keys(choice).length !== 1) {
    const fix = `write one of ${CHOICES.map(quoted).join(', ')}, or { tool: 'its name' }`
    fault('toolChoice', `is ${shown(choice)}`, fix)
  } else if (tools && !tools.includes(name)) {
    const near = nearest(name, tools, 1)[0]
    const fix = near ? `did you mean ${near}?` : 'name a tool of this agent'
    fault('toolChoice.tool', `is ${shown(name)}, and there is no such tool`, fix)
  }
}

function readHeaders(headers: unknown, fault: AddFault): void {
  if (!isRecord(headers)) {
    fault('headers', `is ${shown(headers)}`, "write headers: { 'x-title': 'My app' }")
    return
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) fault('headers', `holds the name ${shown(name)}`, 'a header has no such name')
    // The value may be a secret: a fault does not repeat it.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
    if (typeof value !== 'string' || /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      fault(`headers.${name}`, 'is no text that a header can hold', 'write a text of one line')
  }
}

function readBody(body: unknown, fault: AddFault): void {
  if (!isRecord(body)) {
    fault('body', `is ${shown(body)}`, 'write body: { top_p: 0.9 }')
    return
  }
  for (const name of OWN)
    if (Object.hasOwn(body, name)) fault(`body.${name}`, 'cannot be replaced', 'leave it out')
  const foreign = notJson(body, 'body', new Set())
  if (foreign)
    fault(foreign, 'is nothing that JSON holds', 'write texts, numbers, true, false, null, lists, records')
}

/** The path of the first value that JSON cannot hold as it is; undefined where there is none. */
function notJson(value: unknown, path: string, above: Set<unknown>): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (above.has(value) || !(Array.isArray(value) || isRecord(value))) return path
  above.add(value)
  for (const [key, inner] of Object.entries(value)) {
    const found = notJson(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, above)
    if (found) return found
  }
  above.delete(value)
  return undefined
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const kind: unknown = Object.getPrototypeOf(value)
  return kind === Object.prototype || kind === null
}

function quoted(text: string): string {
  return `'${text}'`
}

function shown(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
