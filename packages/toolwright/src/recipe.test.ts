import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Recorder, recorder, reply } from '../../core/test/support/server.ts'
import { fakeTerminal } from '../test/terminal.ts'
import { checkCommand, importCommand, testCommand } from './recipe.ts'

let folder: string
let server: Recorder | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-recipe-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(async () => {
  vi.unstubAllEnvs()
  await server?.close()
  server = undefined
})

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const llm = (name: string, stated: object = {}) => ({
  from: 'llm',
  name,
  value: 'what is meant',
  type: 'string',
  ...stated,
})
const slots = () =>
  write('slots.recipe.json', {
    kind: 'fetch',
    sources: { a: { method: 'GET', url: '/slots', params: [llm('date', { required: true })] } },
    output: { fields: ['slots.at'], limit: 1, remember: ['slots.id'] },
  })
const book = () =>
  write('book.recipe.json', {
    kind: 'action',
    sources: {
      a: { method: 'GET', url: '/rooms' },
      b: {
        method: 'POST',
        url: '/rooms/{{item.id}}',
        for_each_of: 'a',
        params: [
          llm('guest.name', { required: true }),
          llm('n', { type: 'integer' }),
          { from: 'variable', name: 'by', value: 'who', type: 'string' },
        ],
      },
    },
    output: { fields: ['ok'] },
  })

async function tried(file: string, stated: Partial<Parameters<typeof testCommand>[1]> = {}) {
  const terminal = fakeTerminal()
  const code = await testCommand(file, { set: {}, ...stated }, terminal)
  return { code, stdout: terminal.stdout, stderr: terminal.stderr }
}

describe('toolwright recipe check', () => {
  it('says which recipes are right, and names every fault of the others', async () => {
    const bad = write('bad.recipe.json', {
      kind: 'x',
      sources: { b: { method: 'GOT', url: '//evil' } },
      more: 1,
    })
    const terminal = fakeTerminal()
    expect(await checkCommand([slots(), bad, write('broken.json', '{')], false, terminal)).toBe(1)
    expect(terminal.stdout).toMatch(/✓ \S+slots\.recipe\.json\n✗ \S+bad\.recipe\.json has 6 faults:\n/)
    for (const place of [
      '/kind',
      '/sources/b',
      '/sources/b/method',
      '/sources/b/url',
      'the document',
      '/more',
    ])
      expect(terminal.stdout).toContain(`\n  ${place}: `)
    expect(terminal.stdout).toContain('is no JSON')
    expect(await checkCommand([slots()], false, fakeTerminal())).toBe(0)
  })

  it('checks every recipe of a folder', async () => {
    const inside = join(folder, 'inside')
    mkdirSync(inside)
    await expect(checkCommand([inside], false, fakeTerminal())).rejects.toMatchObject({ code: 2 })
    for (const name of ['b.recipe.json', 'a.recipe.json', 'other.json'])
      writeFileSync(join(inside, name), readFileSync(slots(), 'utf8'))
    const terminal = fakeTerminal()
    expect(await checkCommand([inside], false, terminal)).toBe(0)
    expect(terminal.stdout.match(/\w+\.recipe\.json/g)).toEqual(['a.recipe.json', 'b.recipe.json'])
  })

  it('gives the faults as JSON for programs', async () => {
    const terminal = fakeTerminal()
    expect(await checkCommand([write('one.json', { kind: 'x' })], true, terminal)).toBe(1)
    const [{ faults }] = JSON.parse(terminal.stdout)
    expect(faults).toContainEqual(expect.objectContaining({ pointer: '/kind', code: 'T4004' }))
  })
})

