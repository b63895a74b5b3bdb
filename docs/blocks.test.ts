import { describe, expect, it } from 'vitest'
import { anchors, links, programs } from './blocks.ts'

const page = (...lines: string[]) => lines.join('\n')

describe('programs', () => {
  it('takes the ts blocks, each line at its place in the page', () => {
    const [one, ...more] = programs(
      'a.md',
      page('# A', '', '```ts', 'const a = 1', '```', '```js', 'nothing', '```'),
    )
    expect(more).toEqual([])
    expect(one).toEqual({ file: 'a.md', line: 3, source: '\n\n\nconst a = 1', run: true })
  })

  it('joins what continues, and what it prints', () => {
    const text = ['```ts prints', 'a', '```', '```text', '1', '```', '', '```ts continues prints', 'b', '```']
    const [one, ...more] = programs('a.md', page(...text, '```text', '2', '```'))
    expect(more).toEqual([])
    expect(one).toMatchObject({ line: 1, prints: '1\n2' })
    expect(
      one?.source
        .split('\n')
        .map((line, i) => line && `${i + 1} ${line}`)
        .filter(Boolean),
    ).toEqual(['2 a', '9 b'])
  })

  it('reads what a fence says, and refuses what means nothing', () => {
    expect(programs('a.md', page('```ts no-run', '```'))[0]).toMatchObject({ run: false })
    expect(programs('a.md', page('```ts throws T1001', '```'))[0]).toMatchObject({ throws: 'T1001' })
    expect(() => programs('a.md', page('```ts norun', '```'))).toThrow('a.md:1 says "norun"')
    expect(() => programs('a.md', page('```ts continues', '```'))).toThrow('a.md:1 continues nothing')
    expect(() => programs('a.md', page('```ts prints', '```'))).toThrow('no text block follows')
  })

  it('takes the indent of a list away', () => {
    expect(programs('a.md', page('- x', '  ```ts', '  a', '    b', '  ```'))[0]?.source).toBe('\n\na\n  b')
  })
})

describe('links', () => {
  it('takes the relative ones, and none in code', () => {
    const text = page(
      '[a](b.md#c) [x](https://x.y) `[n](n.md)`',
      '```',
      '[m](m.md)',
      '```',
      '![p](p%20q.png)',
      '[r]: r.md',
    )
    expect(links(text)).toEqual([
      { line: 1, path: 'b.md', anchor: 'c' },
      { line: 5, path: 'p q.png', anchor: '' },
      { line: 6, path: 'r.md', anchor: '' },
    ])
  })
})

describe('anchors', () => {
  it('are made as code hosts make them', () => {
    const text = page(
      '# `run` and `ask`: both!',
      '## [Über](x.md) uns',
      '## Same',
      '## Same',
      '```',
      '# no',
      '```',
    )
    expect([...anchors(text)]).toEqual(['run-and-ask-both', 'über-uns', 'same', 'same-1'])
  })
})
