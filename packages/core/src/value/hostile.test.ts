import { describe, expect, test } from 'vitest'
import { openAutomaton } from './automaton.ts'
import { openPattern } from './pattern.ts'
import { check, read, wrongIn } from './read.ts'
import { parseRegex } from './regex.ts'
import { shape } from './shape.ts'

/** Runs it and says how many milliseconds it took. */
function timed(work: () => void): number {
  const from = performance.now()
  work()
  return performance.now() - from
}

// A runaway takes minutes or years; the bounds leave room for a slow machine.
const soon = 15_000

describe('what goes deep ends in a fault', () => {
  const tree = {
    $ref: '#/$defs/n',
    $defs: { n: { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#/$defs/n' } }] } },
  }
  const deep = (n: number) => JSON.parse('['.repeat(n) + ']'.repeat(n))
  const tooDeep = ['the value: is nested too deeply to be read']

  test('a value nested 100,000 deep', () => {
    expect(read(tree, deep(100_000))).toEqual({ ok: false, faults: tooDeep })
    expect(check(tree, deep(100_000)).ok).toBe(false)
    expect(check(tree, deep(100)).ok).toBe(true)
  })
  test('comparing two of them', () => {
    expect(check({ const: deep(100_000) }, deep(100_000)).ok).toBe(false)
    expect(check({ uniqueItems: true }, [deep(100_000), deep(100_000)]).ok).toBe(false)
  })
  test('a value that stands in itself', () => {
    const circle: unknown[] = []
    circle.push(circle)
    expect(read(tree, circle)).toEqual({ ok: false, faults: tooDeep })
  })
  test('a reference to itself', () => {
    expect(read({ $ref: '#' }, 1)).toEqual({ ok: false, faults: tooDeep })
    expect(read({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1).ok).toBe(false)
  })
  test('a schema nested 100,000 deep, which is only read as far as the value goes', () => {
    let schema: Record<string, unknown> = { type: 'integer' }
    for (let i = 0; i < 100_000; i++) schema = { type: 'array', items: schema }
    expect(check(schema, [[[]]]).ok).toBe(true)
    expect(check({ ...schema, $ref: '#/items/items' }, [[[1]]]).ok).toBe(false)
    const made = shape(schema)
    expect(made.ok ? [] : made.faults.map(fault => fault.problem)).toEqual([
      'is nested too deeply to be read',
    ])
  })
  test('arguments nested 100,000 deep, whatever the schema', () => {
    const made = shape({ type: 'array' })
    const text = '['.repeat(100_000) + ']'.repeat(100_000)
    const fault = ['the arguments are nested more than 500 deep']
    expect(made.ok && made.shape.readText(text)).toEqual({ ok: false, faults: fault })
    expect(made.ok && made.shape.readText(deep(100_000))).toEqual({ ok: false, faults: fault })
    const circle: Record<string, unknown> = {}
    Object.assign(circle, { a: circle, b: circle })
    expect(made.ok && made.shape.readText(circle)).toEqual({ ok: false, faults: fault })
    expect(made.ok && made.shape.readText('['.repeat(400) + ']'.repeat(400)).ok).toBe(true)
  })
  test('branches that double at every level', () => {
    const node = { type: 'object', properties: { a: { $ref: '#/$defs/n' } } }
    const schema = {
      $ref: '#/$defs/n',
      $defs: { n: { anyOf: [node, { ...node, title: 'again' }, { const: 1 }] } },
    }
    let given: unknown = 'wrong'
    for (let i = 0; i < 100; i++) given = { a: given }
    const took = timed(() =>
      expect(read(schema, given)).toEqual({ ok: false, faults: ['the value: takes too long to be read'] }),
    )
    expect(took).toBeLessThan(soon * 4)
  })
})

describe('patterns end in time', () => {
  const long = 'a'.repeat(100_000)
  const patterns: [pattern: string, text: string, right: boolean | 'costly'][] = [
    ['^(a+)+$', `${long}!`, false],
    ['^(a+)+$', long, true],
    ['^(a|a)*$', `${long}!`, false],
    ['(x+x+)+y', 'x'.repeat(50_000), false],
    ['^([a-z0-9]+-)*[a-z0-9]+$', `${'ab-'.repeat(20_000)}`, false],
    ['^([a-z0-9]+-)*[a-z0-9]+$', `${'ab-'.repeat(20_000)}c`, true],
    ['(a?){50}a{50}', 'a'.repeat(49), false],
    ['(a?){50}a{50}', 'a'.repeat(50), true],
    ['^[^@]+@[^@]+\\.[^@]+$', 'a@b.c'.repeat(10_000), false],
    ['a*b', long, false],
    ['^\\d+$', '1'.repeat(1_000_000), true],
    ['\\bb\\b', `${'ab '.repeat(20_000)}b`, true],
    ['^(?:\\p{L}|😀)+$', `${'é😀'.repeat(20_000)}`, true],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'passworD1', true],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', long, 'costly'],
    ['^(a+)\\1+$', `${long}b`, 'costly'],
    ['^(?:(?:a?){200}){200}$', long, 'costly'],
  ]
  test.each(patterns)('%s', (source, text, right) => {
    const pattern = openPattern(source)
    if (typeof pattern === 'string') throw new Error(pattern)
    const took = timed(() => expect(pattern.test(text)).toBe(right))
    expect(took).toBeLessThan(soon)
  })

  test('the automaton agrees with the engine on short texts', () => {
    const sources = [
      '^(a|b)*c?$',
      'a{2,3}b',
      '(ab|a)(bc|c)?$',
      '^(?:a*)*b',
      '[^a]b|^$',
      '\\Bb',
      '(a|ab)(c|bcd)(d*)',
      '(?:)+x',
    ]
    const texts = ['', 'a', 'b', 'ab', 'aab', 'aaab', 'abc', 'abcd', 'cab', 'ba b', 'x', 'abab', 'bb']
    for (const source of sources) {
      const automaton = openAutomaton(parseRegex(source, true)!, true)
      for (const text of texts) {
        expect([source, text, automaton.test(text)]).toEqual([
          source,
          text,
          new RegExp(source, 'u').test(text),
        ])
      }
    }
  })

  test('one that is too long, or none, is a fault of the schema', () => {
    expect(wrongIn({ pattern: 'a'.repeat(4001) })).toEqual([
      { at: '/pattern', problem: 'is longer than 4000 characters' },
    ])
    expect(wrongIn({ patternProperties: { '[': true } })[0]?.problem).toBe('"[" is no regular expression')
    expect(wrongIn({ pattern: '\\-' })).toEqual([])
  })
  test('a text that cannot be tested in time is a fault in plain words', () => {
    const fault = ['the value: is too long for its pattern to be tested: 100000 characters']
    expect(check({ pattern: '^(?=.*x)(?=.*y)' }, long)).toEqual({ ok: false, faults: fault })
  })
})

describe('what is large is read in time', () => {
  test('a text of 1 MB, and its fault stays short', () => {
    const text = 'x'.repeat(1_000_000)
    const got = read({ type: 'string', maxLength: 10, pattern: '^y' }, text)
    expect(got.ok ? [] : got.faults.map(line => line.length < 200)).toEqual([true, true])
  })
  test('an enum of 200,000 and a list of as many', () => {
    const names = Array.from({ length: 200_000 }, (_, i) => `n${i}`)
    const schema = { type: 'array', items: { enum: names }, uniqueItems: true }
    expect(timed(() => expect(check(schema, names).ok).toBe(true))).toBeLessThan(soon)
    const got = read(schema, ['other'])
    expect(got.ok ? '' : got.faults[0]!.length).toBeLessThan(300)
  })
  test('a list of 20,000 different records', () => {
    const records = Array.from({ length: 20_000 }, (_, i) => ({ a: { b: i } }))
    expect(timed(() => expect(check({ uniqueItems: true }, records).ok).toBe(true))).toBeLessThan(soon)
  })
  test('a record of 100,000 unknown fields with long names', () => {
    const given = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`${'n'.repeat(100)}${i}`, 1]))
    const schema = { type: 'object', properties: { a: {} }, additionalProperties: false }
    const got = read(schema, given)
    expect(got.ok ? [] : got.faults).toHaveLength(20)
    expect(got.ok ? '' : got.faults.at(-1)).toBe('… and 99981 more')
  })
  test('numbers at the ends of what a number holds', () => {
    expect(check({ multipleOf: 1e-300 }, 1e300).ok).toBe(true)
    expect(check({ multipleOf: 0.01 }, 4.35).ok).toBe(true)
    expect(check({ type: 'number' }, Number.NaN).ok).toBe(false)
    expect(check({}, Number.POSITIVE_INFINITY).ok).toBe(false)
  })
  test('200 schemas cost nothing until a value comes to them', () => {
    let looked = 0
    const properties = new Proxy({ a: {} }, { get: (target, key) => (looked++, Reflect.get(target, key)) })
    const schemas = Array.from({ length: 200 }, () => ({
      type: 'object',
      properties: { inner: { properties } },
    }))
    for (const schema of schemas) read(schema, {})
    expect(looked).toBe(0)
    read(schemas[0]!, { inner: { a: 1 } })
    expect(looked).toBeGreaterThan(0)
  })
})
