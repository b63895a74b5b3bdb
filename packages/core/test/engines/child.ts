// A process that works on a store until its run has ended, or it is killed. Arguments: the store, the file for its
// lines, and as JSON what shall go wrong.
import { writeSync } from 'node:fs'
import { keeper } from '../../src/engine/keeper.ts'
import type { Claimed, Store, Write } from '../../src/engine/store.ts'
import { sqliteStore } from '../../src/sqlite/store.ts'
import { work } from './work.ts'

/** What goes wrong: the process dies around its n-th commit or before it keeps a step, or the engine has a defect. */
export interface Wrong {
  killBefore?: string
  kill?: { when: 'before' | 'after'; commit: number }
  defect?: 'loses an outcome' | 'runs a step again'
}

/** The store with a defect: what the tests must find. */
function defective(store: Store, defect: Wrong['defect']): Store {
  const isLoop = (key: string): boolean => key === '/loop 2'
  if (defect === 'loses an outcome')
    return {
      ...store,
      commit: (writes: readonly Write[]) =>
        store.commit(
          writes.filter(w => !(w.what === 'record' && w.record.kind === 'step' && isLoop(w.record.key))),
        ),
    }
  if (defect === 'runs a step again')
    return {
      ...store,
      async claim(run): Promise<Claimed | undefined> {
        const claimed = await store.claim(run)
        return claimed && { ...claimed, records: claimed.records.filter(r => !isLoop(r.key)) }
      },
    }
  return store
}

const [file = '', lines = '', wrong = '{}'] = process.argv.slice(2)
const { kill, killBefore, defect } = JSON.parse(wrong) as Wrong
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const store = sqliteStore(file, {
  patience: 20_000,
  look: 20,
  fault(when, commit) {
    if (kill?.when === when && kill.commit === commit) die()
    // Every commit is told, so that a parent can aim at the next one.
    writeSync(1, when === 'before' ? '' : '.')
  },
})
const keeps = (write: Write, key: string): boolean => write.what === 'record' && write.record.key === key
const dying: Store = {
  ...store,
  commit(writes) {
    if (killBefore !== undefined && writes.some(write => keeps(write, killBefore))) die()
    return store.commit(writes)
  },
}
const engine = keeper(defective(dying, defect), { leaveAfter: 5 })
await engine.open({ work: work(lines) })
const run = await engine.run({ flow: 'work', input: {}, id: 'main' })
await engine.settled(run.id)
await engine.close()
