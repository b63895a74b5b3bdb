// Builds what is published: declarations by tsc, and of each package one bundle an entry, so that importing it
// opens a handful of files in place of a hundred.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
/** Programs that are started as files: nothing exports them. */
const programs = { files: ['child'], toolwright: ['main', 'quick'] }
const packages = readdirSync(join(root, 'packages'))

/** What a package exports as it stands in its sources. */
function entriesOf(name) {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const sources = Object.values(exports).flatMap(each => each.development ?? [])
  return [...sources.map(source => basename(source, '.ts')), ...(programs[name] ?? [])]
}

for (const name of packages) rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
const types = spawnSync('tsc', ['-b', 'tsconfig.build.json', '--force'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (types.status !== 0) process.exit(types.status ?? 1)

for (const name of packages) {
  const folder = join(root, 'packages', name)
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const outside = [...Object.keys(dependencies), 'node:'].map(id => new RegExp(`^${id}`))
  const bundle = await rolldown({
    input: Object.fromEntries(entriesOf(name).map(input => [input, join(folder, 'src', `${input}.ts`)])),
    external: outside,
    platform: 'neutral',
  })
  await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    // The sources are in the package: the maps need not hold them again.
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
  })
  await bundle.close()
}
