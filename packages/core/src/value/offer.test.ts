import { describe, expect, test } from 'vitest'
import type { FunctionObject, JsonSchema } from '../define/records.ts'
import { toolsFor } from './offer.ts'
import { optional, record, text } from './words.ts'

const offered = (name: string, parameters: JsonSchema, description = 'Does it.'): FunctionObject => ({
  type: 'function',
  function: { name, description, parameters },
})
const note = offered('note', record({ note: text(), tag: optional(text()) }).schema)

describe('the tools of a request', () => {
  test('ten tools, of which the seventh cannot be told: nine are, and it is named', () => {
    const tools = Array.from({ length: 10 }, (_, i) =>
      offered(
        `server.tool${i + 1}`,
        i === 6 ? { anyOf: [{ type: 'string' }, { type: 'array' }] } : note.function.parameters,
      ),
    )
    const offer = toolsFor(tools, 'anthropic')
    expect(offer.functions.map(one => one.function.name)).toEqual(
      tools.filter((_, i) => i !== 6).map(one => one.function.name),
    )
    expect(offer.left).toEqual([
      {
        name: 'server.tool7',
        why: 'T2009: the tool "server.tool7" is not told to the model: its input is no record',
      },
    ])
  })
  test('strict stands where it may, and only there', () => {
    const open = offered('open', { type: 'object', properties: { a: {} } })
    const { functions } = toolsFor([note, open], 'openai')
    expect(functions.map(one => one.function.strict)).toEqual([true, undefined])
    expect(Object.keys(functions[1]!.function)).toEqual(['name', 'description', 'parameters'])
    expect(toolsFor([note], 'plain').functions[0]!.function).not.toHaveProperty('strict')
  })
  test('what is said of the whole input stands with the function, where a model sees it', () => {
    const shapes = {
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    }
    const { functions } = toolsFor([offered('either', shapes)], 'gemini')
    expect(functions[0]!.function.description).toBe('Does it. (give the fields of one of these: a | b)')
  })
  test('the same list gives the same offer, and the same function the same object', () => {
    const list = [note]
    const offer = toolsFor(list, 'openai')
    expect(toolsFor(list, 'openai')).toBe(offer)
    expect(toolsFor([note], 'openai').functions[0]).toBe(offer.functions[0])
    expect(toolsFor(list, 'plain')).not.toBe(offer)
  })
  test('the functions that are given are not written to, and what else they say is kept', () => {
    const more = { ...note, function: { ...note.function, extra: 1 } }
    const before = JSON.stringify(more)
    expect(toolsFor([more], 'openai').functions[0]!.function).toMatchObject({ extra: 1 })
    expect(JSON.stringify(more)).toBe(before)
  })
})
