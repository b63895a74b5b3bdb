import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faultText, parse, print } from '../src/index.ts'
import { bare, places } from './support.ts'

const wide = readFileSync(new URL('wide.agency', import.meta.url), 'utf8')

describe('a parsed file', () => {
  it('has no faults where everything of the language stands in it', () => {
    expect(parse(wide).faults).toEqual([])
  })

  it('printed and parsed is the same tree, and printed again the same text', () => {
    const { program } = parse(wide)
    const text = print(program)
    const again = parse(text)
    expect(again.faults).toEqual([])
    expect(bare(again.program)).toEqual(bare(program))
    expect(print(again.program)).toBe(text)
  })

  it('binds operators as the language says', () => {
    const shape = (source: string) => {
      const s = parse(source).program.body[0]
      const show = (e: unknown): string => {
        const node = e as {
          kind: string
          operator: string
          raw: string
          left: unknown
          right: unknown
          value: unknown
          text: string
        }
        if (node.kind === 'binary') return `(${show(node.left)} ${node.operator} ${show(node.right)})`
        if (node.kind === 'unary') return `(${node.operator}${show(node.value)})`
        return node.kind === 'number' ? node.raw : node.text
      }
      return s?.kind === 'expression' ? show(s.value) : ''
    }
    expect(shape('a + b * c ** d ** -e')).toBe('(a + (b * (c ** (d ** (-e)))))')
    expect(shape('a || b && c == d < e in f')).toBe('(a || (b && (c == ((d < e) in f))))')
    expect(shape('a catch b |> c ?? d')).toBe('((a catch b) |> (c ?? d))')
    expect(shape('-a ** b')).toBe('((-a) ** b)')
    expect(shape('a - b - c === d')).toBe('(((a - b) - c) == d)')
  })

  it('ends a statement at a line end, and goes on where the next line cannot begin one', () => {
    const { program, faults } = parse('const a = b\n  |> f\n  .g\nconst c = d\n[1]\n(e)\n-f\nx = 1; y = 2')
    expect(faults).toEqual([])
    expect(program.body.map(s => s.kind)).toEqual(['let', 'let', ...Array(5).fill('expression')])
  })

  it('keeps its comments beside the tree', () => {
    const { program } = parse('// one\nx = 1 // two\n/* three\n*/ y = 2 // four')
    expect(program.comments.map(c => [c.text, c.own])).toEqual([
      ['// one', true],
      ['// two', false],
      ['/* three\n*/', true],
      ['// four', false],
    ])
  })

  it('trims a docstring and takes its indentation away', () => {
    const [def] = parse('def f() {\n    """\n    One.\n      Two.\n\n    """\n}').program.body
    expect(def?.kind === 'def' && def.doc?.text).toBe('One.\n  Two.')
  })
})

describe('faults', () => {
  it('are told of what is no number', () => {
    for (const wrong of ['0x', '0b2', '0o8', '007', '1__0', '1_', '1a', '0x_1', '1e', '1.5_'])
      expect(places(wrong, parse(wrong).faults), wrong).toEqual(['1:1 A1001'])
    for (const right of ['0', '0.5', '1_000.000_1', '0xFF_ff', '0b1_0', '0o17', '1e9', '1.5e-3'])
      expect(parse(right).faults, right).toEqual([])
  })

  it('are all told in one pass, each at its place', () => {
    const source = `def f(a: number) {
  const x = a ? 1 : 2
  const g = (x) => x + 1
  let y = /ab+/
  x++
  for (let i = 0; i < 3; i++) {
    print(i)
  }
  for (const z of xs) { print(z) }
  foo(1, 2
  const s = "abc
  print(s)
}
function foo(a) { return await b() }
async def q() { }
def open() {
  if (a) { print(1)
def next(: number) { print(2) }
const ok = 1 +
const b = {a: 1, b 2}
x.
y = 3`
    expect(places(source, parse(source).faults)).toEqual([
      '2:15 A1003',
      '3:17 A1003',
      '4:11 A1003',
      '5:4 A1003',
      '6:8 A1003',
      '9:8 A1003',
      '9:16 A1003',
      '10:11 A1001',
      '11:13 A1002',
      '14:1 A1003',
      '14:26 A1003',
      '15:1 A1003',
      '16:12 A1002',
      '17:10 A1002',
      '18:10 A1001',
      '19:15 A1001',
      '20:20 A1001',
      '21:3 A1001',
    ])
  })

  it('are shown with the place, the line, a caret and a hint', () => {
    const source = 'const a = 1\n\tconst b = a ? 1 : 2'
    expect(faultText(parse(source).faults[0]!, source, 'x.agency')).toBe(
      [
        'x.agency:2:14 - error A1003: there is no `? :`',
        '',
        '2 |  const b = a ? 1 : 2',
        '  |              ^',
        '  hint: write if condition then a else b',
      ].join('\n'),
    )
  })

  it('are told of what is nested too deeply, whatever it is, and nothing overflows', () => {
    const deep = ['(', '[', '{a:', '-', 'f(', '"$' + '{', 'if (a) {', '\\ -> ', 'x = ', '1 + ', 'a.']
    for (const each of deep) {
      const { program, faults } = parse(each.repeat(20_000))
      expect(faults.length, each).toBeGreaterThan(0)
      print(program)
    }
  })
})
