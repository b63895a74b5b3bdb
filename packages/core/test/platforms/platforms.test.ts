// The core runs unchanged where there is no Node: in workerd (Cloudflare's Workers) and in Bun. The same bundle of the
// same scenario runs on each, over real HTTP, and must tell the same as on Node.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ambient, marks, type Seen, scenario } from './scenario.ts'
import { serve } from './server.ts'

const peers = join(import.meta.dirname, '../../../../peers/node_modules')
const bun = [`bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`]
  .map(name => join(peers, '@oven', name, 'bin/bun'))
  .find(existsSync)
const miniflare = [join(peers, 'miniflare/dist/src/index.js')].find(existsSync)

/** What marks that find their call make of it: the turn ends with what the tool gave. */
const SET = ['the answer', 'set', 'set']

/** The part of miniflare that is used here. */
interface Workers {
  Miniflare: new (options: {
    modules: boolean
    script: string
    compatibilityDate: string
    compatibilityFlags: string[]
    host: string
    port: number
  }) => {
    dispatchFetch(url: string): Promise<{ json(): Promise<unknown> }>
    dispose(): Promise<void>
  }
}

interface Told {
  seen: Seen
  ambient: string
  marks: string[]
}

let folder: string
let server: Awaited<ReturnType<typeof serve>>
let expected: Seen

/** Bundles `code`, which may import the scenario as './scenario.ts', for a platform with nothing of Node's. */
async function bundled(name: string, code: string, before = ''): Promise<string> {
  const entry = join(import.meta.dirname, 'entry.ts')
  const first = join(import.meta.dirname, 'before.ts')
  const codes: Record<string, string> = {
    [entry]: `import './before.ts'\n${code}`,
    [first]: `${before}\nexport {}`,
  }
  const build = await rolldown({
    input: entry,
    platform: 'neutral',
    resolve: { conditionNames: ['development', 'import', 'default'], mainFields: ['module', 'main'] },
    external: ['node:async_hooks'],
    plugins: [
      {
        name: 'codes',
        resolveId: id => (join(import.meta.dirname, id) === first ? first : id === entry ? id : null),
        load: id => codes[id] ?? null,
      },
    ],
    onLog(level, log) {
      // Nothing of the core may lean on a module that only some platforms have.
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const file = join(folder, name)
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  return file
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-platforms-'))
  server = await serve()
  expected = JSON.parse(JSON.stringify(await scenario(server.url))) as Seen
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the scenario itself sees what it should', () => {
  const { history } = expected['a run with tools'] as { history: [role: string, text: string][] }
  expect(history.map(([, text]) => text)).toEqual([
    'Order three.',
    '',
    'id: expected a text that matches "^[A-Z]-\\\\d$", came "not-an-id"',
    '42',
    '',
    '{"ordered":"3 of Grün, 绿, 🟢 as A-7 on 2026-01-02"}',
    expect.stringMatching(/^3 tools; 7 messages/),
  ])
  expect(expected['its pieces']).toContain('ask it asks before each call')
  expect(expected).toMatchObject({
    'a record': { degrees: 14.5, sky: 'clear' },
    'an agent in an agent': '1 tools; 3 messages; last: helped',
    'a tool called by code': 3,
    middleware: 6,
    'a stop': 'stopped',
    'a flow in an app': 42,
  })
})

describe.skipIf(!miniflare)(`under workerd${miniflare ? '' : ' (skipped: peers/ has no miniflare)'}`, () => {
  const worker = `
    import { ambient, marks, scenario } from './scenario.ts'
    export default {
      async fetch(request) {
        const url = new URL(request.url).searchParams.get('server')
        return Response.json({ seen: await scenario(url), ambient: await ambient(), marks: await marks() })
      },
    }`

  const options = { modules: true, compatibilityDate: '2026-07-01', host: '127.0.0.1', port: 0 }

  /** What a worker tells of these requests, which are made at once. */
  async function on(flags: string[], { before = '', requests = 1 } = {}): Promise<Told[]> {
    const { Miniflare } = (await import(pathToFileURL(miniflare!).href)) as Workers
    const script = readFileSync(await bundled('worker.mjs', worker, before), 'utf8')
    const workers = new Miniflare({ ...options, script, compatibilityFlags: flags })
    try {
      const address = `http://worker/?server=${encodeURIComponent(server.url)}`
      const asked = Array.from({ length: requests }, async () =>
        (await workers.dispatchFetch(address)).json(),
      )
      return (await Promise.all(asked)) as Told[]
    } finally {
      await workers.dispose()
    }
  }

  test('it tells the same with nothing of Node’s, in each of several requests; functions that would find their call by themselves say what to do', async () => {
    for (const { seen, ambient, marks } of await on([], { requests: 3 })) {
      expect(marks).toEqual([
        'end',
        expect.stringMatching(/^T7003: `endTurn` cannot find its call/),
        expect.stringMatching(/^T7003: `handBack` cannot find its call/),
      ])
      expect(seen).toEqual(expected)
      expect(ambient).toMatch(
        /^T7003: `llm` cannot find its call on this platform: use ctx\.llm of the tool$/,
      )
    }
  })

  test('with nodejs_compat functions find their call by themselves', async () => {
    for (const { seen, ambient, marks } of await on(['nodejs_compat'], { requests: 2 })) {
      expect(marks).toEqual(SET)
      expect(seen).toEqual(expected)
      expect(ambient).toBe('found')
    }
  })

  test('with AsyncLocalStorage as a global they do too, as on other edge platforms', async () => {
    const before = `import { AsyncLocalStorage } from 'node:async_hooks'; globalThis.AsyncLocalStorage = AsyncLocalStorage`
    const [told] = await on(['nodejs_als'], { before })
    expect(told?.ambient).toBe('found')
    expect(told?.marks).toEqual(SET)
  })
})

describe.skipIf(!bun)(`under Bun${bun ? '' : ' (skipped: peers/ has no Bun for this machine)'}`, () => {
  test('it tells the same, and functions find their call by themselves', async () => {
    const code = `
      import { ambient, marks, scenario } from './scenario.ts'
      const seen = await scenario(process.argv[2])
      console.log(JSON.stringify({ bun: process.versions.bun, seen, ambient: await ambient(), marks: await marks() }))`
    const file = await bundled('bun.mjs', code)
    const { stdout } = await promisify(execFile)(bun!, [file, server.url])
    const { bun: version, seen, ambient } = JSON.parse(stdout) as Told & { bun: string }
    expect(version).toMatch(/^\d/)
    expect(seen).toEqual(expected)
    expect(ambient).toBe('found')
  })
})

test('on Node they work too', async () => {
  expect(await ambient()).toBe('found')
  expect(await marks()).toEqual(SET)
})
