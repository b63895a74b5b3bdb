// `.agency` files as modules, in each bundler and under each loader: what is built runs, and says the same.
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-agency-plugin-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const slow = { timeout: 120_000 }

const project: Record<string, string> = {
  'package.json': '{ "type": "module", "private": true }',
  'src/sum.agency': `import { twice } from "./lib/more.agency"
import { half } from "./host.ts"
def add(a: number, b: number): number {
  """
  Adds.
  """
  return a + b
}
node main(n: number) {
  const said = llm("What is it?", tools: [add])
  return [said, twice(n), half(n)]
}
export def boom(): any {
  const nothing: any = null
  return nothing.at.all
}
export { add }
`,
  'src/lib/more.agency': 'export def twice(n: number): number { return n * 2 }\n',
  'src/host.ts': 'export const half = (n: number): number => n / 2\n',
  'src/print.ts': `import { useModel } from '@toolwright/agency'
import { calls, says, scripted } from 'toolwright/test'
import { main } from './sum.agency'

useModel(scripted([calls([['add', { a: 1, b: 2 }]]), says('It is 3.')]))
console.log(JSON.stringify(await main(4)))
`,
}
const expected = '["It is 3.",8,2]'

let n = 0
function fresh(files: Record<string, string> = {}): string {
  const folder = join(base, String(n++))
  mkdirSync(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [name, text] of Object.entries({ ...project, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function runIn(cwd: string, file: string, ...args: string[]): Promise<Ended> {
  const outer = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|VITE|NODE_ENV|FORCE_COLOR|TEST$|AI_)/.test(name),
  )
  const env = { ...Object.fromEntries(outer), NODE_OPTIONS: '--conditions=development', NO_COLOR: '1' }
  return new Promise(done =>
    execFile(
      file,
      ['--conditions=development', ...args],
      { cwd, env, timeout: 100_000 },
      (error, stdout, stderr) => done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )
}
const node = (cwd: string, ...args: string[]): Promise<Ended> =>
  runIn(cwd, process.execPath, '--disable-warning=ExperimentalWarning', ...args)

function peer(name: string): string | undefined {
  const folder = join(root, 'peers/node_modules', name)
  return existsSync(folder) ? folder : undefined
}
const left = (name: string): string => (peer(name) ? '' : ' (left out: it is not installed)')

const build = (text: string): string => `import { createRequire, stripTypeScriptTypes } from 'node:module'
import * as toolwright from 'toolwright/plugin'
const from = createRequire(${JSON.stringify(join(root, 'peers/package.json'))})
const external = id => typeof id === 'string' && /^(toolwright|@toolwright)(\\/|$)/.test(id)
const dir = new URL('.', import.meta.url).pathname
const input = dir + 'src/print.ts'
function packed(bundler, plugin, rule, more = {}) {
  const options = {
    mode: 'production', target: 'node', entry: input, externalsType: 'module',
    externals: [({ request }, done) => external(request) || request.includes('/packages/agency/') ? done(null, request) : done()],
    output: { path: dir, filename: 'out.mjs', module: true, library: { type: 'module' } },
    resolve: { extensions: ['.ts', '.js'] },
    module: { rules: [{ test: /\\.ts$/, ...rule }] },
    plugins: [plugin], ...more,
  }
  return new Promise((done, failed) =>
    bundler(options, (error, stats) => error || stats.hasErrors() ? failed(error ?? new Error(stats.toString())) : done(stats)))
}
${text}
`
const types = `const { stripTypeScriptTypes } = require('node:module')\nmodule.exports = source => stripTypeScriptTypes(source)\n`
const runtime = `id => external(id) || id.includes('/packages/agency/')`
const bundlers: Record<string, string> = {
  esbuild: `await from('esbuild').build({ entryPoints: [input], outfile: 'out.mjs', bundle: true, format: 'esm', platform: 'node', sourcemap: 'inline', external: ['toolwright', 'toolwright/*', '@toolwright/*'], plugins: [toolwright.esbuild(), { name: 'outside', setup: b => b.onResolve({ filter: /packages.agency/ }, ({ path }) => ({ path, external: true })) }] })`,
  rollup: `const types = { name: 'types', transform: (code, id) => id.endsWith('.ts') ? { code: stripTypeScriptTypes(code), map: null } : null }
const bundle = await from('rollup').rollup({ input, external: ${runtime}, plugins: [toolwright.rollup(), types] })
await bundle.write({ file: 'out.mjs', format: 'esm' })`,
  webpack: `await packed(from('webpack'), toolwright.webpack(), { use: dir + 'types.cjs' }, { experiments: { outputModule: true } })`,
  '@rspack/core': `await packed(from('@rspack/core').rspack, toolwright.rspack(), { use: { loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } } }, type: 'javascript/auto' })`,
}

describe('the plugin makes modules of .agency files', () => {
  for (const [name, text] of Object.entries(bundlers))
    it.skipIf(!peer(name))(`in ${name}${left(name)}`, slow, async () => {
      const folder = fresh({ 'build.mjs': build(text), 'types.cjs': types })
      const built = await node(folder, 'build.mjs')
      expect(built.code, built.stderr + built.stdout).toBe(0)
      const { stdout, stderr } = await node(folder, 'out.mjs')
      expect(stdout.trim(), stderr).toBe(expected)
    })

  it('in Vite, with a map to the lines of the file', slow, async () => {
    const folder = fresh({
      'build.mjs': `import { build } from 'vite'
import { vite } from 'toolwright/plugin'
await build({ logLevel: 'error', plugins: [vite()], ssr: { external: true }, build: { ssr: 'src/boom.ts', outDir: 'out', sourcemap: true, rollupOptions: { external: id => /^@?toolwright|packages.agency/.test(id) } } })`,
      'src/boom.ts': `import { boom } from './sum.agency'\nboom()\n`,
    })
    const built = await node(folder, 'build.mjs')
    expect(built.code, built.stderr + built.stdout).toBe(0)
    const { code, stderr } = await node(folder, '--enable-source-maps', 'out/boom.js')
    expect(code).toBe(1)
    expect(stderr).toMatch(/sum\.agency:15/)
  })

  it('in Vitest', slow, async () => {
    const folder = fresh({
      'vitest.config.mjs': `import { vite } from 'toolwright/plugin'\nexport default { plugins: [vite()] }\n`,
      'src/sum.test.ts': `import { useModel } from '@toolwright/agency'
import { says, scripted } from 'toolwright/test'
import { expect, it } from 'vitest'
import { add, main } from './sum.agency'
it('adds', async () => {
  expect(add(1, 2)).toBe(3)
  useModel(scripted([says('hm')]))
  expect(await main(2)).toEqual(['hm', 4, 1])
})
`,
    })
    const { code, stdout, stderr } = await node(
      folder,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--configLoader',
      'native',
    )
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain('1 passed')
  })

  it.skipIf(!peer('esbuild'))('and refuses one with faults, with their places', slow, async () => {
    const folder = fresh({
      'build.mjs': build(bundlers['esbuild']!),
      'src/lib/more.agency': 'export def twice(n: number): number { return "2" }\n',
    })
    const { code, stderr } = await node(folder, 'build.mjs')
    expect(code).toBe(1)
    expect(stderr).toContain('src/lib/more.agency:1:46 - error A3001')
  })
})

describe('a file is run with .agency files', () => {
  it('by Node, behind toolwright/register', slow, async () => {
    const { stdout, stderr } = await node(fresh(), '--import', 'toolwright/register', 'src/print.ts')
    expect(stdout.trim(), stderr).toBe(expected)
  })

  const tsx = join(peer('tsx') ?? '-', 'dist/loader.mjs')
  for (const [order, flags] of Object.entries({
    behind: ['--import', 'toolwright/register', '--import', tsx],
    before: ['--import', tsx, '--import', 'toolwright/register'],
  }))
    it.skipIf(!peer('tsx'))(`by tsx ${order} toolwright/register${left('tsx')}`, slow, async () => {
      const { stdout, stderr } = await node(fresh(), ...flags, 'src/print.ts')
      expect(stdout.trim(), stderr).toBe(expected)
    })

  const bin = ['@oven/bun-linux-x64', '@oven/bun-linux-aarch64']
    .map(name => join(peer(name) ?? '-', 'bin/bun'))
    .find(existsSync)
  it.skipIf(!bin)(`by Bun, built and run${bin ? '' : ' (left out: it is not installed)'}`, slow, async () => {
    const folder = fresh({
      'build.ts': `import { bun } from 'toolwright/plugin'
const made = await Bun.build({ entrypoints: ['src/print.ts'], outdir: '.', target: 'bun', external: ['toolwright', 'toolwright/*', '@toolwright/*'], plugins: [bun()] })
if (!made.success) throw new AggregateError(made.logs)`,
      'preload.ts': `import { bun } from 'toolwright/plugin'\nBun.plugin(bun())\n`,
    })
    const ran = await runIn(folder, bin!, '--preload', './preload.ts', 'src/print.ts')
    expect(ran.stdout.trim(), ran.stderr).toBe(expected)
    const built = await runIn(folder, bin!, 'build.ts')
    expect(built.code, built.stderr + built.stdout).toBe(0)
    expect(readFileSync(join(folder, 'print.js'), 'utf8')).toContain('Adds.')
  })
})

it('tsc knows what they give, by the declarations beside them', slow, async () => {
  const folder = fresh({
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2024',
        noEmit: true,
        strict: true,
        skipLibCheck: true,
        allowArbitraryExtensions: true,
        allowImportingTsExtensions: true,
        customConditions: ['development'],
        types: ['node'],
        lib: ['es2024', 'esnext.disposable', 'esnext.iterator'],
      },
      include: ['src/use.ts'],
    }),
    'src/use.ts': `import { app } from 'toolwright'
import { add, main } from './sum.agency'
const three: number = add(1, 2)
const made = app({ flows: [main] })
export const run = await made.runs.start(main, { n: three })
// @ts-expect-error
add('1', 2)
// @ts-expect-error
await main('4')
// @ts-expect-error
await made.runs.start(main, { m: 1 })
`,
  })
  const main = join(root, 'packages/toolwright/src/main.ts')
  const written = await node(folder, main, 'compile', '--types', 'src/sum.agency')
  expect(written.code, written.stderr).toBe(0)
  expect(existsSync(join(folder, 'src/lib/more.d.agency.ts'))).toBe(true)
  const tsc = await node(folder, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  expect(tsc.stdout + tsc.stderr).toBe('')
})
