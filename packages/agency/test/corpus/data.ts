// Programs that work on data: lists, texts, records, results, blocks. The TypeScript beside them gives the same.
import { type Case, program } from './case.ts'

type Tree<T> = null | { value: T; left: Tree<T>; right: Tree<T> }

function insert<T>(tree: Tree<T>, value: T, key: (value: T) => number | string): Tree<T> {
  if (tree === null) return { value, left: null, right: null }
  if (key(value) < key(tree.value)) return { ...tree, left: insert(tree.left, value, key) }
  return { ...tree, right: insert(tree.right, value, key) }
}

function fold<T, R>(tree: Tree<T>, empty: R, block: (left: R, value: T, right: R) => R): R {
  return tree === null
    ? empty
    : block(fold(tree.left, empty, block), tree.value, fold(tree.right, empty, block))
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, y] of [...b].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (x === y ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

function queens(n: number, placed: number[] = []): number[][] {
  if (placed.length === n) return [placed]
  const safe = (column: number): boolean =>
    placed.every((other, row) => {
      const away = placed.length - row
      return other !== column && Math.abs(other - column) !== away
    })
  return Array.from({ length: n }, (_, i) => i)
    .filter(safe)
    .flatMap(column => queens(n, [...placed, column]))
}

const permutations = (xs: string[]): string[][] =>
  xs.length < 2 ? [xs] : xs.flatMap((x, i) => permutations(xs.toSpliced(i, 1)).map(rest => [x, ...rest]))

function life(world: string[]): string[] {
  const at = (x: number, y: number): number => (world[y]?.[x] === '#' ? 1 : 0)
  return world.map((row, y) =>
    [...row]
      .map((_, x) => {
        let near = -at(x, y)
        for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) near += at(x + dx, y + dy)
        return near === 3 || (near === 2 && at(x, y)) ? '#' : ' '
      })
      .join(''),
  )
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
const collatz = (n: number): number => (n === 1 ? 0 : 1 + collatz(n % 2 === 0 ? n / 2 : 3 * n + 1))

export const data: Case[] = [
  program('orders', {
    gives: {
      best: [
        { customer: 'cy', spent: 32.5, orders: 1 },
        { customer: 'ada', spent: 32, orders: 2 },
      ],
      months: ['03/26', '04/26'],
      counts: [
        { sku: 'cup', n: 1 },
        { sku: 'pot', n: 1 },
        { sku: 'tea', n: 12 },
      ],
      empty: [2],
      biggest: '32.50',
    },
    same: () => {
      type Order = {
        id: number
        customer: string
        at: string
        items: [sku: string, n: number, price: number][]
      }
      const orders: Order[] = [
        {
          id: 1,
          customer: 'ada',
          at: '2026-03-01',
          items: [
            ['tea', 2, 3.5],
            ['cup', 1, 5],
          ],
        },
        { id: 2, customer: 'bob', at: '2026-03-01', items: [] },
        { id: 3, customer: 'ada', at: '2026-04-11', items: [['pot', 1, 20]] },
        { id: 4, customer: 'cy', at: '2026-04-30', items: [['tea', 10, 3.25]] },
      ]
      const total = ({ items }: Order): number =>
        items.reduce((sum, [, quantity, price]) => sum + quantity * price, 0)
      const customers = Object.entries(Object.groupBy(orders, order => order.customer))
      const sold = Object.entries(
        Object.groupBy(
          orders.flatMap(o => o.items),
          ([sku]) => sku,
        ),
      )
      return {
        best: customers
          .map(([customer, own]) => ({
            customer,
            spent: own!.reduce((sum, o) => sum + total(o), 0),
            orders: own!.length,
          }))
          .sort((a, b) => b.spent - a.spent)
          .slice(0, 2),
        months: [...new Set(orders.map(o => `${o.at.slice(5, 7)}/${o.at.slice(2, 4)}`))],
        counts: sold
          .map(([sku, items]) => ({ sku, n: items!.reduce((n, [, quantity]) => n + quantity, 0) }))
          .sort((a, b) => (a.sku < b.sku ? -1 : 1)),
        empty: orders.filter(o => o.items.length === 0).map(o => o.id),
        biggest: Math.max(...orders.map(total)).toFixed(2),
      }
    },
  }),
  program('calculator', {
    args: [['1 + 2 * 3', '(1+2)*-3 / 2', '2 * (3', '1 $ 2', '4 +', '((7))']],
    gives: [
      '1 + 2 * 3 = 7',
      '(1+2)*-3 / 2 = -4.5',
      '2 * (3: a bracket is open',
      '1 $ 2: `$` at 3 is nothing that can be reckoned with',
      '4 +: a number is missing',
      '((7)) = 7',
    ],
  }),
  program('graph', {
    gives: {
      steps: ['a', 'b', 'd'],
      none: null,
      far: { a: 0, b: 3, c: 1, d: 4 },
      ordered: ['ground', 'walls', 'roof', 'door'],
    },
  }),
  program('machine', {
    gives: [['3', '2', '1'], 'it never ends', 'fly with 2 is unknown', ['caught']],
  }),
  program('template', {
    gives: ['Dear Ada,', '- tea x2', '- cup x1', 'tags: #a #b ', 'the shop'],
    same: () => {
      const items = [{ what: 'tea', count: 2 }, { what: 'cup' }]
      const lines = items.map(
        ({ what, count = 1 }: { what: string; count?: number }) => `- ${what} x${count}`,
      )
      return ['Dear Ada,', ...lines, `tags: ${['a', 'b'].map(tag => `#${tag} `).join('')}`, 'the shop']
    },
  }),
  program('closures', {
    gives: {
      first: [2, 11],
      again: 101,
      squares: [16, 16, 25],
      calls: 2,
      both: ['1:hey', '2:3'],
      one: ['2:3'],
      composed: 49,
      twice: 'HO!',
    },
    same: () => {
      const counter = (n = 0) => ({
        next: () => ++n,
        reset: (to: number) => {
          n = to
        },
      })
      const [a, b] = [counter(), counter(10)]
      a.next()
      const first = [a.next(), b.next()]
      a.reset(100)
      let calls = 0
      const known = new Map<number, number>()
      const slow = (x: number): number => {
        if (!known.has(x)) {
          calls++
          known.set(x, x * x)
        }
        return known.get(x)!
      }
      const squares = [slow(4), slow(4), slow(5)]
      let all = [(t: string) => `1:${t}`, (t: string) => `2:${t.length}`]
      const both = all.map(each => each('hey'))
      all = all.slice(1)
      return {
        first,
        again: a.next(),
        squares,
        calls,
        both,
        one: all.map(each => each('you')),
        composed: (4 + 1) * 10 - 1,
        twice: `${'ho'}!`.toUpperCase(),
      }
    },
  }),
  program('trees', {
    gives: { sorted: [1, 2, 3, 5, 8, 9], depth: 3, sum: 28, names: ['Ada', 'Bob'], root: 3, none: 0 },
    same: () => {
      const toList = <T>(tree: Tree<T>): T[] =>
        fold<T, T[]>(tree, [], (left, value, right) => [...left, value, ...right])
      const depth = (tree: Tree<unknown>): number => fold(tree, 0, (l, _, r) => 1 + Math.max(l, r))
      const numbers = [5, 2, 8, 1, 9, 3].reduce<Tree<number>>((tree, n) => insert(tree, n, x => x), null)
      const people = ['Bob', 'Ada'].reduce<Tree<string>>((tree, n) => insert(tree, n, x => x), null)
      return {
        sorted: toList(numbers),
        depth: depth(numbers),
        sum: fold(numbers, 0, (l, v, r) => l + v + r),
        names: toList(people),
        root: numbers?.left?.right?.value,
        none: depth(null),
      }
    },
  }),
  program('life', {
    gives: [
      '     /  #  /  #  /  #  /     ',
      '     /     / ### /     /     ',
      '     /  #  /  #  /  #  /     ',
    ],
    same: () => {
      const start = ['     ', '  #  ', '  #  ', '  #  ', '     ']
      return [start, life(start), life(life(start))].map(world => world.join('/'))
    },
  }),
  program('queens', {
    gives: {
      queens: [
        [
          [1, 3, 0, 2],
          [2, 0, 3, 1],
        ],
        92,
      ],
      permutations: ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'],
      powerset: ['', 'c', 'b', 'bc', 'a', 'ac', 'ab', 'abc'],
    },
    same: () => ({
      queens: [queens(4), queens(8).length],
      permutations: permutations(['a', 'b', 'c']).map(p => p.join('')),
      powerset: Array.from({ length: 8 }, (_, n) => ['a', 'b', 'c'].filter((_x, i) => n & (4 >> i)).join('')),
    }),
  }),
  program('distance', {
    gives: { distances: [3, 3, 0], guesses: ['stat: start', 'stpo: stop', 'xyzzy: ?'] },
    same: () => {
      const nearest = (word: string): string | undefined =>
        ['start', 'stop', 'status', 'restart']
          .map(w => ({ w, far: distance(word, w) }))
          .filter(({ far }) => far <= 2)
          .sort((a, b) => a.far - b.far)[0]?.w
      return {
        distances: [distance('kitten', 'sitting'), distance('', 'abc'), distance('same', 'same')],
        guesses: ['stat', 'stpo', 'xyzzy'].map(typed => `${typed}: ${nearest(typed) ?? '?'}`),
      }
    },
  }),
  program('validate', {
    gives: {
      ok: [1, 2],
      errors: ['part 2 has no value', '3 faults', 'ada@x.y is known'],
      fields: ['name', 'age', 'mail'],
      sum: 3,
      names: ['Ada', 'Bob'],
    },
  }),
  program('interpolation', {
    gives: [
      'Ada\'s "a"',
      "Ada\"s 'b'",
      'Ada`s',
      '2',
      'a 1 b 2 c two',
      'many }',
      '1}, 2}',
      '$ $n $$ {n} ${n} ${n} ${n}',
      'tab\there \\n A A é 日本 🎉',
      '{"name":"Ada","tags":["a","b"]}',
      '[1,"a",null,true,[2]]',
      'null null true 1.5 0 1e+21 0.30000000000000004',
      '<<<2>>>',
      '2',
      '3',
      'line one\nline two 2',
      'He said "hi" and \\"bye\\" with \\n and Ada!',
      '\n    indented\n      more\n    ',
      '',
      'true false true',
    ],
    same: () => {
      const n = 2
      return [
        `Ada's "a"`,
        `Ada"s 'b'`,
        `Ada\`s`,
        `${n}`,
        `a 1 b 2 c two`,
        `many }`,
        [1, 2].map(x => `${x}}`).join(', '),
        `$ $n $$ {n} \${n} $\{n} ${'$'}{n}`,
        `tab\there \\n \u0041 \x41 é 日本 🎉`,
        JSON.stringify({ name: 'Ada', tags: ['a', 'b'] }),
        JSON.stringify([1, 'a', null, true, [2]]),
        `null ${null} ${true} ${1.5} ${-0} ${1e21} ${0.1 + 0.2}`,
        `<<<${n}>>>`,
        `${n}`,
        `${n + 1}`,
        `line one
line two ${n}`,
        String.raw`He said "hi" and \"bye\" with \n and Ada!`,
        `
    indented
      more
    `,
        '',
        `${'cat'.includes('a')} ${'x' in {}} ${'name' in { name: 1 }}`,
      ]
    },
  }),
  program('precedence', {
    gives: [
      17,
      ...[4, 4, 0.5, 2],
      true,
      ...[true, true],
      ...[2, 2, 3],
      true,
      13,
      6,
      [3, 4],
      ...[5, 6, 2],
      ...[7, 7],
      ...[1, 3, 9, 8, 4],
      ...[12, 'none'],
      'y',
      ...[2, 3],
      ...[2, 2, 1, false],
      4,
    ],
    same: () => {
      const inc = (x: number): number => x + 1
      const add = (x: number, y: number): number => x + y
      let a: number | null = null
      let b = 0
      return [
        1 + 2 * 3 ** 2 - ((4 / 2) % 3),
        ...[(-2) ** 2, (-2) ** 2, 2 ** -1, 2 ** (3 ** 0)],
        false || (true && true),
        ...[1 < 2, 1 + 1 === 2 && 'a' + 'b' === 'ab'],
        ...[1 + 1, 1 + 1, 3],
        [1, 2].includes(2) && ![1, 2].includes(3),
        inc(add(inc(1), 10)),
        inc(2 + 3),
        [1, 2].map(x => x + 1).map(inc),
        ...[5, 6, 1 + 1],
        ...[(a ??= 7), a],
        ...[(b = b + 1), (b += 2), (b *= 3), (b -= 1), (b /= 2)],
        ...[3 * 2 + 2 * 3, [[1, 2], [3]][5]?.[0] ?? 'none'],
        'y',
        ...[1 + 1, 2 + 1],
        ...[1 - -1, 1 - -1, -(-1), !!0],
        [...[1, 2], ...[]].length ** 2,
      ]
    },
  }),
  program('runlength', {
    args: ['aaabccd'],
    gives: {
      p: '3ab2cd',
      same: true,
      windows: [
        [1, 2, 3],
        [2, 3, 4],
      ],
      rotated: [
        [2, 3, 4, 1],
        [4, 1, 2, 3],
      ],
      ends: ['a', 'd', 'aabcc', '', 'aaabccd', [2]],
    },
    same: (text: string) => ({
      p: text.replace(/(.)\1+/g, (run, c: string) => `${run.length}${c}`),
      same: true,
      windows: [0, 1].map(i => [1, 2, 3, 4].slice(i, i + 3)),
      rotated: [1, -1].map(by => [...[1, 2, 3, 4].slice(by), ...[1, 2, 3, 4].slice(0, by)]),
      ends: [
        text.slice(0, 1),
        text.slice(-1),
        text.slice(1, -1),
        text.slice(5, 2),
        text,
        [1, 2, 3].slice(-2, -1),
      ],
    }),
  }),
  program('shapes', {
    gives: {
      areas: [3, 1257, 4, 9, 12, 0, 5, 14],
      names: [
        ['circle'],
        ['big circle'],
        ['square'],
        ['square'],
        ['box'],
        ['nothing'],
        ['box'],
        ['circle', 'square', 'group'],
      ],
      sizes: { low: 0, high: 1257 },
      widest: 40,
    },
  }),
  program('settings', {
    gives: {
      all: {
        level: 'debug',
        port: 8080,
        limits: { rate: 3, burst: 5 },
        hosts: ['a', 'b'],
        motto: 'a=b',
      },
      port: 8080,
      level: 'info',
      untouched: { rate: 10 },
    },
  }),
  program('markdown', {
    gives:
      '<h1 id="h0">A <b>bold</b> <i>title</i></h1>\n<p>Text with <code>code</code> &amp; &lt;tags&gt;.</p>\n<ul><li>one</li><li><b>two</b></li></ul>\n<hr>\n<h2 id="h4">End * of it</h2>',
  }),
  program('bits', {
    gives: {
      bases: ['1010', 'ff', '-100', 10, 255],
      gcd: 12,
      collatz: [0, 1, 7, 2, 5, 8, 16, 3, 19],
      edges: [false, 1, -1, true, true, 1000019],
      text: [42, 9, true, '2.72', 'ff'],
    },
    same: () => ({
      bases: [(10).toString(2), (255).toString(16), (-64).toString(8), 0b1010, 0xff],
      gcd: gcd(48, 36),
      collatz: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(collatz),
      edges: [
        0.1 + 0.2 === 0.3,
        7 % -3,
        -7 % 3,
        1 / 0 > 1e308,
        2 ** 53 === 2 ** 53 + 1,
        1_000_000 + 0x10 + 0b11,
      ],
      text: [
        Number.parseInt('42px', 10),
        Number('4.5') * 2,
        Number.isNaN(Number('x')),
        (2.71999).toFixed(2),
        (255).toString(16),
      ],
    }),
  }),
]
