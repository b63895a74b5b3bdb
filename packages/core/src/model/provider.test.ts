import { expect, test } from 'vitest'
import type { FunctionObject, JsonSchema } from '../define/records.ts'
import type { Api } from './api.ts'
import { bodyOf } from './body.ts'

const tool = (name: string, parameters: JsonSchema): FunctionObject => ({
  type: 'function',
  function: { name, description: 'does', parameters },
})
const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const tools = [tool('good', closed), tool('list', { type: 'array', items: {} }), tool('also', closed)]

function told(
  url: string,
  model: string,
  more: Partial<Api> = {},
): { names: string[]; strict: unknown; warnings: string[] } {
  const warnings: string[] = []
  const api: Api = { url, warn: text => warnings.push(text), ...more }
  const body = JSON.parse(bodyOf(api, 'by', model, { instructions: '', messages: [], tools, answer: false }))
  const functions = (body.tools as { function: { name: string; strict?: boolean } }[]).map(t => t.function)
  return { names: functions.map(f => f.name), strict: functions[0]!.strict, warnings }
}

test('a tool that a provider does not take is left out with a warning, and the others are told', () => {
  const { names, warnings } = told('https://api.openai.com/v1', 'gpt-1')
  expect(names).toEqual(['good', 'also'])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/^the tool list is not told to gpt-1: /)
  // Once is enough.
  expect(told('https://api.openai.com/v1', 'gpt-1').warnings).toEqual([])
})

test('strict where the provider knows it and no shape is lost', () => {
  expect(told('https://api.openai.com/v1', 'gpt-2').strict).toBe(true)
  expect(told('https://openrouter.ai/api/v1', 'openai/gpt-2').strict).toBe(true)
  expect(told('https://openrouter.ai/api/v1', 'meta/llama').strict).toBeUndefined()
  expect(told('http://127.0.0.1:1/v1', 'local').strict).toBeUndefined()
  expect(told('http://127.0.0.1:1/v1', 'local', { dialect: 'openai' }).strict).toBe(true)
})
