// kill -9 of a process that works on an app, at random and at each write. The full numbers run with TOOLWRIGHT_FULL=1.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Row } from '../../src/engine.ts'
import { seeded } from '../support/seeded.ts'
import { Site } from './chaos.ts'

const full = process.env['TOOLWRIGHT_FULL'] === '1'
const folder = mkdtempSync(join(tmpdir(), 'toolwright-chaos-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an app that is killed', () => {
  let undisturbed: Row[][] = []
  beforeAll(async () => {
    const site = new Site(folder, 'undisturbed')
    undisturbed = await site.finish()
    expect(site.faults).toEqual([])
    expect(undisturbed.map(rows => rows.length)).toEqual([expect.any(Number), 5, 4])
    expect(undisturbed[0]!.length).toBeGreaterThan(12)
  }, 60_000)

  test('at random moments: answer, threads and effects are the same as without', {
    timeout: 1_800_000,
  }, async () => {
    const random = seeded(11)
    const wanted = full ? 500 : 6
    let kills = 0
    for (let n = 0; kills < wanted; n++) {
      const site = new Site(folder, `random${n}`)
      // Late in some lives, early in others, and not for ever: then it may end.
      for (let k = 0; k < 8; k++) {
        if ((await site.live({}, random() * 90)) === 'ended') break
        kills++
        await site.resume()
      }
      const rows = await site.finish()
      expect({ n, faults: site.faults }).toEqual({ n, faults: [] })
      expect(rows).toEqual(undisturbed)
    }
  })

  test('before and after each commit', { timeout: 1_800_000 }, async () => {
    let reached = 0
    for (let commit = 1; commit < 200; commit += full ? 1 : 13)
      for (const when of ['before', 'after'] as const) {
        if (!full && when === (commit % 2 === 1 ? 'before' : 'after')) continue
        const site = new Site(folder, `commit${commit}${when}`)
        const killed = (await site.live({ kill: { when, commit } })) === 'killed'
        await site.look()
        const rows = await site.finish()
        expect({ commit, when, faults: site.faults }).toEqual({ commit, when, faults: [] })
        expect(rows).toEqual(undisturbed)
        if (killed) reached = commit
        // Less would end before this commit: all have been killed.
        else if (when === 'after' || !full) commit = 200
      }
    // How many commits a run takes depends on what comes together in one: some 25 to 45.
    expect(reached).toBeGreaterThan(10)
  })

  test.each([
    ['loses an outcome', '/1.3/load', '/1.3/close'],
    ['loses an outcome', '/1.1', '/3.1'],
    ['runs a step again', '/1.3/load', '/1.3/close'],
    ['runs a step again', '/1.2', '/3.1'],
  ] as const)('an engine that %s (%s) is found out', { timeout: 60_000 }, async (what, key, later) => {
    const site = new Site(folder, `${what}${key.replaceAll('/', '-')}`)
    const defect = { what, key }
    // Killed after what the defect is about; where the run leaves memory before, it is found out even earlier.
    await site.live({ defect, killBefore: later })
    await site.look()
    await site.finish({ defect })
    expect(site.faults.join('\n')).not.toBe('')
  })
})
