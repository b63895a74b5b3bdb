// What is deleted is gone: from the bytes of the file and from the log.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { agent, app, logTo, tool } from '../../src/index.ts'
import { sqlite } from '../../src/sqlite.ts'
import { calls, says } from '../../src/test.ts'
import { handClock } from '../engines/conformance.ts'
import { byTurn } from './byturn.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-gone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** All that the files of that beginning hold. */
const bytes = (name: string): string =>
  readdirSync(folder)
    .filter(each => each.startsWith(name))
    .map(each => readFileSync(join(folder, each)).toString('latin1'))
    .join()

const teller = () =>
  agent('teller', {
    model: byTurn(
      Array.from({ length: 9 }, (_, n) =>
        n % 2 === 0
          ? calls([['tell', '{}']])
          : messages => says(`told ${messages.findLast(m => m.origin.from === 'person')!.text}`),
      ),
    ),
    instructions: '',
    tools: [tool('tell', { about: 'Tells', run: () => 'large '.repeat(60_000) })],
    limits: { result: '2 MB' },
  })

test.each(['delete', 'forget', 'keep'] as const)(
  '%s takes values, messages, large values and the log along',
  async how => {
    const clock = handClock()
    const log = join(folder, `${how}.jsonl`)
    const store = sqlite(join(folder, `${how}.db`), { clock })
    const options = { agents: [teller()], store, clock, drain: false, log: logTo(log) } as const
    const made = app(how === 'keep' ? { ...options, keep: '30 days' } : options)
    const say = async (message: string, person: string) => {
      const run = await made.runs.start('teller', { message, thread: 'main' }, { person })
      await made.runs.answer(run)
      return run
    }
    const secret = await say('a-secret-of-ann', 'ann')
    if (how === 'keep') clock.move(20 * 86_400_000)
    await say('plain-of-bob', 'bob')
    expect(bytes(`${how}.`)).toContain('a-secret-of-ann')
    expect(readFileSync(log, 'utf8')).toContain(secret.id)
    if (how === 'delete') expect(await made.runs.delete(secret)).toBe(true)
    else if (how === 'forget') expect(await made.runs.forget('ann')).toBe(1)
    else clock.move(10 * 86_400_000)
    await expect.poll(() => made.runs.list()).toHaveLength(1)
    await expect.poll(() => bytes(`${how}.`)).not.toContain('a-secret-of-ann')
    expect(bytes(`${how}.`)).not.toContain(secret.id)
    expect(bytes(`${how}.`)).not.toContain('"ann"')
    expect(bytes(`${how}.`)).toContain('plain-of-bob')
    await made.close()
    // Owner only.
    for (const name of readdirSync(folder).filter(each => each.startsWith(`${how}.`)))
      expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0])
    expect(existsSync(log)).toBe(true)
  },
)
