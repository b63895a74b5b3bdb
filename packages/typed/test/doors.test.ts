// The doors, each in a fresh project: Node's loader, Vite, Vitest, Rolldown, and a folder for tsc.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { expandFolder, schemaOf } from '../src/index.ts'
import { expected, node, placeOf, project, projects, root } from './support/project.ts'

const { fresh, remove } = projects()
afterAll(remove)

const slow = { timeout: 120_000 }

describe('node --import toolwright/register', () => {
  it('runs a file without a schema written by hand', slow, async () => {
    const { stdout, stderr } = await node(fresh('loader'), '--import', 'toolwright/register', 'src/print.ts')
    expect(stderr).toBe('')
    expect(stdout.trim()).toBe(expected)
  })

  it('keeps the lines of stack traces, and the columns before a new argument', slow, async () => {
    const folder = fresh('traces')
    const { stderr } = await node(folder, '--import', 'toolwright/register', 'src/failing.ts')
    const { line, column } = placeOf(join(folder, 'src/agent.ts'), 'fail(): never')
    expect(stderr).toMatch(new RegExp(`agent\\.ts:${line + 1}:\\d+\\)?`))
    expect(column).toBeGreaterThan(0)
    // Nothing was inserted in the line that calls: its column is the one in the file.
    expect(stderr).toContain('failing.ts:2:1')
  })

  // Before Node 26 a module that CommonJS requires cannot be loaded where there is any hook at all.
  const old = Number(process.versions.node.split('.')[0]) < 26
  it.skipIf(old)(
    `runs a file of CommonJS${old ? ' (this Node cannot, under a loader)' : ''}`,
    slow,
    async () => {
      const folder = fresh('commonjs', {
        'main.cts': `const { schema } = require('toolwright') as typeof import('toolwright')\nconsole.log(JSON.stringify(schema<{ a: 1 }>()))\n`,
      })
      const { stdout } = await node(folder, '--import', 'toolwright/register', 'main.cts')
      expect(JSON.parse(stdout)).toMatchObject({ required: ['a'] })
    },
  )

  it('says what is missing where it did not run', slow, async () => {
    const { code, stderr } = await node(fresh('without'), 'src/print.ts')
    expect(code).toBe(1)
    expect(stderr).toContain("T2108: tool('order'): the types were not read")
    expect(stderr).toContain('node --import toolwright/register')
  })

  it('refuses a file whose types cannot be told, with the place of each', slow, async () => {
    const folder = fresh('refused', {
      'src/bad.ts': `import { tool } from 'toolwright'\ntool('t', (input: { at: Date }) => input)\n`,
    })
    const { code, stderr } = await node(folder, '--import', 'toolwright/register', 'src/bad.ts')
    expect(code).toBe(1)
    expect(stderr).toContain('T2101: src/bad.ts:2:25: Date has no form in JSON')
  })
})

