import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { type Recorder, reply } from '../../../core/test/support/server.ts'
import { desk, llm, param, single } from '../../test/support/tools.ts'
import { secret, variables } from '../index.ts'
import { checkRecipe, checkText, importOpenApi, testRecipe } from '../people.ts'

let server: Recorder | undefined
afterEach(() => server?.close())

describe('check', () => {
  it('gives every fault of a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recipe-'))
    writeFileSync(
      join(folder, 'a.recipe.json'),
      '\ufeff{"kind":"fetch","sources":{"b":{"method":"GET"}},"output":{}}',
    )
    expect(
      (await checkRecipe(join(folder, 'a.recipe.json'))).map(({ pointer, code }) => [pointer, code]),
    ).toEqual([
      ['/sources/b', 'T4005'],
      ['/sources/b', 'T4003'],
      ['/output', 'T4003'],
    ])
    rmSync(folder, { recursive: true })
    const example = fileURLToPath(
      new URL('../../../../examples/recipes/find_rooms.recipe.json', import.meta.url),
    )
    expect(await checkRecipe(example)).toEqual([])
    await expect(checkRecipe('/nowhere.recipe.json')).rejects.toThrow('ENOENT')
  })

  it('tells a text that is no JSON', () => {
    expect(checkText('{"kind": }')).toMatchObject([{ pointer: '', code: 'T4001' }])
  })
})

describe('test', () => {
  const document = {
    kind: 'action',
    sources: {
      a: { method: 'GET', url: '/guests/{{name}}', params: [llm('name', { required: true })] },
      b: {
        method: 'POST',
        url: '/bookings/{{a.id}}',
        params: [
          llm('address.street'),
          llm('n', { type: 'integer' }),
          param({ from: 'variable', name: 'by', value: 'who' }),
        ],
      },
    },
    output: { fields: ['number'], remember: ['number', 'hidden'] },
  }
  const set = { name: 'Ada', 'address.street': 'Weg 1', n: '3', who: 'phone' }

  async function made() {
    process.env['RECIPE_PEOPLE'] = 'very-secret'
    const one = await desk(
      ({ method, headers }) =>
        method === 'GET'
          ? { id: 7, echo: headers['authorization'] }
          : { number: 5, hidden: [{ x: true }], l: ['a'] },
      { auth: { bearer: secret('RECIPE_PEOPLE') } },
    )
    server = one.server
    return one
  }

  it('shows each request as it would be sent, without sending', async () => {
    const { booking } = await made()
    const report = await testRecipe(document, { connection: booking, set })
    expect(server!.arrived).toEqual([])
    expect(report).toEqual({
      requests: [
        {
          source: 'a',
          method: 'GET',
          url: `${server!.url}/api/guests/Ada`,
          headers: { authorization: 'Bearer [secret]' },
        },
        {
          source: 'b',
          method: 'POST',
          url: `${server!.url}/api/bookings/%E2%80%A6`,
          headers: { authorization: 'Bearer [secret]', 'content-type': 'application/json' },
          body: '{"address":{"street":"Weg 1"},"n":3,"by":"phone"}',
        },
      ],
      remembered: {},
    })
    expect((await testRecipe(document, { connection: booking, set: { n: 'x' } })).failed).toContain(
      'name: is missing',
    )
  })

  it('sends an action only where it is said twice, and then shows all of it', async () => {
    const { booking } = await made()
    expect((await testRecipe(document, { connection: booking, set, send: true })).withheld).toContain('--yes')
    expect(server!.arrived).toEqual([])
    const report = await testRecipe(document, { connection: booking, set, send: true, yes: true })
    expect(report.requests.map(({ source, url }) => [source, url])).toEqual([
      ['a', `${server!.url}/api/guests/Ada`],
      ['b', `${server!.url}/api/bookings/7`],
    ])
    expect(report.seen).toEqual({ number: 5 })
    expect(report.remembered).toEqual({ number: 5, hidden: [{ x: true }] })
    expect(report.requests[1]!.answer!.fields).toEqual([
      { path: 'number', type: 'number' },
      { path: 'hidden.x', type: 'boolean' },
      { path: 'l', type: 'list of 1' },
    ])
    expect(JSON.stringify(report)).not.toContain('very-secret')
    expect(JSON.stringify(report)).toContain('Bearer [secret]')
  })

  it('tells what the model would be told of a failure', async () => {
    const one = await desk((_, response) => reply(response, 404, '{"message":"no"}'), {
      variables: () => variables(),
    })
    server = one.server
    const report = await testRecipe(single({ method: 'GET', url: '/x' }), {
      connection: one.booking,
      send: true,
    })
    expect(report.failed).toContain('the server answered 404')
    expect(report.requests).toMatchObject([{ source: 'a', answer: { status: 404, body: { message: 'no' } } }])
  })
})

