// Where the time of one subject in one case goes: the functions with the most time of their own.
//
//   node profile.ts SUBJECT CASE [seconds]      (node --conditions=development profile.ts …: toolwright's source)
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { cases } from './cases.ts'
import { environment } from './environment.ts'
import { perform, type Subject } from './work.ts'

const [file = 'toolwright', name = 'run', seconds = '3'] = process.argv.slice(2)
Object.assign(process.env, environment)
const { subject } = (await import(`./peers/${file}.ts`)) as { subject: Subject }
const given = cases.find(c => c.name === name)
if (given === undefined) throw new Error(`no case ${name}; there are ${cases.map(c => c.name).join(', ')}`)

async function performFor(ms: number): Promise<number> {
  const began = performance.now()
  let times = 0
  do {
    await perform(subject, given!.work)
    times++
  } while (performance.now() - began < ms)
  return ((performance.now() - began) * 1000) / times / given!.per
}

await performFor(1500)
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.setSamplingInterval', { interval: 100 })
await session.post('Profiler.start')
const us = await performFor(Number(seconds) * 1000)
const { profile } = await session.post('Profiler.stop')

const own = new Map<string, number>()
const step = new Map(profile.nodes.map(node => [node.id, node.callFrame]))
const deltas = profile.timeDeltas ?? []
profile.samples?.forEach((id, i) => {
  const { functionName, url, lineNumber } = step.get(id)!
  const where =
    url === '' ? '' : ` ${url.replace(/^.*\/(?=node_modules|packages|bench)/, '')}:${lineNumber + 1}`
  const key = `${functionName || '(anonymous)'}${where}`
  own.set(key, (own.get(key) ?? 0) + (deltas[i] ?? 0))
})
const all = [...own.values()].reduce((sum, value) => sum + value, 0)
console.log(`${subject.name}, ${name}: ${us.toFixed(2)} µs ${given.unit} (while profiled)`)
for (const [where, time] of [...own].sort((a, b) => b[1] - a[1]).slice(0, 30))
  console.log(
    `${((time / all) * 100).toFixed(1).padStart(5)}%  ${((time / all) * us).toFixed(2).padStart(8)} µs  ${where}`,
  )

const path = fileURLToPath(new URL(`./${file}-${name}.cpuprofile`, import.meta.url))
writeFileSync(path, JSON.stringify(profile))
console.log(`the whole profile: ${path}`)
