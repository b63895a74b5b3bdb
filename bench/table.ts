// The report as tables for people.
import { goalsOf } from './goals.ts'
import type { Figure, Report, Row } from './report.ts'

type Cell = (row: Row) => string

/** All tables of a report as one text. */
export function tables(report: Report): string {
  const names = Object.keys(report.units)
  const figure = (row: Row, name: string): Figure | undefined => {
    const given = row.cases[name]
    return given === undefined || 'missing' in given ? undefined : given
  }
  const column = (of: (figure: Figure) => number | undefined, show: (n: number) => string) =>
    names.map<[string, Cell]>(name => [
      name,
      row => {
        const given = figure(row, name)
        const value = given && of(given)
        return value === undefined ? '–' : show(value)
      },
    ])
  const flat: [string, Cell] = [
    '400 to 50',
    row => {
      const few = figure(row, 'round50')
      const many = figure(row, 'round400')
      return few && many ? times(many.median / few.median) : '–'
    },
  ]
  const parts = [
    `Node ${report.node}, ${report.machine}, toolwright ${report.toolwright}, ${report.warm ? 'warmed up' : 'cold'}`,
  ]
  if (names.length > 0) {
    const flatness = names.includes('round50') && names.includes('round400') ? [flat] : []
    parts.push(
      grid('Medians', report.rows, [...column(f => f.median, micro), ...flatness]),
      grid(
        'Times the best peer (it has 1)',
        report.rows,
        column(f => f.toBest, times),
      ),
      grid(
        'Times the floor',
        report.rows,
        column(f => f.toFloor, times),
      ),
      `  ${names.map(name => `${name}: ${report.units[name]}`).join(' · ')}`,
      `  best peers: ${names.map(name => `${name} ${report.best[name] ?? '–'}`).join(', ')}`,
    )
  }
  const still = report.rows.filter(row => row.importMs ?? row.installed)
  if (still.length > 0)
    parts.push(
      grid('At rest', still, [
        ['import', row => (row.importMs ? `${row.importMs.median.toFixed(0)} ms` : '–')],
        ['to best', row => (row.importMs?.toBest === undefined ? '–' : times(row.importMs.toBest))],
        ['installed', row => (row.installed ? `${(row.installed.bytes / 1e6).toFixed(1)} MB` : '–')],
        ['packages', row => String(row.installed?.packages ?? '–')],
      ]),
    )
  const goals = goalsOf(report)
  if (goals.length > 0) parts.push(`Goals of toolwright\n${goals.join('\n')}`)
  const missing = report.rows.flatMap(missingOf)
  if (missing.length > 0) parts.push(`Not measured\n${missing.join('\n')}`)
  return parts.join('\n\n')
}

/** What a subject could not do, a line for each reason. */
function missingOf(row: Row): string[] {
  const why = new Map<string, string[]>()
  for (const [name, given] of Object.entries(row.cases))
    if ('missing' in given) why.set(given.missing, [...(why.get(given.missing) ?? []), name])
  return [...why].map(([reason, names]) => `  ${row.name}: ${names.join(', ')}: ${reason}`)
}

function grid(title: string, rows: readonly Row[], columns: readonly [string, Cell][]): string {
  const lines = [
    [title, ...columns.map(([name]) => name)],
    ...rows.map(row => [`${row.name} ${row.version}`.trim(), ...columns.map(([, cell]) => cell(row))]),
  ]
  const widths = lines[0]!.map((_, i) => Math.max(...lines.map(line => line[i]!.length)))
  return lines
    .map(line =>
      line.map((text, i) => (i === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[i]!))).join('  '),
    )
    .join('\n')
}

function micro(us: number): string {
  if (us >= 10_000) return `${(us / 1000).toFixed(0)} ms`
  if (us >= 1000) return `${(us / 1000).toFixed(1)} ms`
  return `${us.toFixed(us >= 100 ? 0 : us >= 10 ? 1 : 2)} µs`
}

const times = (n: number) => `${n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : 2)}×`
