import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogEvent } from './log.ts'
import { maskEvent, maskShapes, secretsIn, textMask } from './mask.ts'

describe('the secrets of an environment', () => {
  it('are the values of variables whose names say so, from 8 characters on', () => {
    const named = {
      AI_API_KEY: 'key-of-a-model',
      GITHUB_TOKEN: 'token-of-a-forge',
      DB_PASSWORD: 'password-of-a-db',
      aws_secret_access_key: 'secret-of-a-cloud',
      MYSQL_PWD: 'another-password',
      STRIPE_KEY_2: 'key-of-a-shop',
    }
    expect(secretsIn(named)).toEqual(Object.values(named))
    expect(secretsIn({ API_KEY: 'short', TOKEN: undefined, PASSWORD: '        ' })).toEqual([])
    const harmless = { PWD: '/home/somebody', HOME: '/home/somebody', KEYBOARD: 'a-keyboard', TOKENIZER: 'a-tokenizer' }
    expect(secretsIn(harmless)).toEqual([])
  })

  it('are passwords in addresses too, as they stand and decoded', () => {
    expect(secretsIn({ DATABASE_URL: 'postgres://me:p%40ssw0rd-one@host/db' })).toEqual(['p%40ssw0rd-one', 'p@ssw0rd-one'])
    expect(secretsIn({ PAGE: 'https://example.com/@someone' })).toEqual([])
  })
})

