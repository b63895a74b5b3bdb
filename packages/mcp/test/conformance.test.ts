// The official conformance suite: our client against its servers, its clients against a server of ours.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixture } from './conformance/fixture.ts'
import { listen } from './conformance/http.ts'

const root = join(import.meta.dirname, '../../..')
const suite = join(root, 'peers/node_modules/@modelcontextprotocol/conformance/dist/index.js')
const missing = existsSync(suite)
  ? ''
  : ' (skipped: the peer @modelcontextprotocol/conformance is not installed)'
const full = process.env['TOOLWRIGHT_FULL'] === '1'
const OLD = '2025-11-25'
const NEW = '2026-07-28'

/** Every scenario for a server that we have an answer to, and in which revision; the first of a line in each run. */
const SERVER: Record<string, readonly string[]> = {
  'server-initialize': [OLD],
  ping: [OLD],
  'tools-list': [NEW, OLD],
  'tools-call-simple-text': [OLD, NEW],
  'tools-call-image': [OLD, NEW],
  'tools-call-audio': [OLD, NEW],
  'tools-call-embedded-resource': [OLD, NEW],
  'tools-call-mixed-content': [NEW, OLD],
  'tools-call-error': [NEW, OLD],
  'tools-call-with-progress': [NEW, OLD],
  'json-schema-2020-12': [NEW, OLD],
  // In 2025-11-25 it checks sessions, which are not kept.
  'server-sse-multiple-streams': [NEW],
  'dns-rebinding-protection': [NEW, OLD],
  'http-header-validation': [NEW],
  'http-custom-header-server-validation': [NEW],
}

/** Scenarios for a server that are not run, and why. */
const NOT_SERVER: Record<string, string> = {
  'server-stateless':
    'its checks of tools pass; four want tools that need sampling or logging, which are not offered',
  caching: 'its check of tools/list passes; the others want prompts and resources, which are not offered',
  'server-session-lifecycle': 'no sessions are kept: it finds nothing to check',
  'server-sse-polling': 'no sessions are kept: it finds nothing to check',
  'logging-set-level': 'logging is not offered: it has no place from 2026-07-28 on',
  'tools-call-with-logging': 'logging is not offered: it has no place from 2026-07-28 on',
  'tools-call-sampling': 'a tool asks a model of ours, never the host',
  'tools-call-elicitation': 'a person is asked by the guard, never through the host',
  'elicitation-*': 'a person is asked by the guard, never through the host',
  'input-required-result-*': 'a person is asked by the guard, never through the host',
  'completion-complete': 'prompts and resources are not offered',
  'resources-*': 'resources are not offered',
  'sep-2164-resource-not-found': 'resources are not offered',
  'prompts-*': 'prompts are not offered',
  'tasks-*': 'an extension that is not offered',
  'sep-2640-skills-*': 'an extension that is not offered',
}

const CLIENT: Record<string, readonly string[]> = {
  initialize: [OLD],
  tools_call: [NEW, OLD],
  'sse-retry': [OLD],
  'request-metadata': [NEW],
  'auth/metadata-default': [NEW, OLD],
  'auth/metadata-var1': [OLD, NEW],
  'auth/metadata-var2': [OLD, NEW],
  'auth/metadata-var3': [OLD, NEW],
  'auth/basic-cimd': [OLD, NEW],
  'auth/scope-from-www-authenticate': [OLD, NEW],
  'auth/scope-from-scopes-supported': [OLD, NEW],
  'auth/scope-omitted-when-undefined': [OLD, NEW],
  'auth/scope-step-up': [NEW, OLD],
  'auth/scope-retry-limit': [NEW, OLD],
  'auth/token-endpoint-auth-basic': [OLD, NEW],
  'auth/token-endpoint-auth-post': [OLD, NEW],
  'auth/token-endpoint-auth-none': [OLD, NEW],
  'auth/pre-registration': [OLD, NEW],
  'auth/resource-mismatch': [NEW],
  'auth/offline-access-scope': [NEW],
  'auth/offline-access-not-supported': [NEW],
  'auth/authorization-server-migration': [NEW],
  'auth/iss-supported': [NEW],
  'auth/iss-not-advertised': [NEW],
  'auth/iss-supported-missing': [NEW],
  'auth/iss-wrong-issuer': [NEW],
  'auth/iss-unexpected': [NEW],
  'auth/iss-normalized': [NEW],
  'auth/metadata-issuer-mismatch': [NEW],
  'http-standard-headers': [NEW],
  'http-custom-headers': [NEW],
  'http-invalid-tool-headers': [NEW],
  'json-schema-ref-no-deref': [NEW],
  'json-schema-2020-12-preservation': [NEW, OLD],
}

