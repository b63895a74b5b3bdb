import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Request, TurnPiece } from '../define/records.ts'
import { calls, says, scripted } from './scripted.ts'

const request: Request = { instructions: '', messages: [], tools: [], answer: false }
const idle = new AbortController().signal

async function pieces(text: string): Promise<string[]> {
  const seen: string[] = []
  await scripted([says(text)]).turn(request, piece => seen.push(piece.text) > 0, idle)
  return seen
}

test('gives its turns in order, reasoning before text', async () => {
  const model = scripted([
    says('one', { reasoning: 'r', tokens: 3 }),
    calls([
      ['add', '{"a":1}'],
      ['sub', { b: 2 }],
    ]),
  ])
  const seen: TurnPiece[] = []
  const first = await model.turn(request, piece => seen.push(piece) > 0, idle)
  expect(first).toEqual({
    text: 'one',
    reasoning: 'r',
    calls: [],
    details: [],
    tokens: 3,
    input: 0,
    window: 0,
  })
  expect(seen).toEqual([
    { kind: 'reasoning', text: 'r' },
    { kind: 'text', text: 'one' },
  ])
  expect((await model.turn(request, () => true, idle)).calls).toEqual([
    { id: 'call_0', tool: 'add', arguments: '{"a":1}' },
    { id: 'call_1', tool: 'sub', arguments: '{"b":2}' },
  ])
})

test('any text comes in pieces of at most 4 bytes, none of them empty or with half a character', async () => {
  expect(await pieces('abcdef')).toEqual(['abcd', 'ef'])
  expect(await pieces('aüb€🙂c')).toEqual(['aüb', '€', '🙂', 'c'])
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async text => {
      const seen = await pieces(text)
      expect(seen.join('')).toBe(text)
      for (const piece of seen) {
        expect(piece).not.toBe('')
        expect(new TextEncoder().encode(piece).length).toBeLessThanOrEqual(4)
        expect(piece.isWellFormed()).toBe(true)
      }
    }),
  )
})

test('half a surrogate pair in a script is given as it is', async () => {
  expect((await pieces('a\ud83db')).join('')).toBe('a\ud83db')
})

test('a false stops the turn: the text so far, and no calls', async () => {
  const turn = { ...calls([['add', '{}']]), text: 'abcdefgh' }
  const stopAt = async (n: number) => {
    let given = 0
    return scripted([turn]).turn(request, () => ++given < n, idle)
  }
  expect(await stopAt(1)).toMatchObject({ text: 'abcd', calls: [], cut: 'stopped' })
  expect(await stopAt(2)).toMatchObject({ text: 'abcdefgh', calls: [], cut: 'stopped' })
  expect(await stopAt(3)).toEqual(turn)
})

test('a false in the reasoning stops before the text', async () => {
  const turn = await scripted([says('text', { reasoning: 'abcdef' })]).turn(request, () => false, idle)
  expect(turn).toMatchObject({ reasoning: 'abcd', text: '', cut: 'stopped' })
})

test('the signal stops the turn too', async () => {
  const stop = new AbortController()
  const turn = await scripted([says('abcdefgh')]).turn(
    request,
    () => {
      stop.abort()
      return true
    },
    stop.signal,
  )
  expect(turn).toMatchObject({ text: 'abcd', cut: 'stopped' })
  expect(await scripted([calls([['add', '{}']])]).turn(request, () => true, stop.signal)).toMatchObject({
    calls: [],
    cut: 'stopped',
  })
})

test('an exhausted script says how many turns it had and how many were asked', async () => {
  const model = scripted([says('only')])
  await model.turn(request, () => true, idle)
  await expect(model.turn(request, () => true, idle)).rejects.toThrow(
    'T3011: the scripted model has 1 turn and was asked for turn 2',
  )
})

test('a turn may be made from what was asked', async () => {
  const model = scripted([asked => says(`${asked.tools.length} tools`), async () => says('later')])
  expect((await model.turn(request, () => true, idle)).text).toBe('0 tools')
  expect((await model.turn(request, () => true, idle)).text).toBe('later')
})

test('what a run does with a turn does not change the script', async () => {
  const turn = calls([['add', '{}']])
  const given = await scripted([turn]).turn(request, () => true, idle)
  given.calls[0]!.tool = 'other'
  expect(turn.calls[0]!.tool).toBe('add')
})