describe('a text', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'
  const block = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----'
  it.each([
    ['curl -H "Authorization: Bearer abc.def" x', 'curl -H "Authorization: Bearer [secret]" x'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [secret]'],
    ['{"Authorization":"Bearer abcdef"}', '{"Authorization":"Bearer [secret]"}'],
    ['{\\"authorization\\": \\"token abcdef\\"}', '{\\"authorization\\": \\"token [secret]\\"}'],
    ['x-api-key: 12345678', 'x-api-key: [secret]'],
    ['it sent bearer A1b2C3d4E5f6G7h8', 'it sent bearer [secret]'],
    ['{"password":"hunter2","user":"me"}', '{"password":"[secret]","user":"me"}'],
    ['/login?user=me&password=hunter2&x=1', '/login?user=me&password=[secret]&x=1'],
    ['postgres://me:hunter2@host/db', 'postgres://me:[secret]@host/db'],
    ['key sk-proj-abcDEF123456789012', 'key [secret]'],
    ['key sk_live_4eC39HqLyjWD', 'key [secret]'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', '[secret]'],
    ['github_pat_0123456789abcdefghij', '[secret]'],
    ['xoxb-1234567890-abc', '[secret]'],
    ['AKIAIOSFODNN7EXAMPLE.', '[secret].'],
    [`AIza${'x'.repeat(35)}`, '[secret]'],
    [`see ${jwt}!`, 'see [secret]!'],
    [`a\n${block}\nb`, 'a\n[secret]\nb'],
    ['-----BEGIN PRIVATE KEY-----\ncut off', '[secret]'],
  ])('%j loses what has the shape of a secret', (text, shown) => {
    expect(maskShapes(text)).toBe(shown)
    expect(maskShapes(shown)).toBe(shown)
  })

  it.each([
    'The bearer responsibilities of the basic authorization are described.',
    'A task-management-and-planning-tool-2 with tokens: 4000, password: at least 8 characters',
    'https://example.com:8080/a@b and 12:30:45@noon',
    'Authorization is needed. api keys: none',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
    '{"max_tokens":4000,"token":"India","key":"capital"}',
  ])('%j is left alone', text => {
    expect(maskShapes(text)).toBe(text)
  })

  it('takes time in proportion to its length, whatever it is', () => {
    const parts = ['eyJ', 'sk-', '://a:', 'bearer ', '-----BEGIN PRIVATE KEY-----', 'password=', 'api_key":"', ':', '\\', 'ghp_']
    for (const part of parts) {
      const text = part.repeat(200_000 / part.length)
      const before = performance.now()
      maskShapes(text)
      expect([part, performance.now() - before < 1000]).toEqual([part, true])
    }
  })
})

// Every field of every event that can hold a foreign text, each told by a function of that text.
const usage = { calls: 0, tokens: 0, input: 0, toolCalls: 0 }
const message = (s: string) => ({
  role: 'assistant' as const,
  text: s,
  reasoning: s,
  calls: [{ id: s, tool: s, arguments: JSON.stringify({ [s]: [s] }), extra: { [s]: { deep: [s] } } }],
  call: s,
  details: [s, { [s]: s }],
  images: [`data:image/png;base64,${s}`],
  origin: { from: 'tool' as const, tool: s },
})
const at = (s: string) => ({ at: 1, run: s, span: s, parent: `${s}/x` })
export const everyEvent = (s: string): LogEvent[] => [
  { ...at(s), kind: 'conversation', agent: s, model: s },
  { ...at(s), kind: 'message', thread: s, row: 1, message: message(s) },
  { ...at(s), kind: 'change', thread: s, row: 1, message: message(`a ${s} b`) },
  { ...at(s), kind: 'turn', turn: 1, model: s, ms: 1, tokens: 1, input: 1 },
  { ...at(s), kind: 'call', tool: s, number: s, arguments: s },
  { ...at(s), kind: 'call end', tool: s, number: s, ms: 1, waited: 1, usage, failed: false },
  { ...at(s), kind: 'ask', tool: s, number: s, arguments: s, why: s },
  { ...at(s), kind: 'decision', tool: s, number: s, approved: false, why: s },
  { ...at(s), kind: 'end', ended: 'limit', limit: s, ms: 1, waited: 1, usage },
  { ...at(s), kind: 'warning', text: s },
]

describe('an event', () => {
  it('shows no secret of the environment in any field, in any spelling', () => {
    const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))
    const spell: ((secret: string) => string)[] = [
      s => s,
      s => JSON.stringify(s).slice(1, -1),
      s => encodeURIComponent(s),
      s => btoa(bytes(s)),
      s => btoa(bytes(`user:${s}`)),
      s => btoa(bytes(`${s}:x`)).replaceAll('+', '-').replaceAll('/', '_'),
    ]
    const secrets = fc
      .string({ minLength: 8, maxLength: 60, unit: 'grapheme' })
      .filter(s => s.trim().length >= 8 && s.trim() === s && !/^[\s:\][secretx"{},\\/]*$/.test(s))
    fc.assert(
      fc.property(secrets, fc.constantFrom(...spell), fc.string(), (secret, how, around) => {
        const mask = textMask({ SOME_API_KEY: secret })
        const told = how(secret)
        const inner = /^[A-Za-z0-9+/_=-]+$/.test(told) ? told.slice(4, -4) : told
        for (const event of everyEvent(`${around} ${told} ${around}`)) {
          const shown = JSON.stringify(maskEvent(event, mask))
          if (inner.length >= 6 && !around.includes(inner)) {
            expect(shown).not.toContain(inner)
            expect(shown).not.toContain(JSON.stringify(inner).slice(1, -1))
          }
          expect(() => JSON.parse(shown)).not.toThrow()
        }
      }),
    )
  })

  it('keeps its own words, even where somebody took one of them for a password', () => {
    const mask = textMask({ A_TOKEN: 'assistant', B_TOKEN: 'conversation', C_TOKEN: 'arguments' })
    const [conversation, told] = everyEvent('x').map(event => maskEvent(event, mask))
    expect(conversation).toMatchObject({ kind: 'conversation' })
    expect(told).toMatchObject({ message: { role: 'assistant', calls: [{ arguments: '{"x":["x"]}' }] } })
  })

  it('is the same where there is nothing to hide', () => {
    for (const event of everyEvent('plain')) expect(maskEvent(event, textMask({}))).toEqual(event)
  })
})
