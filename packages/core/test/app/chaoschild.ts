// A process that works on an app until its run has ended, or it is killed. Arguments: the store, the file for its
// lines, and as JSON what shall go wrong.
import { writeSync } from 'node:fs'
import { keeper } from '../../src/engine/keeper.ts'
import type { Claimed, Store, Write } from '../../src/engine/store.ts'
import { app } from '../../src/index.ts'
import { sqliteStore } from '../../src/sqlite/store.ts'
import { work } from './chaoswork.ts'

/** What goes wrong: the process dies around its n-th commit, or the engine has a defect in what it keeps of `key`. */
export interface Wrong {
  kill?: { when: 'before' | 'after'; commit: number }
  /** Dies when the record of this key is to be kept. */
  killBefore?: string
  defect?: { what: 'loses an outcome' | 'runs a step again'; key: string }
}

const [file = '', lines = '', wrong = '{}'] = process.argv.slice(2)
const { kill, killBefore, defect } = JSON.parse(wrong) as Wrong
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const sqlite = sqliteStore(file, {
  patience: 20_000,
  look: 20,
  fault(when, commit) {
    if (kill?.when === when && kill.commit === commit) die()
    // Every commit is told, so that a parent can aim at the next one.
    writeSync(1, when === 'before' ? '' : '.')
  },
})
const keeps = (write: Write, key: string): boolean =>
  write.what === 'record' && write.record.kind !== 'begin' && write.record.key === key
const store: Store = {
  ...sqlite,
  commit(writes) {
    if (killBefore !== undefined && writes.some(write => keeps(write, killBefore))) die()
    const lost = defect?.what === 'loses an outcome' ? defect.key : undefined
    return sqlite.commit(lost === undefined ? writes : writes.filter(write => !keeps(write, lost)))
  },
  async claim(run): Promise<Claimed | undefined> {
    const claimed = await sqlite.claim(run)
    if (!claimed || defect?.what !== 'runs a step again') return claimed
    return { ...claimed, records: claimed.records.filter(r => r.kind === 'begin' || r.key !== defect.key) }
  },
}
const main = work(lines)
const made = app({ agents: [main], store: keeper(store, { leaveAfter: 5 }), drain: false })
await made.open()
const run = await made.runs.start(main, 'go', { person: 'ann', key: 'main' })
// Killed three times in one step, it is parked, until the parent resumes it.
await made.runs.answer(run).catch(error => {
  if (error.code !== 'T6009') throw error
})
await made.close()
