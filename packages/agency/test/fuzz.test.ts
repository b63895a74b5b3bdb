// Whatever becomes of a program's text, the parser ends soon and gives a tree, which is checked, printed and laid out
// without a throw; where it is a program still, it stays the same one, and what it compiles to is JavaScript.
import fc from 'fast-check'
import { parseAst } from 'rolldown/parseAst'
import { expect, it } from 'vitest'
import { emit } from '../src/emit/emit.ts'
import { check, format, parse, print } from '../src/index.ts'
import { corpus } from './corpus/index.ts'
import { handed, text as page } from './handed.ts'
import { bare } from './support.ts'

const bits =
  '{|}|(|)|[|]|"|\'|`|"""|${|\\|->|=>||>|\n| def | node | type |if | as | in |,|:|@|/*|//|\0|\ud800|1e|...|?.| match (|_ => | catch | try |-|!|\\x|\\u{|thread {|[x for x in |keyof '
const pieces = [...bits.split(/\|(?!>)/), '|>', '|', '// c\n', '\n// d\n', '/* e */']
const texts = [
  ...corpus.flatMap(({ source }) =>
    typeof source === 'string'
      ? [source]
      : Object.entries(source).flatMap(([name, text]) => (name.endsWith('.agency') ? [text] : [])),
  ),
  // Prose with programs in it is what people paste.
  ...(handed ? [page] : []),
]

/** Numbers below `below`, the same each time. */
function randomly(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function mutated(random: (below: number) => number): string {
  let text = texts[random(texts.length)]!
  for (let n = 1 + random(4); n > 0; n--) {
    const at = random(text.length + 1)
    const [before, behind] = [text.slice(0, at), text.slice(at)]
    const other = texts[random(texts.length)]!
    const from = random(other.length)
    const lines = text.split('\n')
    const line = random(lines.length)
    text = [
      () => before + behind.slice(1 + random(6)),
      () => before + pieces[random(pieces.length)] + behind,
      () => before + text.slice(random(text.length)).slice(0, 40) + behind,
      () => before + other.slice(from, from + random(60)) + behind,
      // Lines go, and come twice, and elsewhere.
      () => lines.toSpliced(line, 1 + random(2)).join('\n'),
      () => lines.toSpliced(random(lines.length), 0, lines[line]!).join('\n'),
      // Half a file, as it is while somebody writes.
      () => before,
    ][random(20) === 0 ? 6 : random(6)]!()
  }
  return text
}

/** How many were compiled so far. */
let emitted = 0

/** Parses, checks, prints, lays out, and compiles what has no faults; true where it is a program. */
function survives(text: string): boolean {
  const { program, faults } = parse(text)
  const checked = check(program, { module: () => undefined }, faults)
  // A module that is not there is a fault of the folder, not of the text.
  if (checked.faults.every(each => each.code.startsWith('A4'))) {
    emitted++
    expect(() => parseAst(emit(checked, text, 'main.agency').code), text).not.toThrow()
  }
  const shown = print(program)
  const laid = format(text)
  // A fault at the end of a file has its caret behind it.
  const astray = faults.filter(({ start, end }) => start < 0 || start > end || end > text.length + 1)
  expect(astray, text.slice(0, 2000)).toEqual([])
  // A file with faults is not touched.
  expect('faults' in laid, text).toBe(faults.length > 0)
  if ('faults' in laid) return false
  expect(bare(parse(shown).program), text).toEqual(bare(program))
  expect(bare(parse(laid.text).program), text).toEqual(bare(program))
  expect(format(laid.text), text).toEqual(laid)
  expect(parse(laid.text).program.comments.length, text).toBe(program.comments.length)
  return true
}

// The whole number takes minutes: a slice of it runs always.
const full = Boolean(process.env['TOOLWRIGHT_FULL'])
const count = full ? 100_000 : Number(process.env['TOOLWRIGHT_RUNS'] ?? 1500)

it(`any text has a tree: ${count} mutations of the corpus`, { timeout: 1_800_000 }, () => {
  const random = randomly(7)
  let whole = 0
  let slowest = 0
  for (let i = 0; i < count; i++) {
    const text = mutated(random)
    const began = process.cpuUsage()
    if (survives(text)) whole++
    const { user } = process.cpuUsage(began)
    slowest = Math.max(slowest, user / 1000)
    expect(slowest, text).toBeLessThan(5000)
  }
  // Some are still programs, some without a fault: else the rest of this would say nothing.
  expect(whole).toBeGreaterThan(count / 50)
  expect(emitted).toBeGreaterThan(count / 50)
})

it('any text at all has a tree', { timeout: 600_000 }, () => {
  const words = fc.constantFrom(
    ...pieces,
    ...'x 1 0x .5 "a" \'b\' `c` + - * / % ** == < > = += ?? && || ? ; \t # ~ ^ &'.split(' '),
    ...'if else then for while break continue return match goto try catch import export from const let'.split(
      ' ',
    ),
  )
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(words, { maxLength: 60 }).map(all => all.join(' ')),
    fc.array(words, { maxLength: 60 }).map(all => all.join('')),
  )
  fc.assert(
    fc.property(anything, text => void survives(text)),
    { numRuns: full ? 50_000 : 1000, seed: 11 },
  )
})

it('nothing is too deep or too long for it', { timeout: 120_000 }, () => {
  const marks = [
    '(',
    '[',
    '{',
    '"${',
    '`${',
    '-',
    '!',
    'if x then ',
    '\\x -> ',
    'f(',
    '{ a: ',
    'match (x) { _ => ',
  ]
  const rows = [
    'x |> ',
    'x.',
    '1 + ',
    'a ?? ',
    'x catch ',
    'x = ',
    'f()() ',
    'if (x) {} else ',
    '// c\n',
    '"""',
  ]
  const heads = ['', 'const t: ', 'type T = ', 'def f', 'node main() {\n']
  for (const mark of [...marks, ...rows, '[] |', '{a:', '(a) -> ', 'A<', '@jsonSchema('])
    for (const head of heads) {
      const began = process.cpuUsage()
      survives(head + mark.repeat(4000))
      const { user } = process.cpuUsage(began)
      expect(user / 1000, `${head}${mark}`).toBeLessThan(5000)
    }
})
