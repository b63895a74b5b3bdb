// Runs each program as a flow, killed before and after each write of its journal, in a process of its own. Gives what
// became of each as JSON, in the file that is named.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Flow, Model, Request } from '@toolwright/core'
import { FLOW } from '@toolwright/core/engine'
import { defaults } from '../../../core/src/define/limits.ts'
import { Stop } from '../../../core/src/engine/stop.ts'
import { beginFlow } from '../../../core/src/loop/begin.ts'
import { Thread } from '../../../core/src/loop/thread.ts'
import { jumpingClock } from '../../../core/test/support/clock.ts'
import { Journal, replaying } from '../../../core/test/support/journal.ts'
import { registerAgency, useModel } from '../../src/index.ts'
import { type FlowProgram, host, programs } from './programs.ts'

/** What one life of a program did. */
interface Life {
  /** Nothing where it was killed. */
  gave?: string
  asked: string[]
  effects: string[]
  journal: Journal
}

export interface KillResult {
  gave: string
  asked: number
  writes: number
  /** What was not as it should be. */
  wrong: string[]
}

const effects: string[] = []
Object.assign(globalThis, { effects })

function modelOf({ turns }: FlowProgram, asked: string[]): Model {
  return {
    name: 'by turn',
    async turn({ messages }: Request) {
      const at = messages.findLastIndex(m => m.role === 'user' && Object.hasOwn(turns, m.text))
      const last = messages.findLast(m => m.role === 'user')?.text ?? ''
      const said = messages.slice(at).filter(m => m.role === 'assistant' && m.origin.from === 'model').length
      asked.push(`${messages[at]?.text ?? last} ${said}`)
      const turn = at < 0 || last.startsWith('nothing') ? undefined : turns[messages[at]!.text]?.[said]
      if (!turn) throw new Error(`there is no turn ${said} of ${last}`)
      return { ...turn, tokens: 10, input: 100 }
    },
  }
}

async function live(of: Flow, program: FlowProgram, journal: Journal): Promise<Life> {
  effects.length = 0
  const asked: string[] = []
  useModel(modelOf(program, asked))
  const clock = jumpingClock()
  const place = replaying({
    journal,
    clock,
    stop: new Stop(),
    asks: ask => (ask.call.arguments.includes('5') ? { approved: false, why: 'no' } : { approved: true }),
  })
  const ending = beginFlow(of[FLOW], program.input ?? {}, {
    id: 'run',
    place,
    thread: new Thread('main'),
    clock,
    output: undefined,
    limits: defaults,
    asksEach: false,
    declined: name => `${name} was not carried out`,
  })
  const gave = await Promise.race([ending.then(value => JSON.stringify(value)), journal.died])
  return { ...(typeof gave === 'string' ? { gave } : {}), asked, effects: [...effects], journal }
}

/** What is kept, but for how often a step was begun. */
const keptBy = (journal: Journal): string =>
  JSON.stringify([...journal.kept].filter(([key]) => !/#\d+$/.test(key)).sort())

async function killed(of: Flow, program: FlowProgram): Promise<KillResult> {
  const whole = await live(of, program, new Journal())
  const wrong: string[] = []
  for (let write = 1; write <= whole.journal.writes; write++)
    for (const when of ['before', 'after'] as const) {
      const where = `${when} write ${write}`
      const first = await live(of, program, new Journal(new Map(), { write, when }))
      const second = await live(of, program, new Journal(first.journal.kept))
      if (second.gave !== whole.gave) wrong.push(`${where}: gave ${second.gave}`)
      if (keptBy(second.journal) !== keptBy(whole.journal)) wrong.push(`${where}: kept other things`)
      // At most what was under way as it died was done again, and what failed: a failed turn is kept by nobody.
      if (first.asked.length + second.asked.length > whole.asked.length + 2)
        wrong.push(`${where}: asked again`)
      const tidied = [...first.effects, ...second.effects].filter(each => each.startsWith('tidy'))
      const once = whole.effects.filter(each => each.startsWith('tidy'))
      if (tidied.length > once.length + 1) wrong.push(`${where}: tidied again`)
    }
  const again = await live(of, program, new Journal(whole.journal.kept))
  if (again.gave !== whole.gave || again.asked.length > 0) wrong.push('once more, it worked')
  return { gave: whole.gave ?? '', asked: whole.asked.length, writes: whole.journal.writes, wrong }
}

registerAgency()
const root = mkdtempSync(join(tmpdir(), 'agency-kills-'))
// What the programs import is found from there.
symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(root, 'node_modules'))
const results: Record<string, KillResult> = {}
try {
  for (const [i, [name, program]] of Object.entries(programs).entries()) {
    const folder = join(root, String(i))
    mkdirSync(folder)
    writeFileSync(join(folder, 'main.agency'), program.source)
    writeFileSync(join(folder, 'host.ts'), host)
    const { main } = (await import(pathToFileURL(join(folder, 'main.agency')).href)) as { main: Flow }
    results[name] = await killed(main, program)
  }
} finally {
  rmSync(root, { recursive: true })
}
writeFileSync(process.argv[2]!, JSON.stringify(results))
