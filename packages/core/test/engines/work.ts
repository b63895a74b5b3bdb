// The work that is killed: parallel branches, asks, sleeps, nested branches, rows, signals. Every effect leaves a line
// on the disk, and so does every step whose outcome the code was given.
import { appendFileSync } from 'node:fs'
import type { Flow, RunPlace } from '../../src/engine/engine.ts'
import type { Outcome } from '../../src/engine/place.ts'

const far = Date.UTC(2100, 0)
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** What the run gives, however often it is killed. */
export const EXPECTED = [
  'start',
  ['free', 'asked true', 'deep true'],
  'gone on',
  ['l1', 'l2', 'l3', 'l4', 'l5'],
]

/** The asks of the work. */
export const ASKS = ['tool 1.2 asked/ask', 'tool 1.3 deep/tool 1 deeper/ask']

export function work(lines: string): Flow {
  const note = (line: string): void => appendFileSync(lines, `${line}\n`)
  const step = async (place: RunPlace, name: string, ms: number, value: string): Promise<string> => {
    let key = ''
    const given = await place.step(name, async s => {
      key = s.key
      note(`did ${key}`)
      await pause(ms)
      return value
    })
    note(`kept ${place.key}/${name}`)
    return given
  }
  const decide = async (place: RunPlace): Promise<string> => {
    const call = { id: '', tool: 'x', arguments: '{}' }
    const asked = { step: `${place.path}/ask`, call, why: 'it asks', about: 'x', readOnly: false }
    return String((await place.decide('ask', asked, far)).approved)
  }
  const row = (place: RunPlace, n: number): void => place.write('thread', n, { kind: 'show', row: n })
  const outcome = (text: string): Outcome => ({ text })

  return async place => {
    const first = await step(place, 'start', 1, 'start')
    row(place, 0)
    const branches = await Promise.all([
      place.branch('1.1', 'free', async p => {
        for (let n = 1; n <= 4; n++) await step(p, `s${n}`, n, 's')
        return outcome('free')
      }),
      place.branch('1.2', 'asked', async p => {
        const said = await decide(p)
        await step(p, 'pay', 2, 'paid')
        return outcome(`asked ${said}`)
      }),
      place.branch(
        '1.3',
        'deep',
        async p => {
          await step(p, 'before', 0, 'b')
          return await p.branch('1', 'deeper', async deep => {
            await deep.sleep('nap', 10)
            const said = await decide(deep)
            await step(deep, 'deepest', 3, 'd')
            return outcome(`deep ${said}`)
          })
        },
        { flow: 'deep', input: 1 },
      ),
    ])
    row(place, 1)
    await place.sleep('pause', 15)
    const sent = await place.wait('go', 'go', far)
    const list: string[] = []
    for (let n = 1; n <= 5; n++) {
      row(place, n + 1)
      list.push(await step(place, `loop ${n}`, 1, `l${n}`))
    }
    return [first, branches.map(b => b.text), sent ?? null, list]
  }
}
