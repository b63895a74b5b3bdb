import { describe, expect, it } from 'vitest'
import type { Message } from '../define/records.ts'
import type { LogEvent } from '../loop/log.ts'
import { maskEvent } from '../loop/mask.ts'
import { maskShapes, secretsIn, textMask } from './shapes.ts'

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
    const harmless = {
      PWD: '/home/somebody',
      HOME: '/home/somebody',
      KEYBOARD: 'a-keyboard',
      TOKENIZER: 'a-tokenizer',
    }
    expect(secretsIn(harmless)).toEqual([])
  })

  it('are passwords in addresses too, as they stand and decoded', () => {
    expect(secretsIn({ DATABASE_URL: 'postgres://me:p%40ssw0rd-one@host/db' })).toEqual([
      'p%40ssw0rd-one',
      'p@ssw0rd-one',
    ])
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
    const parts = [
      'eyJ',
      'sk-',
      '://a:',
      'bearer ',
      '-----BEGIN PRIVATE KEY-----',
      'password=',
      'api_key":"',
      ':',
      '\\',
      'ghp_',
    ]
    for (const part of parts) {
      const text = part.repeat(200_000 / part.length)
      const before = performance.now()
      maskShapes(text)
      expect([part, performance.now() - before < 1000]).toEqual([part, true])
    }
  })
})

const message: Message = {
  role: 'assistant',
  text: 'x',
  reasoning: '',
  calls: [{ id: 'x', tool: 'x', arguments: '{"x":"x"}' }],
  call: '',
  details: [],
  origin: { from: 'model', model: 'x' },
}
const at = { at: 1, run: 'x', span: '' }

describe('an event', () => {
  it('keeps its own words, even where somebody took one of them for a password', () => {
    const mask = textMask({ A_TOKEN: 'assistant', B_TOKEN: 'conversation', C_TOKEN: 'arguments' })
    const conversation: LogEvent = { ...at, kind: 'conversation', agent: 'my assistant', model: 'x' }
    expect(maskEvent(conversation, mask)).toEqual({ ...conversation, agent: 'my [secret]' })
    const told: LogEvent = { ...at, kind: 'message', thread: 'main', row: 0, message }
    expect(maskEvent(told, mask)).toEqual(told)
  })

  it('loses secrets in the keys of foreign records', () => {
    const details = [{ somebodys_secret: { deep: ['somebodys_secret'] } }]
    const told: LogEvent = {
      ...at,
      kind: 'message',
      thread: 'main',
      row: 0,
      message: { ...message, details },
    }
    expect(maskEvent(told, textMask({ A_TOKEN: 'somebodys_secret' }))).toMatchObject({
      message: { details: [{ '[secret]': { deep: ['[secret]'] } }] },
    })
  })
})
