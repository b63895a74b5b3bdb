import { expect, test } from 'vitest'
import type { Fault } from '../errors.ts'
import { readSettings } from './settings.ts'

function read(stated: unknown, tools?: string[]) {
  const faults: Fault[] = []
  const settings = readSettings(stated, faults, tools)
  return { settings, faults: faults.map(({ option, problem, fix }) => `${option} ${problem} (${fix})`) }
}

test('settings are read as they stand, as a frozen copy', () => {
  const stated = {
    temperature: 0,
    reasoning: 'low',
    maxTokens: 100,
    toolChoice: { tool: 'add' },
    forced: 'always',
    headers: { 'x-title': 'Café' },
    body: { provider: { order: ['a', 'b'] }, stop: null },
    tries: 1,
    timeout: 500,
    cache: true,
  }
  const { settings, faults } = read(stated, ['add'])
  expect(faults).toEqual([])
  expect(settings).toEqual(stated)
  stated.body.provider.order.push('c')
  expect(settings?.body).toEqual({ provider: { order: ['a', 'b'] }, stop: null })
  expect(Object.isFrozen(settings?.body?.['provider'])).toBe(true)
  expect(read(undefined)).toEqual({ settings: undefined, faults: [] })
  expect(read({})).toEqual({ settings: {}, faults: [] })
  expect(read({ timeout: '2 seconds' }).settings).toEqual({ timeout: 2000 })
})

test('all faults are told at once, unknown names with the one that was meant', () => {
  const { settings, faults } = read(
    {
      temprature: 1,
      max_tokens: 5,
      temperature: Number.NaN,
      reasoning: 'extreme',
      maxTokens: 1.5,
      toolChoice: { tool: 'ad' },
      forced: true,
      headers: { 'bad name': 'x', 'x-key': 'line\nsecret' },
      body: { messages: [], when: new Date(0), deep: { list: [1, () => 1] } },
      tries: 0,
      timeout: 'soon',
      cache: 'yes',
    },
    ['add'],
  )
  expect(settings).toBeUndefined()
  expect(faults).toEqual([
    'settings.temprature is no option (did you mean temperature?)',
    'settings.max_tokens is no option (write maxTokens)',
    'settings.temperature is null (write a number, 0 or above)',
    `settings.reasoning is "extreme" (write one of 'none', 'low', 'medium', 'high')`,
    'settings.maxTokens is 1.5 (write a whole number above 0)',
    'settings.toolChoice.tool is "ad", and there is no such tool (did you mean add?)',
    `settings.forced is true (write 'first' or 'always')`,
    'settings.headers holds the name "bad name" (a header has no such name)',
    'settings.headers.x-key is no text that a header can hold (write a text of one line)',
    'settings.body.messages cannot be replaced (leave it out)',
    'settings.body.when is nothing that JSON holds (write texts, numbers, true, false, null, lists, records)',
    'settings.tries is 0 (write a whole number above 0)',
    'settings.timeout is "soon" (write ms, or \'30 seconds\')',
    'settings.cache is "yes" (write true or false)',
  ])
  expect(faults.join()).not.toContain('secret')
})

test.each([[null], [[]], ['hot'], [3]])('%j is no record of settings', stated => {
  expect(read(stated).faults).toEqual(['settings is no record (write settings: { temperature: 0 })'])
})

test('a body that holds itself is a fault and no endless walk', () => {
  const body: Record<string, unknown> = { a: 1 }
  body['self'] = body
  expect(read({ body }).faults[0]).toContain('settings.body.self')
})
