// kill -9, at random and at each write, and two processes on one store. The full numbers run with TOOLWRIGHT_FULL=1.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { seeded } from '../support/seeded.ts'
import { Site } from './kill.ts'

const full = process.env['TOOLWRIGHT_FULL'] === '1'
const folder = mkdtempSync(join(tmpdir(), 'toolwright-kill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const site = async (name: string): Promise<Site> => {
  const made = new Site(folder, name)
  await made.begin()
  return made
}

describe('killed', () => {
  test('at random moments, a run ends as if nothing had happened', { timeout: 600_000 }, async () => {
    const random = seeded(6)
    const wanted = full ? 500 : 12
    let kills = 0
    for (let n = 0; kills < wanted; n++) {
      const there = await site(`random${n}`)
      // Late in some runs, early in others, and not for ever: then it may end.
      for (let k = 0; k < 8; k++) {
        const { ended } = there.live({}, random() * 60)
        await there.attend(ended)
        if ((await ended) === 'ended') break
        kills++
        await there.look()
        await there.resume()
      }
      await there.finish()
      expect(there.faults).toEqual([])
    }
  })

  test('before and after each commit, a run ends as if nothing had happened', {
    timeout: 600_000,
  }, async () => {
    let reached = 0
    for (let commit = 1; commit < 100; commit += full ? 1 : 8)
      for (const when of ['before', 'after'] as const) {
        if (!full && when === (commit % 16 === 1 ? 'before' : 'after')) continue
        const there = await site(`commit${commit}${when}`)
        const { ended } = there.live({ kill: { when, commit } })
        await there.attend(ended)
        const killed = (await ended) === 'killed'
        await there.look()
        if (killed) await there.finish()
        else await there.judge()
        expect({ commit, when, faults: there.faults }).toEqual({ commit, when, faults: [] })
        if (killed) reached = commit
        // Less would end before this commit: all have been killed.
        else if (when === 'after' || !full) commit = 100
      }
    expect(reached).toBeGreaterThan(15)
  })

  test.each(['loses an outcome', 'runs a step again'] as const)(
    'an engine that %s is found out',
    { timeout: 60_000 },
    async defect => {
      const there = await site(defect)
      // Killed after the step, while the run still works.
      const { ended } = there.live({ defect, killBefore: '/loop 3' })
      await there.attend(ended)
      await ended
      await there.look()
      await there.finish({ defect })
      expect(there.faults.join('\n')).toMatch(/loop 2/)
    },
  )

  test('two processes fight for one store: one works, and the other takes over', {
    timeout: 60_000,
  }, async () => {
    const there = await site('two')
    const first = there.live({}, 25)
    const second = there.live({}, 60)
    const third = there.live()
    await there.attend(Promise.all([first.ended, second.ended, third.ended]))
    await there.judge()
    expect(there.faults).toEqual([])
  })
})