describe('toolwright recipe test', () => {
  it('shows each request as it would be sent, and sends nothing', async () => {
    server = await recorder(() => ({}))
    const set = { 'guest.name': 'Ada', n: '3', who: 'me' }
    const { code, stdout } = await tried(book(), { set, baseUrl: `${server.url}/v1` })
    expect(code).toBe(0)
    expect(stdout).toBe(
      `a  GET ${server.url}/v1/rooms\n` +
        `b  POST ${server.url}/v1/rooms/%E2%80%A6\n   content-type: application/json\n` +
        '   {"guest":{"name":"Ada"},"n":3,"by":"me"}\n',
    )
    expect(server.arrived).toEqual([])
  })

  it('needs no connection to show, and says what stands in its place', async () => {
    const { code, stdout, stderr } = await tried(slots(), { set: { date: '2026-12-01' } })
    expect([code, stdout]).toEqual([0, 'a  GET https://base-url.invalid/slots?date=2026-12-01\n'])
    expect(stderr).toContain('base-url.invalid')
    await expect(tried(slots(), { send: true })).rejects.toMatchObject({ code: 2 })
  })

  it('sends with --send, and shows the answer, its fields, what the agent would see and what is remembered', async () => {
    vi.stubEnv('MY_TOKEN', 'very-secret-token')
    server = await recorder(({ headers }) => ({
      slots: [
        { id: 7, at: '10:00' },
        { id: 8, at: '11:00' },
      ],
      echo: headers['authorization'],
    }))
    const source = JSON.stringify(new URL('./index.ts', import.meta.url).href)
    const connection = write(
      'connection.ts',
      `import { connection, secret } from ${source}
export default connection('booking', { baseUrl: '${server.url}', allowPrivate: true, auth: { bearer: secret('MY_TOKEN') } })`,
    )
    const { code, stdout, stderr } = await tried(slots(), {
      set: { date: '2026-12-01' },
      send: true,
      connection,
    })
    expect([code, stderr]).toEqual([0, ''])
    for (const part of [
      'authorization: Bearer [secret]',
      '→ 200 application/json',
      'slots.id  number\n       slots.at  string\n       echo  string',
      'The agent would see:\n  {\n    "slots": [\n      {\n        "at": "10:00"\n      }\n    ],\n    "shown": 1,\n    "total": 2\n  }',
      'Remembered would be:\n  slots.id: [\n  7,\n  8\n]',
    ])
      expect(stdout).toContain(part)
    expect(stdout).not.toContain('very-secret-token')
    expect(server.arrived[0]!.headers['authorization']).toBe('Bearer very-secret-token')
  })

  it('sends an action with --yes only, and shows each request of a loop with its own answer', async () => {
    server = await recorder(({ method, url }) => (method === 'GET' ? [{ id: 1 }, { id: 2 }] : { ok: url }))
    const stated = { set: { 'guest.name': 'Ada' }, send: true, baseUrl: server.url }
    const held = await tried(book(), stated)
    expect([held.code, server.arrived]).toEqual([2, []])
    expect(held.stderr).toContain('--yes')
    const { code, stdout } = await tried(book(), { ...stated, yes: true, json: true })
    expect(code).toBe(0)
    const { requests, seen } = JSON.parse(stdout)
    expect(
      requests.map(({ source, answer }: { source: string; answer: { body: unknown } }) => [
        source,
        answer.body,
      ]),
    ).toEqual([
      ['a', [{ id: 1 }, { id: 2 }]],
      ['b[0]', { ok: '/rooms/1' }],
      ['b[1]', { ok: '/rooms/2' }],
    ])
    expect(seen).toEqual({ items: [{ ok: '/rooms/1' }, { ok: '/rooms/2' }] })
  })

  it('tells what the model would be told of a failure', async () => {
    server = await recorder((_, response) => reply(response, 404, '{"message":"\u001b[31mno"}'))
    const missing = await tried(slots(), { baseUrl: server.url })
    expect([missing.code, server.arrived]).toEqual([1, []])
    expect(missing.stderr).toContain('date: is missing')
    const failed = await tried(slots(), { set: { date: 'x' }, baseUrl: server.url, send: true })
    expect([failed.code, failed.stdout.includes('→ 404')]).toEqual([1, true])
    expect(failed.stderr).toContain('the server answered 404')
    // What a server says cannot speak to the terminal.
    expect(failed.stdout + failed.stderr).not.toContain('\u001b')
  })

  it.each([
    ['exports no connection', 'export const a = 1'],
    ['failed to load', 'throw new Error("x")'],
  ])('says where a file %s', async (problem, text) => {
    const connection = write(`wrong-${problem.length}.ts`, text)
    await expect(tried(slots(), { connection })).rejects.toThrow(problem)
  })
})

describe('toolwright recipe import', () => {
  const at = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'))
  const petstore = join(at, '3.0/json/petstore.json')

  it('writes a draft for each operation, names what it cannot express, and leaves what is there', async () => {
    const out = join(folder, 'drafts')
    const terminal = fakeTerminal()
    await importCommand(petstore, undefined, out, terminal)
    const files = readdirSync(out)
    expect(files.length).toBe(16)
    expect(terminal.stdout).toContain('✗ POST /pet/{petId}: its body is not JSON\n')
    expect(terminal.stderr).toContain('16 of 20 operations written; 4 cannot be expressed')
    expect(
      await checkCommand(
        files.map(file => join(out, file)),
        false,
        fakeTerminal(),
      ),
    ).toBe(0)
    const mine = join(out, 'getPetById.recipe.json')
    writeFileSync(mine, 'mine')
    const again = fakeTerminal()
    await importCommand(petstore, ['getPetById'], out, again)
    expect(readFileSync(mine, 'utf8')).toBe('mine')
    expect(again.stdout).toContain('is there already')
  })

  it('refuses operations that are not there, and what is no OpenAPI document', async () => {
    const out = join(folder, 'none')
    await expect(importCommand(petstore, ['nope'], out, fakeTerminal())).rejects.toMatchObject({ code: 2 })
    await expect(
      importCommand(write('a.yaml', 'openapi: 3.0.0'), undefined, out, fakeTerminal()),
    ).rejects.toThrow('no JSON')
    await expect(importCommand(write('a.json', {}), undefined, out, fakeTerminal())).rejects.toThrow('T4016')
  })
})

it('is a command that is typed', () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const typed = (...args: string[]) =>
    spawnSync(
      process.execPath,
      ['--conditions=development', '--disable-warning=ExperimentalWarning', main, 'recipe', ...args],
      {
        encoding: 'utf8',
      },
    )
  const shown = typed('test', slots(), '--set', 'date=a=b')
  expect([shown.status, shown.stdout]).toEqual([0, 'a  GET https://base-url.invalid/slots?date=a%3Db\n'])
  expect(typed('check', write('bad.json', {})).status).toBe(1)
  expect(typed('test', slots(), '--set', 'date').status).toBe(2)
  expect(typed('check', 'none.json').status).toBe(2)
})
