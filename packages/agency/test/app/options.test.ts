// The options of `llm` take effect, as a server sees them; and a type is asked for as the model takes it.
import { beforeAll, describe, expect, it } from 'vitest'
import { ran } from './child.ts'
import type { OptionResult } from './options.ts'

let results: Record<string, OptionResult>
beforeAll(async () => {
  results = await ran('options.ts')
}, 60_000)

const of = (name: string): OptionResult => results[name]!
const bodyOf = (name: string) => of(name).asked[0]!.body

describe('an option of llm', () => {
  it('is sent where it says how the model is asked, and nothing is sent that was not stated', () => {
    expect(of('plain')).toMatchObject({ value: 'ok', labels: ['main'] })
    expect(Object.keys(bodyOf('plain')).sort()).toEqual(['messages', 'model', 'stream', 'stream_options'])
    expect(bodyOf('settings')).toMatchObject({ temperature: 0.25, max_tokens: 77, reasoning_effort: 'low' })
    expect(bodyOf('record')).toMatchObject({ temperature: 0.25 })
  })

  it('names another model, with its provider and its key, which nothing else tells', () => {
    expect(bodyOf('model').model).toBe('home/tiny')
    expect(bodyOf('qualified').model).toBe('else/tiny')
    expect(of('key').asked[0]).toMatchObject({
      authorization: 'Bearer sk-secret-of-mine',
      body: { model: 'tiny' },
    })
    expect(of('keyAlone').asked[0]).toMatchObject({
      authorization: 'Bearer sk-secret-of-mine',
      body: { model: 'of-the-environment' },
    })
    expect(of('keyRefused').error).toContain('T3005')
    for (const { told } of Object.values(results)) expect(told).not.toContain('sk-secret')
  })

  it('that cannot be is told before anything is asked', () => {
    expect(of('providerAlone')).toMatchObject({ error: expect.stringMatching(/^A2003.*no model/), asked: [] })
    expect(of('effort')).toMatchObject({
      error: expect.stringContaining("'low', 'medium', 'high'"),
      asked: [],
    })
  })

  it('says how often it is tried again, and how long it may take', () => {
    expect(of('noRetry').error).toContain('T3006')
    expect(of('noRetry').asked).toHaveLength(1)
    expect(of('oneRetry').value).toBe('ok')
    expect(of('oneRetry').asked).toHaveLength(2)
    expect(of('timeout').error).toContain("T3016: model 'run' did not answer in 20000 ms")
    expect(of('timeoutCaught').value).toBe('too late')
  })

  it('shows the text whole, and gives the call a name in the log', () => {
    expect(of('streamed').texts).toEqual(['Hello', ' you'])
    expect(of('whole').texts).toEqual(['Hello you'])
    expect(of('record').labels).toEqual(['greeting'])
  })
})

describe('a type that is asked for', () => {
  it('is asked by the function `answer`, where the model has no response format', () => {
    expect(bodyOf('byAnswer')).not.toHaveProperty('response_format')
    expect(bodyOf('byAnswer').tools[0].function.name).toBe('answer')
    expect(of('byAnswer').value).toEqual({ name: 'Rome' })
  })

  it('is asked by the response format where it has one, wrapped, and without a function', () => {
    const { response_format, tools } = bodyOf('byFormat')
    expect(tools).toBeUndefined()
    expect(response_format.type).toBe('json_schema')
    expect(response_format.json_schema.schema).toMatchObject({
      type: 'object',
      properties: { response: { type: 'object', properties: { name: { type: 'string' } } } },
      required: ['response'],
    })
    expect(of('byFormat').value).toEqual({ name: 'Rome', size: 4 })
    // On the thread stands what the model wrote, to the letter.
    expect(of('byFormat').said).toEqual(['{"response": {"name":"Rome","size":4}}'])
  })

  it('is read wrapped or bare, and asked for once more where it does not read', () => {
    expect(of('bareByFormat').value).toEqual({ name: 'Rome', size: null })
    expect(of('open').value).toBe('x')
    expect(of('nudged').value).toEqual({ name: 'Rome' })
    expect(of('nudged').asked[1]!.body.messages.at(-1).content).toMatch(/^Give the answer as the JSON text/)
  })

  it('may be recursive', () => {
    const { schema } = bodyOf('recursive').response_format.json_schema
    expect(schema.$defs.T).toBeDefined()
    expect(schema.properties.response.items).toEqual({ $ref: '#/$defs/T' })
    expect(of('recursive').value).toEqual([1, 2])
  })
})
