// Whatever is nested or chained without end is one clear fault, and what is long is read in time that grows as it does.
import { describe, expect, it } from 'vitest'
import { check, emit, format, parse, print } from '../src/index.ts'

const host = { module: () => undefined }
const f = 'def f(x: any): any { return x }\n'

/** Something in `n` layers or links. */
const made: { readonly [name: string]: (n: number) => string } = {
  parentheses: n => `node main() { return ${'('.repeat(n)}1${')'.repeat(n)} }`,
  lists: n => `node main() { return ${'['.repeat(n)}${']'.repeat(n)} }`,
  records: n => `node main() { return ${'{ a: '.repeat(n)}1${' }'.repeat(n)} }`,
  ifs: n => `node main() {\n${'if (true) {\n'.repeat(n)}${'}\n'.repeat(n)} }`,
  elses: n => `node main() { ${'if (true) { print(1) } else '.repeat(n)} { print(2) } }`,
  'ifs as values': n => `node main() { return ${'if true then 1 else '.repeat(n)}2 }`,
  sums: n => `node main() { return ${Array(n).fill('1').join(' + ')} }`,
  texts: n => `node main() { return ${Array(n).fill('"a"').join(' + ')} }`,
  powers: n => `node main() { return ${Array(n).fill('1').join(' ** ')} }`,
  nots: n => `node main() { return ${'!'.repeat(n)}true }`,
  pipes: n => `${f}node main() { return 1${' |> f'.repeat(n)} }`,
  calls: n => `${f}node main() { return ${'f('.repeat(n)}1${')'.repeat(n)} }`,
  members: n => `node main(x: any) { return x${'.a'.repeat(n)} }`,
  blocks: n => `${f}node main() { return ${'f(\\x -> '.repeat(n)}1${')'.repeat(n)} }`,
  comprehensions: n => `node main() { return ${'[x for x in '.repeat(n)}[1]${']'.repeat(n)} }`,
  interpolations: n => `node main() { return ${'`a${'.repeat(n)}1${'}`'.repeat(n)} }`,
  threads: n => `node main() {\n${'thread {\n'.repeat(n)}${'}\n'.repeat(n)} }`,
  matches: n => `node main() {\n${'match (1) { _ => '.repeat(n)}1${'}'.repeat(n)} }`,
  patterns: n => `node main(x: any) { const ${'['.repeat(n)}a${']'.repeat(n)} = x }`,
  'type arguments': n => `type T = ${'Array<'.repeat(n)}string${'>'.repeat(n)}\nnode main() { }`,
  'list types': n => `type T = string${'[]'.repeat(n)}\nnode main() { }`,
  'object types': n => `type T = ${'{ a: '.repeat(n)}string${' }'.repeat(n)}\nnode main() { }`,
  'function types': n => `type T = ${'(a: string) -> '.repeat(n)}string\nnode main() { }`,
}

/** What is wide, and not deep. */
const wide: { readonly [name: string]: (n: number) => string } = {
  'a list': n => `node main() { return [${Array(n).fill('1').join(', ')}] }`,
  'a union': n =>
    `type T = ${Array.from({ length: n }, (_, i) => `"a${i}"`).join(' | ')}\nnode main(t: T) { return t }`,
  statements: n => `node main() {\n${'print(1)\n'.repeat(n)}}`,
  defs: n => Array.from({ length: n / 10 }, (_, i) => `def f${i}(x: number): number { return x }`).join('\n'),
  comments: n => '// so\n'.repeat(n),
}

function all(source: string): string[] {
  const { program, faults } = parse(source)
  const checked = check(program, host, faults)
  if (checked.faults.length === 0) emit(checked, source, 'a.agency')
  format(source)
  print(program)
  return checked.faults.map(fault => fault.code)
}

describe('10,000 layers of', () => {
  for (const [name, make] of Object.entries(made))
    it(`${name} are one fault`, () => {
      expect(all(make(10_000))).toEqual(['A1004'])
    })
})

describe('30 layers of', () => {
  for (const [name, make] of Object.entries(made))
    it(`${name} are none`, () => {
      expect(all(make(30))).toEqual([])
    })
})

describe('10,000 parts of', () => {
  for (const [name, make] of Object.entries(wide))
    it(`${name} are read`, () => {
      expect(all(make(10_000))).toEqual([])
    })
})

it('what is open at the end of a file is told, however often', () => {
  for (const text of ['{', '(', '[', '"${', 'if (', 'f(\\x -> ', '}', ')', '/*', '`', '"""a'])
    expect(all(text.repeat(9_999)).length, text).toBeGreaterThan(0)
})