const NOT_CLIENT: Record<string, string> = {
  'elicitation-sep1034-client-defaults': 'no server may ask a person of ours: we announce no capabilities',
  'sep-2322-client-request-state': 'no server may ask a person of ours: we announce no capabilities',
  'auth/2025-03-26-*': 'of a revision before 2025-11-25',
  'auth/client-credentials-*': 'an extension',
  'auth/enterprise-managed-authorization': 'an extension',
  'auth/dpop*': 'an extension',
  'auth/wif-jwt-bearer': 'an extension',
  'sep-2640-client-*': 'an extension',
}

/** What of a table is run: all of it in the full run, else the few of which each shows another side of us. */
const SHORT = [
  'tools-call-mixed-content',
  'dns-rebinding-protection',
  'http-custom-header-server-validation',
  'tools_call',
  'auth/scope-step-up',
  'http-invalid-tool-headers',
]
const cases = (table: Record<string, readonly string[]>): [string, string][] =>
  Object.entries(table).flatMap(([name, versions]) =>
    full
      ? versions.map((version): [string, string] => [name, version])
      : SHORT.includes(name)
        ? [[name, versions[0]!] as [string, string]]
        : [],
  )

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-conformance-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the suite; gives what it printed, and whether it was satisfied. */
function conformance(args: readonly string[]): Promise<{ ok: boolean; said: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [suite, ...args], { cwd: folder, timeout: 100_000 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, said: `${stdout}\n${stderr}` }),
    )
  })
}

describe.skipIf(missing !== '')(`our server satisfies the conformance suite${missing}`, () => {
  let server: Awaited<ReturnType<typeof listen>>
  const offered = fixture()
  beforeAll(async () => {
    server = await listen(request => offered.fetch(request))
  })
  afterAll(() => server?.close())

  test.each(cases(SERVER))(
    '%s in %s',
    async (scenario, version) => {
      const { ok, said } = await conformance([
        'server',
        '--url',
        server.url,
        '--scenario',
        scenario,
        '--spec-version',
        version,
      ])
      expect(said).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
      expect(ok).toBe(true)
    },
    120_000,
  )
})

describe.skipIf(missing !== '')(`our client satisfies the conformance suite${missing}`, () => {
  const client = join(import.meta.dirname, 'conformance/client.ts')

  test.each(cases(CLIENT))(
    '%s in %s',
    async (scenario, version) => {
      const command = `${process.execPath} --conditions=development ${client}`
      const { ok, said } = await conformance([
        'client',
        '--command',
        command,
        '--scenario',
        scenario,
        '--spec-version',
        version,
      ])
      expect(said).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
      expect(ok).toBe(true)
    },
    120_000,
  )
})

test.skipIf(missing !== '')(
  `each scenario of the suite is run, or is left out for a reason${missing}`,
  async () => {
    const { said } = await conformance(['list'])
    const [servers = '', clients = ''] = said.split('Client scenarios')
    const names = (text: string): string[] =>
      [...text.split('Authorization server')[0]!.matchAll(/^ {2}- (\S+)/gm)].map(match => match[1]!)
    const unknown = (all: string[], run: object, not: object): string[] =>
      all.filter(
        name =>
          !(name in run) &&
          !Object.keys(not).some(each =>
            each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each,
          ),
      )
    expect(names(servers).length).toBeGreaterThan(50)
    expect(unknown(names(servers), SERVER, NOT_SERVER)).toEqual([])
    expect(unknown(names(clients), CLIENT, NOT_CLIENT)).toEqual([])
  },
  60_000,
)
