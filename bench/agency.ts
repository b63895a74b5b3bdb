// The Agency language beside plain JavaScript that does the same, in one run: calls, the start of a program, and how
// long a file compiles. Run: npm run agency [-- passes]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, emit, parse, registerAgency } from '../packages/agency/src/index.ts'
import { environment } from './environment.ts'
import { median, ratio } from './measure.ts'

interface Work {
  fib(n: number): number
  addUp(times: number): number
  fibLater(n: number): Promise<number>
  addUpLater(times: number): Promise<number>
}

const here = (path: string): string => new URL(path, import.meta.url).href
const passes = Number(process.argv[2] ?? 15)
const lines: string[][] = []

await calls()
starts()
compiles()
const widths = lines[0]!.map((_, i) => Math.max(...lines.map(line => line[i]?.length ?? 0)))
for (const line of lines)
  console.log(
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
  )

async function calls(): Promise<void> {
  registerAgency()
  const agency = (await import(here('agency/work.agency'))) as Work
  const plain = (await import(here('agency/work.js'))) as Work
  lines.push(['calls', 'JavaScript', 'Agency', 'times', 'at most'])
  const cases: [string, (work: Work) => unknown, number][] = [
    ['fib 22', work => work.fib(22), 17711],
    ['100,000 calls', work => work.addUp(100_000), 100_000],
    ['fib 22, asynchronous', work => work.fibLater(22), 17711],
    ['100,000 calls, asynchronous', work => work.addUpLater(100_000), 100_000],
  ]
  for (const [name, work, gives] of cases) {
    const subjects = [plain, agency]
    const took: number[][] = subjects.map(() => [])
    // Interleaved, the first passes not counted: they are warm then.
    for (let pass = -5; pass < passes; pass++)
      for (const [i, subject] of subjects.entries()) {
        const begun = performance.now()
        const value = await work(subject)
        const ms = performance.now() - begun
        if (value !== gives) throw new Error(`${name} gave ${String(value)}`)
        if (pass >= 0) took[i]!.push(ms)
      }
    lines.push([
      name,
      ...took.map(ms => `${median(ms).toFixed(2)} ms`),
      ratio(took[1]!, took[0]!).toFixed(2),
      '2',
    ])
  }
}

function starts(): void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agency-'))
  const hello = join(folder, 'hello.agency')
  writeFileSync(hello, 'node main() {\n  return "hello"\n}\n')
  const run = (...args: string[]): number => {
    const begun = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, { env: environment, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`)
    return performance.now() - begun
  }
  const toolwright = join(import.meta.dirname, '../packages/toolwright/dist/main.js')
  try {
    const bare: number[] = []
    const agency: number[] = []
    for (let pass = -2; pass < passes; pass++) {
      const times = [run('--eval', '0'), run(toolwright, 'run', hello)]
      if (pass < 0) continue
      bare.push(times[0]!)
      agency.push(times[1]!)
    }
    lines.push([])
    lines.push(['start', 'bare Node', 'toolwright', 'times', 'at most'])
    lines.push([
      'toolwright run hello.agency',
      `${median(bare).toFixed(0)} ms`,
      `${median(agency).toFixed(0)} ms`,
      ratio(agency, bare).toFixed(2),
      '3',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A program of so many lines, as people write them: types, defs, blocks, strings and calls of a model. */
function programOf(count: number): string {
  const parts: string[] = []
  const own = `type Order$ = { id: string, total: number, lines: { name: string, price: number }[] }

def totalOf$(orders: Order$[], least: number = 0): number {
  """
  Adds up what the orders cost.
  """
  const large = filter(orders, \\order -> order.total >= least)
  let sum = 0
  for (order in large) {
    sum = sum + order.total * (1 + order.lines.length / 10)
  }
  if (sum > 1000 && least != 3) {
    return sum - 1
  }
  return sum
}

def tell$(order: Order$): string {
  const names = map(order.lines, \\line -> line.name)
  const best: { name: string, why: string } = llm("Which of \${names.join(", ")} is best?", tools: [totalOf$])
  return match (best.name) {
    "tea" => "tea, of course"
    _ => \`\${best.name}: \${best.why}\`
  }
}
`
  const each = own.split('\n').length
  for (let n = 0; n * each < count; n++)
    parts.push(own.replaceAll('$', (at, i) => (own[i + 1] === '{' ? at : String(n))))
  return parts
    .join('\n')
    .split('\n')
    .slice(0, Math.ceil(count / each) * each)
    .join('\n')
}

function compiles(): void {
  lines.push([])
  lines.push(['compile', 'lines', 'took', 'µs a line', 'at most'])
  const host = { module: () => undefined }
  const compile = (source: string): number => {
    const begun = performance.now()
    const { program, faults } = parse(source)
    const checked = check(program, host, faults)
    if (checked.faults.length > 0) throw new Error(JSON.stringify(checked.faults[0]))
    emit(checked, source, 'bench.agency')
    return performance.now() - begun
  }
  for (const count of [200, 1000, 10_000]) {
    const source = programOf(count)
    const length = source.split('\n').length
    for (let n = 0; n * length < 10_000; n++) compile(source)
    const took = Array.from({ length: count > 1000 ? 5 : passes }, () => compile(source))
    const ms = median(took)
    lines.push([
      `${count} lines`,
      String(length),
      `${ms.toFixed(1)} ms`,
      ((ms * 1000) / length).toFixed(1),
      count === 200 ? '30 ms' : '',
    ])
  }
}
