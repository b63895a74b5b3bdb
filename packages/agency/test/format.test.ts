import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { format, parse } from '../src/index.ts'
import { bare } from './support.ts'

const laidOut = (source: string): string => {
  const formatted = format(source)
  if ('faults' in formatted) throw new Error(JSON.stringify(formatted.faults))
  return formatted.text
}
const wide = readFileSync(new URL('wide.agency', import.meta.url), 'utf8')

describe('a file that is laid out', () => {
  it('begins with no blank line, and neither does a body, also where there is nothing but comments', () => {
    expect(laidOut('\n\n// a\n\n\n// b\n\n')).toBe('// a\n\n// b\n')
    expect(laidOut('def f() {\n\n\n  // a\n\n}')).toBe('def f() {\n  // a\n}\n')
    expect(laidOut('match (x) {\n\n  // a\n\n}')).toBe('match (x) {\n  // a\n}\n')
    expect(laidOut('\n\n')).toBe('')
  })

  it('has a comment behind what stands in parentheses where it was', () => {
    expect(laidOut('a += (if b then c else d)   // why\n(f) // who\n')).toBe(
      'a += (if b then c else d) // why\nf // who\n',
    )
  })

  it('keeps comments in what is tried on one line first, and then on several', () => {
    const source = `node main() {
  most = Math.max(most, match (shape) {
    // before the first
    1 => 2 // behind it
    // before the second
    _ => 33333333333333333333333333333333333333333333333333333333
    // at the end
  }, [map(xs, \\x -> {
    // in a block
    return f(x, \\ -> {
      // in a block in it
      return [1, 2, 3]
    }, "a text that is so long that the line has to be broken, which is tried again")
  })])
}
`
    const text = laidOut(source)
    expect(parse(text).program.comments.map(each => each.text)).toEqual(
      parse(source).program.comments.map(each => each.text),
    )
    expect(laidOut(text)).toBe(text)
    expect(bare(parse(text).program)).toEqual(bare(parse(source).program))
  })

  it('has one layout, whatever it had before', () => {
    expect(
      laidOut(
        'def  add( a:number,b :number ):number{\n"""Adds."""\nreturn a+b}\nnode main(){ const x=add(1,b:2)\n\n\n\nprint(x) }',
      ),
    ).toBe(
      'def add(a: number, b: number): number {\n  """\n  Adds.\n  """\n  return a + b\n}\n\nnode main() {\n  const x = add(1, b: 2)\n\n  print(x)\n}\n',
    )
  })

  it('keeps its comments, and where they belong', () => {
    const source = `// the file

// of add
def add(a: number, /* second */ b: number) { // opens
      /* several
         lines */
  const c = a // behind

  // before the end
  return c + b // last
  // at the end
} // after

type Order = {
  // the id
  id: string, // of it
  note?: string
}
foo(1, // one
  2)
// the end
`
    const text = laidOut(source)
    expect(text).toBe(`// the file

// of add
/* second */
def add(a: number, b: number) {
  // opens
  /* several
     lines */
  const c = a // behind

  // before the end
  return c + b // last
  // at the end
} // after

type Order = {
  // the id
  id: string; // of it
  note?: string;
}
// one
foo(1, 2)
// the end
`)
    expect(laidOut(text)).toBe(text)
  })

  it('is left as it is where it has faults', () => {
    expect(format('def (')).toMatchObject({ faults: [{ code: expect.any(String) }, ...[]] })
  })

  it('is the same laid out again, means the same, and loses no comment: comments anywhere', () => {
    const places = [...wide.matchAll(/[\n ,(){}]/g)].map(match => match.index)
    const tokens = parse(wide)
    const quiet = (at: number): boolean => {
      const marked = `${wide.slice(0, at)}/*!*/${wide.slice(at)}`
      const again = parse(marked)
      return again.faults.length === 0 && again.program.comments.length === tokens.program.comments.length + 1
    }
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...places), { maxLength: 4 }),
        fc.constantFrom('/* c */', '// c\n', '\n// c\n\n', '/* c\n   d */'),
        (at, comment) => {
          let source = wide
          for (const place of at.toSorted((a, b) => b - a))
            if (quiet(place)) source = `${source.slice(0, place)} ${comment} ${source.slice(place)}`
          const before = parse(source)
          if (before.faults.length > 0) return
          const text = laidOut(source)
          const after = parse(text)
          expect(after.faults).toEqual([])
          expect(bare(after.program)).toEqual(bare(before.program))
          const plain = (comments: readonly { text: string }[]): string[] =>
            comments.map(each => each.text.replace(/\s+/g, ' ')).sort()
          expect(plain(after.program.comments)).toEqual(plain(before.program.comments))
          expect(laidOut(text)).toBe(text)
        },
      ),
      { numRuns: Number(process.env['TOOLWRIGHT_RUNS'] ?? 200), seed: 8 },
    )
  })
})
