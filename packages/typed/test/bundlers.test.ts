// The plugin in each bundler, with the types left out by whatever that bundler leaves them out with: what is built
// runs, and says the same. The bundlers stand among the peers.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { expected, node, peer, projects, root, runIn } from './support/project.ts'

const { fresh, remove } = projects()
afterAll(remove)

const slow = { timeout: 120_000 }
const peers = join(root, 'peers/package.json')

/** A program that builds src/print.ts into out.mjs; `from` finds the bundler, `external` stays outside. */
const build = (text: string): string => `import { createRequire, stripTypeScriptTypes } from 'node:module'
import * as toolwright from 'toolwright/plugin'
const from = createRequire(${JSON.stringify(peers)})
const external = ['toolwright', 'toolwright/test']
const input = new URL('./src/print.ts', import.meta.url).pathname
const dir = new URL('.', import.meta.url).pathname
function packed(bundler, plugin, rule, more = {}) {
  const options = {
    mode: 'production',
    target: 'node',
    entry: input,
    externalsType: 'module',
    externals: external,
    output: { path: dir, filename: 'out.mjs', module: true, library: { type: 'module' } },
    resolve: { extensions: ['.ts', '.js'] },
    module: { rules: [{ test: /\\.ts$/, ...rule }] },
    plugins: [plugin],
    ...more,
  }
  return new Promise((done, failed) =>
    bundler(options, (error, stats) =>
      error || stats.hasErrors() ? failed(error ?? new Error(stats.toString())) : done(stats)))
}
${text}
`

const bundlers: Record<string, string> = {
  esbuild: `await from('esbuild').build({ entryPoints: [input], outfile: 'out.mjs', bundle: true, format: 'esm', platform: 'node', external, plugins: [toolwright.esbuild()] })`,
  rollup: `const types = { name: 'types', transform: (code, id) => id.endsWith('.ts') ? { code: stripTypeScriptTypes(code), map: null } : null }
const bundle = await from('rollup').rollup({ input, external, plugins: [toolwright.rollup(), types] })
await bundle.write({ file: 'out.mjs', format: 'esm' })`,
  webpack: `await packed(from('webpack'), toolwright.webpack(), { use: dir + 'types.cjs' }, { experiments: { outputModule: true } })`,
  '@rspack/core': `await packed(from('@rspack/core').rspack, toolwright.rspack(), { use: { loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } } }, type: 'javascript/auto' })`,
}
// What leaves the types out for webpack.
const types = `const { stripTypeScriptTypes } = require('node:module')\nmodule.exports = source => stripTypeScriptTypes(source)\n`

describe('the plugin', () => {
  for (const [name, text] of Object.entries(bundlers))
    it.skipIf(!peer(name))(
      `builds with ${name}${peer(name) ? '' : ' (it is not installed)'}`,
      slow,
      async () => {
        const folder = fresh(name.replace(/\W/g, ''), { 'build.mjs': build(text), 'types.cjs': types })
        const built = await node(folder, 'build.mjs')
        expect(built.code, built.stderr + built.stdout).toBe(0)
        const { stdout, stderr } = await node(folder, 'out.mjs')
        expect(stderr).toBe('')
        expect(stdout.trim()).toBe(expected)
      },
    )

  it.skipIf(!peer('esbuild'))('refuses a type with its place, in the words of esbuild', slow, async () => {
    const folder = fresh('refused', {
      'src/print.ts': `import { tool } from 'toolwright'\ntool('t', (input: { at: Date }) => input)\n`,
      'build.mjs': build(bundlers['esbuild']!),
    })
    const { code, stderr } = await node(folder, 'build.mjs')
    expect(code).toBe(1)
    expect(stderr).toContain('T2101: src/print.ts:2:25: Date has no form in JSON')
  })
})

const bin = ['@oven/bun-linux-x64', '@oven/bun-linux-aarch64']
  .map(name => join(peer(name) ?? '-', 'bin/bun'))
  .find(existsSync)

describe.skipIf(!bin)(`Bun${bin ? '' : ' (it is not installed)'}`, () => {
  it('builds with the plugin', slow, async () => {
    const folder = fresh('bunbuild', {
      'build.ts': `import { bun } from 'toolwright/plugin'
const made = await Bun.build({ entrypoints: ['src/print.ts'], outdir: '.', target: 'bun', external: ['toolwright', 'toolwright/test'], plugins: [bun()] })
if (!made.success) throw new AggregateError(made.logs)`,
    })
    const built = await runIn(folder, bin!, 'build.ts')
    expect(built.code, built.stderr + built.stdout).toBe(0)
    expect((await runIn(folder, bin!, 'print.js')).stdout.trim()).toBe(expected)
  })

  it('runs a file whose types a preloaded plugin reads', slow, async () => {
    const folder = fresh('bunrun', {
      'types.ts': `import { bun as toolwright } from 'toolwright/plugin'\nBun.plugin(toolwright())\n`,
    })
    const { stdout, stderr } = await runIn(folder, bin!, '--preload', './types.ts', 'src/print.ts')
    expect(stdout.trim(), stderr).toBe(expected)
  })
})

describe.skipIf(!peer('tsx'))(`tsx${peer('tsx') ? '' : ' (it is not installed)'}`, () => {
  const tsx = join(peer('tsx') ?? '-', 'dist/loader.mjs')
  const orders = {
    'runs behind toolwright/register': ['--import', 'toolwright/register', '--import', tsx],
    'runs before toolwright/register too': ['--import', tsx, '--import', 'toolwright/register'],
  }
  for (const [name, order] of Object.entries(orders))
    it(name, slow, async () => {
      const { stdout, stderr } = await node(fresh(name.replace(/\W/g, '')), ...order, 'src/print.ts')
      expect(stdout.trim(), stderr).toBe(expected)
    })

  it('alone: what is missing is said', slow, async () => {
    const { stderr } = await node(fresh('tsxalone'), '--import', tsx, 'src/print.ts')
    expect(stderr).toContain('under tsx, `--import toolwright/register` must come first')
  })
})
