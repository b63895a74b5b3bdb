import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FunctionObject } from '../define/records.ts'
import { wireName, wireNames } from './names.ts'

const tool = (name: string): FunctionObject => ({
  type: 'function',
  function: { name, description: '', parameters: { type: 'object' } },
})
const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 130 }),
  fc.stringMatching(/^[a-z]{1,3}[._/-][a-z]{1,3}$/),
  fc.stringMatching(/^[a-z]{60,70}$/),
)

test('a safe name stays as it is', () => {
  for (const name of ['add', 'get_weather', 'a-b', '_x', 'A'.repeat(64)]) expect(wireName(name)).toBe(name)
})

test('any name becomes one that every provider takes, always the same', () => {
  fc.assert(
    fc.property(anyName, name => {
      expect(wireName(name)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
      expect(wireName(name)).toBe(wireName(name))
    }),
  )
})

test('the mapping is what it was, so stored history keeps its meaning', () => {
  expect(wireName('crm.find')).toBe('crm_find_0l1fy3110wi')
  expect(wireName('2fa')).toMatch(/^_2fa_[0-9a-z]{11}$/)
})

test('two names are never told as one, not even a name and the wire name of another', () => {
  const related = fc
    .array(anyName, { minLength: 2, maxLength: 12 })
    .map(names => [
      ...new Set([
        ...names,
        ...names.map(wireName),
        ...names.map(n => n.replaceAll('.', '_')),
        ...names.map(n => n.slice(0, 64)),
      ]),
    ])
  fc.assert(
    fc.property(related, names => {
      expect(new Set(names.map(wireName)).size).toBe(names.length)
    }),
  )
})

test('a name that arrives is the real one again, and an unknown one is left as it is', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyName, { minLength: 1, maxLength: 10 }), names => {
      const wire = wireNames(names.map(tool))
      for (const name of names) expect(wire.real(wireName(name))).toBe(name)
    }),
  )
  expect(wireNames([tool('crm.find')]).real('crm.find')).toBe('crm.find')
  expect(wireNames([tool('add')]).real('ad')).toBe('ad')
  expect(wireNames([tool('add')]).real(' add\n')).toBe('add')
})

test('a tool that is not on offer any more is still known by what the thread calls it', () => {
  const call = { id: 'a', tool: 'crm.find', arguments: '{}' }
  const message = {
    role: 'assistant',
    text: '',
    reasoning: '',
    calls: [call],
    call: '',
    details: [],
    origin: { from: 'model', model: 'm' },
  } as const
  expect(wireNames([], [message]).real(wireName('crm.find'))).toBe('crm.find')
})

test('one name for two tools is refused', () => {
  expect(() => wireNames([tool('add'), tool('add')])).toThrow(/T3012.*'add' is offered twice/)
})
