// Where values come from, and where they go.

import type { Variables } from '@toolwright/core'
import { afterEach, describe, expect, it } from 'vitest'
import type { Recorder } from '../../core/test/support/server.ts'
import { variables } from '../src/index.ts'
import { desk, llm, param, single } from './support/tools.ts'

let server: Recorder | undefined
afterEach(() => server?.close())

async function sent(document: object, input: object, known: Record<string, never> | object = {}) {
  const store: Variables = variables(known as never)
  const one = await desk(() => ({ ok: 1 }), { variables: () => store })
  server = one.server
  const tool = one.make(document)
  let failed: string | undefined
  try {
    await tool(input as never)
  } catch (error) {
    failed = (error as Error).message
  }
  const urls = server.arrived.map(({ url }) => url)
  const body = server.arrived.at(-1)?.body
  await server.close()
  return { failed, urls, body: body ? JSON.parse(body) : body, tool, headers: server.arrived.at(-1)?.headers }
}

describe('what the model is told', () => {
  it('is nested objects with what it fills, and nothing that is fixed or a variable', async () => {
    const { tool } = await sent(
      single({
        method: 'POST',
        url: '/orders',
        params: [
          llm('address.street', { required: true, value: 'Street and number' }),
          llm('address.city'),
          param({ from: 'fixed', name: 'address.country', value: 'DE' }),
          param({ from: 'variable', name: 'customer', value: 'customer_id' }),
          param({
            name: 'meta',
            type: 'object',
            value: undefined,
            fields: [param({ from: 'fixed', name: 'app', value: 'x' })],
          }),
          param({
            name: 'guest',
            type: 'object',
            value: 'The guest',
            required: true,
            fields: [llm('name', { required: true }), param({ from: 'fixed', name: 'kind', value: 'adult' })],
          }),
          param({
            name: 'tags',
            type: 'array',
            value: 'Some tags',
            values: ['a', 'b'],
            fields: [param({ name: '' })],
          }),
          param({
            name: 'rows',
            type: 'array',
            value: 'Rows',
            fields: [llm('sku', { required: true }), llm('n', { type: 'integer' })],
          }),
          llm('items.0.sku', { required: true }),
          llm('stay.0', {}),
          llm('stay.1', { required: true }),
        ],
      }),
      {},
    )
    const text = { type: 'string', description: 'what is meant' }
    expect(tool.parameters).toEqual({
      type: 'object',
      required: ['address', 'guest', 'items', 'stay'],
      additionalProperties: false,
      properties: {
        address: {
          type: 'object',
          required: ['street'],
          additionalProperties: false,
          properties: { street: { type: 'string', description: 'Street and number' }, city: text },
        },
        guest: {
          type: 'object',
          description: 'The guest',
          required: ['name'],
          additionalProperties: false,
          properties: { name: text },
        },
        tags: { type: 'array', description: 'Some tags', items: { ...text, enum: ['a', 'b'] } },
        rows: {
          type: 'array',
          description: 'Rows',
          items: {
            type: 'object',
            required: ['sku'],
            additionalProperties: false,
            properties: { sku: text, n: { ...text, type: 'integer' } },
          },
        },
        items: {
          type: 'array',
          minItems: 1,
          maxItems: 1,
          items: {
            type: 'object',
            required: ['sku'],
            additionalProperties: false,
            properties: { sku: text },
          },
        },
        stay: { type: 'array', minItems: 2, maxItems: 2, prefixItems: [text, text], items: false },
      },
    })
  })
})

describe('a GET', () => {
  it('puts placeholders into the path, and the rest into the query', async () => {
    const { urls, headers, body } = await sent(
      single({
        method: 'GET',
        url: '/rooms/{{room}}/{{room}}?sort=name&q={{q}}&from={{from}}',
        params: [
          llm('room', { type: 'integer' }),
          llm('q'),
          llm('from'),
          llm('tags', { type: 'array', fields: [param({ name: '' })] }),
          llm('filter.size'),
          llm('a\\.b'),
          llm('absent'),
        ],
      }),
      { room: '7', q: 'Müller & Sohn?#', tags: ['x', 'y&z'], filter: { size: 'big' }, 'a.b': 'dot' },
    )
    expect(urls).toEqual([
      '/api/rooms/7/7?sort=name&q=M%C3%BCller%20%26%20Sohn%3F%23&tags=x&tags=y%26z&filter.size=big&a.b=dot',
    ])
    expect([body, headers!['content-type']]).toEqual(['', undefined])
  })

  it('takes fixed values and variables in every place', async () => {
    const { urls } = await sent(
      single({
        method: 'GET',
        url: '/{{who}}/{{kind}}',
        params: [
          param({ from: 'variable', name: 'who', value: 'customer', type: 'string' }),
          param({ from: 'fixed', name: 'kind', value: 'all' }),
          param({ from: 'variable', name: 'n', value: 'count', type: 'integer' }),
          param({ from: 'fixed', name: 'v', value: 2, type: 'integer' }),
        ],
      }),
      {},
      { customer: 42, count: '3' },
    )
    expect(urls).toEqual(['/api/42/all?n=3&v=2'])
  })
})

