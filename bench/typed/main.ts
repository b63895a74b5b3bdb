// Whole processes, in turn: the same program with its schemas written out (Node leaves the types out, no more), with
// its types read when it starts, and what a type checker takes for the same records. CPU time, and ratios of one run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Sizes, writePrograms } from './files.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const repository = fileURLToPath(new URL('../../node_modules', import.meta.url))
const own = join(here, 'node_modules')
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } })
const rounds = Number(values.rounds)

/** At most so much of type stripping alone. */
const GOAL = 2

if (!existsSync(join(repository, 'toolwright/dist/register.js')))
  throw new Error('run `npm run build` at the root first')
// What a process worked in all its threads, told as it ends.
const meter = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)) })`,
)}`

/** The CPU ms of a process, which must print `prints` where that is known. */
function cpu(cwd: string, args: readonly string[], prints?: string): number {
  const flags = ['--disable-warning=ExperimentalWarning', '--import', meter]
  const ended = spawnSync(process.execPath, [...flags, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (ended.status !== 0) throw new Error(`${args.join(' ')} failed: ${ended.stderr}${ended.stdout}`)
  if (prints !== undefined && ended.stdout.trim() !== prints)
    throw new Error(`${args.join(' ')} said ${ended.stdout}, not ${prints}`)
  return Number(ended.output[3]) / 1000
}

function bench(sizes: Sizes): void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-')))
  const total = String(sizes.files * sizes.each)
  try {
    writePrograms(folder, sizes, { src: repository, typia: own, types: own })
    symlinkSync(repository, join(folder, 'node_modules'), 'junction')
    // The baseline: the same program, expanded before.
    const command = join(repository, 'toolwright/bin/toolwright.js')
    cpu(folder, [command, 'expand', 'src', '--out', 'expanded'])
    const src = join(folder, 'src')
    const subjects: Record<string, () => number> = {
      'types left out by Node': () => cpu(folder, ['expanded/main.ts'], total),
      toolwright: () => cpu(src, ['--import', 'toolwright/register', 'main.ts'], total),
    }
    if (existsSync(join(own, 'typia'))) {
      const typia = join(own, 'typia/lib/executable/typia.js')
      subjects['typia, its step before'] = () => {
        const out = join(folder, 'typia-out')
        const args = ['generate', '--input', join(folder, 'typia'), '--output', out]
        const ms = cpu(join(folder, 'typia'), [
          typia,
          ...args,
          '--project',
          join(folder, 'typia/tsconfig.json'),
        ])
        if (!readFileSync(join(out, 'tools0.ts'), 'utf8').includes('"urgent"'))
          throw new Error('typia wrote no schema')
        rmSync(out, { recursive: true })
        return ms
      }
      subjects['a TypeScript program, its step before'] = () =>
        cpu(here, ['generate.mjs', join(folder, 'types/tsconfig.json')], total)
    }
    report(sizes, measured(subjects))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The ms of each subject, round by round; the first round warms the disk up and does not count. */
function measured(subjects: Record<string, () => number>): Record<string, number[]> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(subjects).map(name => [name, []]))
  for (let round = -1; round < rounds; round++)
    for (const [name, run] of Object.entries(subjects)) {
      const ms = run()
      if (round >= 0) times[name]!.push(ms)
    }
  return times
}

function report({ files, each }: Sizes, times: Record<string, number[]>): void {
  const [[, base] = ['', []]] = Object.entries(times)
  console.log(`\n${files} ${files === 1 ? 'file' : 'files'}, ${files * each} tools\n`)
  console.log('| whole process | CPU ms | times the first, least to most |\n| --- | ---: | --- |')
  for (const [name, list] of Object.entries(times)) {
    const ratios = list.map((ms, i) => ms / base[i]!).sort((a, b) => a - b)
    const span = `${median(ratios).toFixed(2)} (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`
    console.log(`| ${name} | ${median(list).toFixed(0)} | ${span} |`)
  }
  const ratio = median(times['toolwright']!.map((ms, i) => ms / base[i]!))
  console.log(`\n${ratio <= GOAL ? 'reached' : 'not yet'}: at most ${GOAL} times type stripping alone`)
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]!
}

const machine = `${platform()} ${arch()}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'processor'}`
console.log(`Node ${process.versions.node}, ${machine}; ${rounds} rounds, in turn`)
bench({ files: 1, each: 25 })
bench({ files: 50, each: 5 })
