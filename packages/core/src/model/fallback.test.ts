import { expect, test } from 'vitest'
import type { Model, Request, Turn } from '../define/records.ts'
import { fallback } from './fallback.ts'
import { says, scripted } from './scripted.ts'

const request: Request = { instructions: '', messages: [], tools: [], answer: false }
const never = new AbortController().signal
const named = (name: string, turn: Model['turn'], more: Partial<Model> = {}): Model => ({
  name,
  turn,
  ...more,
})
const down = (name: string, words = `${name} is down`) => named(name, () => Promise.reject(new Error(words)))
const up = (name: string, turn: Partial<Turn> = {}, more: Partial<Model> = {}) =>
  named(name, async () => says('Hello', turn), more)

test('the first one that can be had answers, and the turn says which', async () => {
  const model = fallback(down('a'), up('b'), up('c'))
  expect(model.name).toBe('a, else b, else c')
  expect(await model.turn(request, () => true, never)).toMatchObject({ text: 'Hello', model: 'b' })
})

test('one in another is named itself', async () => {
  const model = fallback(down('a'), fallback(down('b'), up('c')))
  expect(await model.turn(request, () => true, never)).toMatchObject({ model: 'c' })
})

test('after the first piece the next is not asked', async () => {
  const torn = named('a', async (_, each) => {
    each({ kind: 'text', text: 'He' })
    throw new Error('torn')
  })
  let asked = false
  const next = named('b', async () => ((asked = true), says('x')))
  await expect(fallback(torn, next).turn(request, () => true, never)).rejects.toThrow('torn')
  expect(asked).toBe(false)
})

test('a turn that was stopped is not asked of the next', async () => {
  const stop = new AbortController()
  const stopping = named('a', async () => {
    stop.abort()
    throw new Error('stopped')
  })
  await expect(fallback(stopping, up('b')).turn(request, () => true, stop.signal)).rejects.toThrow('stopped')
})

test('where all fail, each is listed without its mend', async () => {
  const failing = fallback(down('a'), down('b', 'no credit\n  Pay the bill.')).turn(
    request,
    () => true,
    never,
  )
  await expect(failing).rejects.toMatchObject({ code: 'T3015' })
  await expect(failing).rejects.toThrow(/none of 2 models could be had:\n {2}a: a is down\n {2}b: no credit$/)
})

test('the cost is at the price of the one that answers, unless it says itself', async () => {
  const used = { input: 1_000_000, tokens: 1_000_000 }
  const price = { input: 1, output: 2 }
  const cost = async (...models: Model[]) => (await fallback(...models).turn(request, () => true, never)).cost
  expect(await cost(down('a'), up('b', used, { price }))).toBe(3)
  expect(await cost(down('a'), up('b', { ...used, cost: 7 }, { price }))).toBe(7)
  expect(await cost(down('a'), up('b', used))).toBeUndefined()
})

test('it takes no pictures where none of them does', () => {
  const blind = { images: false }
  expect(fallback(up('a', {}, blind), up('b', {}, blind)).images).toBe(false)
  expect(fallback(up('a', {}, blind), up('b')).images).toBeUndefined()
})

test('no model at all is an error at once', () => {
  expect(() => fallback()).toThrow(expect.objectContaining({ code: 'T3014' }))
  expect(() => fallback(scripted([]), {} as Model)).toThrow(expect.objectContaining({ code: 'T3014' }))
})