describe('the plugin', () => {
  const plugged = (name: string) => `import { ${name} as toolwright } from 'toolwright/plugin'\n`

  // In a checkout toolwright is a linked folder of sources, which Vite would take into the bundle.
  it('builds in a fresh Vite project', slow, async () => {
    const folder = fresh('vite', {
      'vite.config.ts': `${plugged('vite')}export default { plugins: [toolwright()], build: { ssr: 'src/print.ts', rolldownOptions: { external: [/^toolwright/] } } }\n`,
    })
    const built = await node(
      folder,
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--logLevel',
      'warn',
    )
    expect(built.code, built.stderr + built.stdout).toBe(0)
    const { stdout, stderr } = await node(folder, 'dist/print.js')
    expect(stderr).toBe('')
    expect(stdout.trim()).toBe(expected)
  })

  it('runs in a fresh Vitest project, whose traces have the right lines', slow, async () => {
    const conditions = `resolve: { conditions: ['development', 'default'] }`
    const folder = fresh('suite', {
      'vitest.config.ts': `${plugged('vite')}export default { plugins: [toolwright()], ${conditions}, ssr: { ${conditions} } }\n`,
      'src/agent.test.ts': `import { expect, it } from 'vitest'\nimport { fail, lines } from './agent.ts'\nit('runs', () => expect(lines).toBe(${JSON.stringify(expected)}))\nit('fails', () => fail())\n`,
    })
    const { stdout, stderr } = await node(
      folder,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=verbose',
    )
    expect(stdout, stdout + stderr).toContain('1 failed | 1 passed')
    const { line } = placeOf(join(folder, 'src/agent.ts'), 'fail(): never')
    expect(stdout + stderr).toContain(`src/agent.ts:${line + 1}:`)
  })

  it('builds with Rolldown, and watches the files that types came from', slow, async () => {
    const folder = fresh('rolldown')
    const { rolldown } = await import('rolldown')
    const { rolldown: plugin } = await import('../src/plugin.ts')
    const bundle = await rolldown({
      input: join(folder, 'src/print.ts'),
      external: [/^toolwright/],
      platform: 'node',
      plugins: [plugin()],
    })
    await bundle.write({ dir: join(folder, 'dist'), format: 'esm' })
    const watched = await bundle.watchFiles
    await bundle.close()
    const { stdout } = await node(folder, 'dist/print.js')
    expect(stdout.trim()).toBe(expected)
    expect(watched).toContain(join(folder, 'src/order.ts'))
  })
})

describe('expandFolder', () => {
  it('makes TypeScript that tsc --strict takes, and that runs', slow, async () => {
    const folder = fresh('folder')
    const { expanded, copied, warnings } = expandFolder(join(folder, 'src'), join(folder, 'out'))
    expect({ expanded, copied, warnings }).toEqual({
      expanded: ['agent.ts'],
      copied: ['failing.ts', 'order.ts', 'print.ts'],
      warnings: [],
    })
    const options =
      '--ignoreConfig --noEmit --strict --target esnext --module nodenext --customConditions development'
    const tsc = await node(
      folder,
      join(root, 'node_modules/typescript/bin/tsc'),
      ...`${options} --allowImportingTsExtensions --skipLibCheck --noUnusedLocals --types node`.split(' '),
      'out/print.ts',
    )
    // The sources of this repository are taken as they are, by stricter settings than these.
    expect(tsc.stdout.split('\n').filter(line => line.startsWith('out/'))).toEqual([])
    const { stdout } = await node(folder, 'out/print.ts')
    expect(stdout.trim()).toBe(expected)
  })

  it('writes nothing where a type is refused, and tells the faults of every file', () => {
    const folder = fresh('nothing', {
      'src/bad.ts': `import { tool } from 'toolwright'\ntool('t', (input: { at: Date }) => input)\n`,
      'src/worse.ts': `import { schema } from 'toolwright'\nschema<Map<string, string>>()\n`,
    })
    expect(() => expandFolder(join(folder, 'src'), join(folder, 'out'))).toThrow(
      /bad\.ts:2:25[\s\S]*worse\.ts:2:8/,
    )
    expect(existsSync(join(folder, 'out'))).toBe(false)
  })

  it('refuses a folder that is not there, or that holds the sources', () => {
    expect(() => expandFolder(join(project, 'nowhere'), join(project, 'out'))).toThrow('there is no folder')
    expect(() => expandFolder(project, project)).toThrow('holds the sources')
  })
})

describe('schemaOf', () => {
  it('tells what each call of a file says, in their order', () => {
    const { schemas } = schemaOf(join(project, 'agent.ts'))
    expect(schemas.map(each => `${each.line} ${each.what}`)).toEqual([
      "5 tool('order', …)",
      "16 tool('long', …)",
      '29 agent(model, …)',
      '34 ask<Order>(asked, …)',
      '35 tool(add)',
      '36 schema<Order>()',
      "38 flow('note', …)",
      "46 tool('third', …)",
    ])
  })
})
