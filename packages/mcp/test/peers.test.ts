// Servers that others wrote: an agent with a scripted model uses a tool of each.
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { look } from '../src/people.ts'
import { fixture } from './conformance/fixture.ts'
import { listen } from './conformance/http.ts'
import { after, folder, lockNow, resultsOf, service, using } from './kit.ts'

const peers = join(import.meta.dirname, '../../../peers/node_modules/@modelcontextprotocol')
const missing = (name: string): string =>
  existsSync(join(peers, name)) ? '' : ` (skipped: the peer ${name} is not installed)`
const program = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(peers, name, 'dist/index.js'), ...args],
})

beforeEach(() => {
  vi.stubEnv('TOOLWRIGHT_STATE', folder())
  vi.stubEnv('TOOLWRIGHT_START', '1')
  return () => vi.unstubAllEnvs()
})

describe.skipIf(missing('server-everything') !== '')(
  `server-everything${missing('server-everything')}`,
  () => {
    test('over stdio: a text, a sum, and a picture', async () => {
      const stated = { ...program('server-everything', 'stdio'), lock: join(folder(), 'lock.json') }
      await lockNow('everything', stated)
      const used = service('everything', stated)
      const seen = await using(used, [
        ['everything.echo', '{"message":"hello"}'],
        ['everything.get-sum', '{"a":2,"b":40}'],
        ['everything.get-tiny-image', '{}'],
      ])
      expect(resultsOf(seen)[0]).toContain('hello')
      expect(resultsOf(seen)[1]).toContain('42')
      expect(seen.messages.flatMap(each => each.images ?? [])).toHaveLength(1)
      const again = service('everything', stated)
      expect((await look(again)).tools.filter(each => each.state !== 'same')).toEqual([])
    }, 60_000)

    test('over Streamable HTTP', async () => {
      const port = await freePort()
      const child = spawn(
        process.execPath,
        [join(peers, 'server-everything/dist/index.js'), 'streamableHttp'],
        { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
      )
      after(() => child.kill('SIGKILL'))
      await new Promise<void>(resolve =>
        child.stderr.on('data', chunk => /listening/i.test(String(chunk)) && resolve()),
      )
      const stated = { url: `http://127.0.0.1:${port}/mcp`, lock: join(folder(), 'lock.json') }
      await lockNow('everything', stated, ['echo'])
      const seen = await using(service('everything', stated), [['everything.echo', '{"message":"hello"}']])
      expect(seen.told[0]).toEqual(['everything.echo'])
      expect(resultsOf(seen)[0]).toContain('hello')
    }, 60_000)
  },
)

test.skipIf(missing('server-filesystem') !== '')(
  `server-filesystem reads a file${missing('server-filesystem')}`,
  async () => {
    const root = folder()
    writeFileSync(join(root, 'note.txt'), 'tidy up')
    const stated = { ...program('server-filesystem', root), lock: join(folder(), 'lock.json') }
    await lockNow('files', stated, ['read_text_file'])
    const seen = await using(service('files', stated), [
      ['files.read_text_file', JSON.stringify({ path: join(root, 'note.txt') })],
    ])
    expect(resultsOf(seen)[0]).toContain('tidy up')
  },
  60_000,
)

test.skipIf(missing('server-memory') !== '')(
  `server-memory keeps what it is told${missing('server-memory')}`,
  async () => {
    const file = join(folder(), 'memory.jsonl')
    const stated = {
      ...program('server-memory'),
      env: { MEMORY_FILE_PATH: file },
      lock: join(folder(), 'lock.json'),
    }
    await lockNow('memory', stated)
    const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }]
    const seen = await using(service('memory', stated), [
      ['memory.create_entities', JSON.stringify({ entities })],
    ])
    expect(resultsOf(seen)[0]).toContain('Ann')
    expect(readFileSync(file, 'utf8')).toContain('likes tea')
  },
  60_000,
)

test.skipIf(missing('inspector') !== '')(
  `the MCP Inspector lists our tools, and calls one${missing('inspector')}`,
  async () => {
    const offered = fixture()
    const server = await listen(request => offered.fetch(request))
    after(server.close)
    const inspector = join(peers, 'inspector/clients/launcher/build/index.js')
    const inspect = (...args: string[]): Promise<string> =>
      new Promise(resolve => {
        execFile(
          process.execPath,
          [inspector, '--cli', server.url, '--transport', 'http', ...args],
          { timeout: 50_000 },
          (_, stdout, stderr) => resolve(stdout + stderr),
        )
      })
    expect(await inspect('--method', 'tools/list')).toContain('"test_simple_text"')
    expect(await inspect('--method', 'tools/call', '--tool-name', 'test_simple_text')).toContain(
      'This is a simple text response for testing.',
    )
  },
  120_000,
)

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
