// The bench: the same work on toolwright, on its peers and on a hand-written floor, interleaved in one run.
//
//   node main.ts [--only run,round50,…,calls100,piece,import,size] [--peers toolwright,ai,…]
//     [--json] [--quick] [--cold] [--source]
import { existsSync, readdirSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { cases } from './cases.ts'
import { hire, type Member } from './crew.ts'
import { median, type Pace, ratio, timed, timedCold } from './measure.ts'
import type { Figure, Report, Row } from './report.ts'
import { starts } from './start.ts'
import { tables } from './table.ts'
import { versionOf, weigh } from './weight.ts'

const SIDES = ['floor', 'toolwright']
const NAMES = [...cases.map(c => c.name), 'import', 'size']

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    peers: { type: 'string' },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
    source: { type: 'boolean', default: false },
  },
})
const chosen = chosenOf(values.only, NAMES, '--only')
const files = chosenOf(values.peers, filesOfPeers(), '--peers')
const flags = values.source ? ['--conditions=development', '--disable-warning=ExperimentalWarning'] : []
const pace: Pace = values.quick
  ? { passes: 3, passMs: 30, warmMs: 500 }
  : { passes: 5, passMs: 150, warmMs: 4000 }

if (
  !values.source &&
  files.includes('toolwright') &&
  !existsSync(new URL('../packages/core/dist/index.js', import.meta.url))
)
  say('toolwright is not built: run `npm run build` at the root of the checkout, or give --source')

const crew: Member[] = []
const absent: Row[] = []
for (const file of files)
  try {
    crew.push(await hire(file, flags))
  } catch (error) {
    const missing = { missing: (error as Error).message }
    absent.push({ name: file, version: '', cases: Object.fromEntries(chosen.map(name => [name, missing])) })
  }

const rows: Row[] = crew.map(member => ({
  name: member.name,
  version: versionOf(member.packages[0] ?? ''),
  cases: {},
}))
const isPeer = (i: number) => !SIDES.includes(crew[i]!.file)
const report: Report = {
  node: process.version,
  machine: `${platform()} ${arch()}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'processor'}`,
  toolwright: values.source ? 'source' : 'built',
  warm: !values.cold,
  best: {},
  units: {},
  rows: [...rows, ...absent],
}

for (const each of cases.filter(c => chosen.includes(c.name))) {
  say(each.name)
  const times = values.cold
    ? await timedCold(crew, each, pace.passes, file => hire(file, flags))
    : await timed(crew, each, pace)
  const of = crew.map(member => times.get(member)!)
  const us = of.map(given => ('us' in given ? given.us : undefined))
  const figures = compared(us, each.name)
  report.units[each.name] = each.unit
  rows.forEach((row, i) => {
    row.cases[each.name] = figures[i] ?? (of[i] as { missing: string })
  })
}
for (const member of crew) member.leave()

if (chosen.includes('import')) {
  say('import')
  const [bare, ...imported] = starts(
    crew.map(m => m.imports),
    values.quick ? 5 : 15,
    flags,
  ) as [number[], ...number[][]]
  const above = imported.map((ms, i) =>
    crew[i]!.imports.length === 0 ? undefined : ms.map((one, n) => one - bare[n]!),
  )
  compared(above, 'import').forEach((figure, i) => {
    if (figure) rows[i]!.importMs = figure
  })
}
if (chosen.includes('size')) {
  say('size')
  rows.forEach((row, i) => {
    if (crew[i]!.packages.length > 0) row.installed = weigh(crew[i]!.packages)
  })
}
process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : tables(report)}\n`)

/** The figures of all members, compared with the best peer, which is noted under `name`, and with the floor. */
function compared(all: readonly (readonly number[] | undefined)[], name: string): (Figure | undefined)[] {
  const peers = all.flatMap((values, i) => (values && isPeer(i) ? [{ values, name: rows[i]!.name }] : []))
  const best = peers.toSorted((a, b) => median(a.values) - median(b.values))[0]
  if (best) report.best[name] = best.name
  const floor = all[crew.findIndex(member => member.file === 'floor')]
  return all.map(
    values =>
      values && {
        median: median(values),
        least: Math.min(...values),
        most: Math.max(...values),
        ...(best && { toBest: ratio(values, best.values) }),
        ...(floor && { toFloor: ratio(values, floor) }),
      },
  )
}

/** The files of peers/ that are a subject, the floor and toolwright first. */
function filesOfPeers(): string[] {
  const found = readdirSync(new URL('./peers/', import.meta.url)).map(file => file.replace(/\.ts$/, ''))
  return [...SIDES, ...found.filter(file => !SIDES.includes(file)).sort()]
}

function chosenOf(stated: string | undefined, known: readonly string[], option: string): readonly string[] {
  if (stated === undefined) return known
  const wanted = stated.split(',').map(name => name.trim())
  const strange = wanted.filter(name => !known.includes(name))
  if (strange.length > 0) {
    say(`${option} knows no ${strange.join(', ')}; it knows ${known.join(', ')}`)
    process.exit(1)
  }
  return known.filter(name => wanted.includes(name))
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
