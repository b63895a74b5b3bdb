// The same durable steps on @toolwright/postgres and on DBOS, on the same PostgreSQL, in turn: steps per second of 1,
// 10 and 100 runs, from their start until all have ended, and how long it takes from what is sent to a run that waits
// until its next step. Run: node --conditions=development bench/postgres.ts [passes]
// PostgreSQL is that of peers/ (see CONTRIBUTING.md), with its default settings: each commit is on the disk.
import { spawn } from 'node:child_process'
import { type Server, startServer } from '../packages/postgres/test/server.ts'
import type { Subject } from './postgres-subject.ts'

const passes = Number(process.argv[2] ?? 3)
const subjects = ['toolwright', 'dbos'] as const
const lines = [
  '1 run, steps/s',
  '10 runs, steps/s',
  '100 runs, steps/s',
  'wake p50, ms',
  'wake p99, ms',
  'wake after 1.5 s p50, ms',
  'wake after 1.5 s p99, ms',
]

/** One pass of a subject in a process of its own, on a database of its own. */
async function pass(server: Server, subject: (typeof subjects)[number]): Promise<number[]> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=development',
      '--disable-warning=ExperimentalWarning',
      `${import.meta.dirname}/postgres-subject.ts`,
      subject,
      await server.database(),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', data => {
    said += String(data)
  })
  const code = await new Promise(resolve => child.once('exit', resolve))
  const found = /RESULT (.*)/.exec(said)?.[1]
  if (code !== 0 || !found) throw new Error(`${subject} ended with ${code}: ${said}`)
  const { rates, wakes } = JSON.parse(found) as Awaited<ReturnType<Subject['measure']>>
  return [...rates, ...wakes]
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!

const server = await startServer()
try {
  const all = Object.fromEntries(subjects.map(subject => [subject, [] as number[][]]))
  for (let n = 0; n < passes; n++)
    for (const subject of subjects) all[subject]!.push(await pass(server, subject))
  console.log(`${''.padEnd(26)}${subjects.map(subject => subject.padStart(12)).join('')}`)
  for (const [i, line] of lines.entries()) {
    const cells = subjects.map(subject => median(all[subject]!.map(numbers => numbers[i]!)))
    console.log(
      `${line.padEnd(26)}${cells.map(cell => cell.toFixed(line.includes('ms') ? 1 : 0).padStart(12)).join('')}`,
    )
  }
} finally {
  await server.stop()
}
