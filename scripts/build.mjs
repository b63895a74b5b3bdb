// Builds what is published: declarations by tsc, and of each package one bundle an entry, so that importing it
// opens a handful of files in place of a hundred.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
const entries = {
  core: ['index', 'values', 'test', 'engine', 'sqlite'],
  files: ['index', 'child'],
  typed: ['index', 'register', 'plugin'],
  recipe: ['index', 'fetch', 'people'],
  agency: ['index'],
  mcp: ['index'],
  postgres: ['index'],
  toolwright: ['index', 'values', 'test', 'main', 'register', 'plugin'],
}

for (const name of Object.keys(entries))
  rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
const types = spawnSync('tsc', ['-b', 'tsconfig.build.json', '--force'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (types.status !== 0) process.exit(types.status ?? 1)

for (const [name, inputs] of Object.entries(entries)) {
  const folder = join(root, 'packages', name)
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const outside = [...Object.keys(dependencies), 'node:'].map(id => new RegExp(`^${id}`))
  const bundle = await rolldown({
    input: Object.fromEntries(inputs.map(input => [input, join(folder, 'src', `${input}.ts`)])),
    external: outside,
    platform: 'neutral',
  })
  await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
  })
  await bundle.close()
}