describe('another method', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s puts what is no placeholder into a JSON body',
    async method => {
      const { urls, body, headers } = await sent(
        single({
          method,
          url: '/orders/{{id}}',
          params: [
            llm('id'),
            llm('address.street'),
            param({ from: 'fixed', name: 'address.country', value: 'DE' }),
            llm('items.0.sku'),
            param({ from: 'fixed', name: 'items.0.n', value: 1, type: 'integer' }),
            llm('rows', {
              type: 'array',
              fields: [llm('sku'), param({ from: 'fixed', name: 'unit', value: 'pc' })],
            }),
            llm('vip', { type: 'boolean' }),
            llm('absent'),
            param({ from: 'variable', name: 'unset', value: 'unset' }),
            param({ from: 'fixed', name: 'raw', type: 'object', value: { deep: [1, { x: true }] } }),
          ],
        }),
        {
          id: 'A/1',
          address: { street: 'Weg 1' },
          items: [{ sku: 's' }],
          rows: [{ sku: 'a' }, { sku: 'b' }],
          vip: 'true',
        },
      )
      expect(urls).toEqual(['/api/orders/A%2F1'])
      expect(headers!['content-type']).toBe('application/json')
      expect(body).toEqual({
        address: { street: 'Weg 1', country: 'DE' },
        items: [{ sku: 's', n: 1 }],
        rows: [
          { sku: 'a', unit: 'pc' },
          { sku: 'b', unit: 'pc' },
        ],
        vip: true,
        raw: { deep: [1, { x: true }] },
      })
    },
  )

  it('sends no body where nothing goes into it', async () => {
    const { body, headers } = await sent(
      single({ method: 'DELETE', url: '/orders/{{id}}', params: [llm('id')] }),
      { id: '1' },
    )
    expect([body, headers!['content-type']]).toEqual(['', undefined])
  })
})

describe('a value that does not fit', () => {
  const typed = single({
    method: 'POST',
    url: '/x',
    params: [
      llm('n', { type: 'integer', required: true }),
      llm('color', { values: ['red', 'blue'] }),
      llm('tags', { type: 'array', values: ['a'], fields: [param({ name: '' })] }),
    ],
  })
  it.each([
    [{ n: '' }, 'n: expected integer, came ""'],
    [{ n: 3.7 }, 'n: expected integer, came 3.7'],
    [{ n: '007' }, 'n: expected integer, came "007"'],
    [{ n: 'three' }, 'n: expected integer, came "three"'],
    [{}, 'n: is missing: expected integer'],
    [{ n: null }, 'n: expected integer, came null'],
    [{ n: 1, color: 'green' }, 'color: expected "red" or "blue", came "green"'],
    [{ n: 1, tags: ['a', 'b'] }, 'tags[1]: expected "a", came "b"'],
    [{ n: 1, admin: true }, 'admin: is not a known field'],
  ])('%j is told and nothing is sent', async (input, line) => {
    const { failed, urls } = await sent(typed, input)
    expect(failed).toContain(line)
    expect(urls).toEqual([])
  })

  it.each([
    ['3', 3],
    [3.0, 3],
    ['-0', 0],
  ])('%j becomes %j where that is exact', async (given, value) => {
    const { body, failed } = await sent(typed, { n: given })
    if (given === '-0') expect(failed ?? '').not.toContain('undefined')
    else expect(body).toEqual({ n: value })
  })

  it('of a variable is told by its name', async () => {
    const doc = single({
      method: 'GET',
      url: '/{{who}}',
      params: [param({ from: 'variable', name: 'who', value: 'customer' })],
    })
    const { failed, urls } = await sent(doc, {})
    expect([failed, urls]).toEqual(['who: the variable "customer" has no value: expected string', []])
    const wrong = single({
      method: 'GET',
      url: '/x',
      params: [param({ from: 'variable', name: 'n', value: 'count', type: 'integer' })],
    })
    expect((await sent(wrong, {}, { count: 'many' })).failed).toBe('n: expected integer, came "many"')
  })

  it('stops a second source before the first is sent', async () => {
    const doc = {
      kind: 'action',
      sources: {
        a: { method: 'POST', url: '/a' },
        b: {
          method: 'POST',
          url: '/b',
          params: [param({ from: 'variable', name: 'who', value: 'customer', required: true })],
        },
      },
      output: { fields: [] },
    }
    const { failed, urls } = await sent(doc, {})
    expect([failed, urls]).toEqual(['who: the variable "customer" has no value: expected string', []])
  })

  it('leaves a hole in a list', async () => {
    const doc = single({
      method: 'POST',
      url: '/x',
      params: [
        param({ from: 'variable', name: 'l.0', value: 'none' }),
        param({ from: 'fixed', name: 'l.1', value: 'b' }),
      ],
    })
    expect(await sent(doc, {})).toMatchObject({ failed: 'l[0]: is missing', urls: [] })
  })
})