describe('import', () => {
  it('makes a recipe of an operation, and names what it left out', () => {
    const document = {
      openapi: '3.1.0',
      paths: {
        '/pets/{id}': {
          parameters: [
            {
              name: 'id',
              in: 'path',
              required: true,
              schema: { type: 'integer' },
              description: 'Number of the pet',
            },
          ],
          get: {
            operationId: 'getPet',
            summary: 'Gets a pet',
            parameters: [
              { name: 'lang', in: 'query', schema: { type: ['string', 'null'], enum: ['de', 'en'] } },
              { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
            ],
            responses: {
              200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
            },
          },
          put: {
            operationId: 'putPet',
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: { allOf: [{ $ref: '#/components/schemas/Pet' }, { required: ['name'] }] },
                },
              },
            },
            responses: { 204: {} },
          },
          head: { responses: {} },
        },
        '/upload': { post: { requestBody: { content: { 'multipart/form-data': {} } } } },
      },
      components: {
        schemas: {
          Pet: {
            type: 'object',
            properties: {
              id: { type: 'integer', readOnly: true },
              name: { type: 'string' },
              tags: { type: 'array', items: { type: 'string' } },
              owner: { type: 'object', properties: { name: { type: 'string' } } },
              any: {},
            },
          },
        },
      },
    }
    const { drafts, skipped } = importOpenApi(document)
    expect(skipped).toEqual([
      { operation: 'HEAD /pets/{id}', why: 'recipes have no method HEAD' },
      { operation: 'POST /upload', why: 'its body is not JSON' },
    ])
    expect(drafts).toMatchObject([
      {
        name: 'getPet',
        operation: 'GET /pets/{id}',
        document: {
          about: 'Gets a pet',
          kind: 'fetch',
          sources: {
            a: {
              method: 'GET',
              url: '/pets/{{id}}',
              params: [
                { from: 'llm', name: 'id', value: 'Number of the pet', type: 'integer', required: true },
                { name: 'lang', values: ['de', 'en'] },
              ],
            },
          },
          output: { fields: ['id', 'name', 'tags', 'owner.name', 'any'] },
        },
        notes: ['left out: X-Trace: is a header, which the connection states'],
      },
      {
        document: {
          kind: 'action',
          sources: {
            a: {
              params: [
                { name: 'id' },
                { name: 'name', required: true },
                { name: 'tags', type: 'array', fields: [{ name: '' }] },
                { name: 'owner', fields: [{ name: 'name' }] },
              ],
            },
          },
          output: { fields: [] },
        },
        notes: ['left out: any: its schema has no single type'],
      },
    ])
    expect(importOpenApi(document, { only: ['putPet'] }).drafts.map(({ name }) => name)).toEqual(['putPet'])
    expect(() => importOpenApi({ openapi: '4.0' })).toThrow('T4016')
  })

  it('makes recipes that pass the check of every operation of real documents, or names what it cannot express', () => {
    const at = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'))
    const files = globSync('{2.0,3.0,3.1}/json/*.json', { cwd: at })
    expect(files.length).toBeGreaterThan(40)
    let operations = 0
    let drafts = 0
    const whys = new Map<string, number>()
    for (const file of files) {
      const document = JSON.parse(readFileSync(join(at, file), 'utf8'))
      const imported = importOpenApi(document)
      const counted = Object.values(document.paths ?? {})
        .flatMap(item => (item && typeof item === 'object' ? Object.keys(item) : []))
        .filter(key => /^(get|post|put|patch|delete|head|options|trace)$/.test(key)).length
      expect(imported.drafts.length + imported.skipped.length, file).toBeGreaterThanOrEqual(counted)
      for (const draft of imported.drafts)
        expect(checkText(JSON.stringify(draft.document)), `${file} ${draft.operation}`).toEqual([])
      for (const { why } of imported.skipped) whys.set(why, (whys.get(why) ?? 0) + 1)
      operations += counted
      drafts += imported.drafts.length
    }
    if (process.env['SHOW_IMPORT'])
      console.log(files.length, operations, drafts, [...whys].sort((a, b) => b[1] - a[1]).slice(0, 40))
    expect(drafts / operations).toBeGreaterThan(0.6)
  })
})
