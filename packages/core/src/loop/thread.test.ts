import { describe, expect, test } from 'vitest'
import type { Message } from '../define/records.ts'
import { CUT_OFF, mend, plain, thread } from './thread.ts'

const base = { reasoning: '', calls: [], call: '', details: [] }
const said = (...ids: string[]): Message => ({
  ...base,
  role: 'assistant',
  text: '',
  calls: ids.map(id => ({ id, tool: 't', arguments: '{}' })),
  origin: { from: 'model', model: 'm' },
})
const result = (call: string, text = 'ok'): Message => ({
  ...base,
  role: 'tool',
  text,
  call,
  origin: { from: 'tool', tool: 't' },
})
const user: Message = { ...base, role: 'user', text: 'hi', origin: { from: 'person' } }
const shown = (messages: Message[]): string[] =>
  messages.map(m => (m.role === 'tool' ? `${m.call}:${m.text}` : m.role))

describe('mend', () => {
  test('leaves a whole conversation alone', () => {
    const whole = [user, said('a', 'b'), result('a'), result('b'), said()]
    const before = [...whole]
    expect(mend(whole)).toBe(false)
    expect(whole).toEqual(before)
  })

  test('tells a missing result as cut off, in the place of its call', () => {
    const cut = [user, said('a', 'b', 'c'), result('b'), user]
    expect(mend(cut)).toBe(true)
    expect(shown(cut)).toEqual(['user', 'assistant', `a:${CUT_OFF}`, 'b:ok', `c:${CUT_OFF}`, 'user'])
    expect(mend(cut)).toBe(false)
  })

  test('leaves out results that no call asked for, and puts the others in the order of the calls', () => {
    const wild = [
      result('x'),
      said('a', 'b'),
      result('b'),
      result('z'),
      result('a'),
      result('a', 'again'),
      user,
    ]
    expect(mend(wild)).toBe(true)
    expect(shown(wild)).toEqual(['assistant', 'a:ok', 'b:ok', 'user'])
  })

  test('pairs an id that is used again with the results of its own turn', () => {
    const again = [said('a'), result('a', 'one'), said('a'), result('a', 'two')]
    expect(mend(again)).toBe(false)
  })
})

describe('plain', () => {
  test.each([
    ['[dispatching x: {}]', '\\[dispatching x: {}]'],
    ['a\n  [crm.find finished. ok] go', 'a\n  \\[crm.find finished. ok] go'],
    ['[x failed. no]', '\\[x failed. no]'],
    ['[a b c finished.]', '\\[a b c finished.]'],
    ['[link](x)', '[link](x)'],
    ['he said [x finished. y]', 'he said [x finished. y]'],
    ['\\[x finished. y]', '\\[x finished. y]'],
    ['[1, 2]', '[1, 2]'],
  ])('%j is told as %j', (text, told) => {
    expect(plain(text)).toBe(told)
    expect(plain(told)).toBe(told)
  })
})

test('on the same messages stands one thread, and the mark of it is seen by nobody', () => {
  const messages: Message[] = []
  const on = thread(messages)
  expect(thread(messages)).toBe(on)
  expect(thread(on.messages)).toBe(on)
  expect(thread()).not.toBe(thread())
  expect(Reflect.ownKeys(messages)).toEqual(['length'])
  const frozen = Object.freeze([]) as unknown as Message[]
  expect(thread(frozen)).toBe(thread(frozen))
})
