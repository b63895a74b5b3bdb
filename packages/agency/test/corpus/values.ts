// Values, variables, lists.
import { type Case, c } from './case.ts'

export const values: Case[] = [
  c(
    'numbers',
    'return [1 + 2 * 3, (1 + 2) * 3, 7 % 4, 2 ** 3 ** 2, -2 ** 2, 10 / 4, 1_000, 0xff, 1e3, 1.5]',
    [7, 9, 3, 512, 4, 2.5, 1000, 255, 1000, 1.5],
    () => [1 + 2 * 3, (1 + 2) * 3, 7 % 4, 2 ** (3 ** 2), (-2) ** 2, 10 / 4, 1000, 0xff, 1e3, 1.5],
  ),
  c(
    'booleans and logic',
    'return [true && false, true || false, !true, 1 < 2 && 2 < 3, null ?? 4, 0 || 5, 0 ?? 6]',
    [false, true, false, true, 4, 5, 0],
    () => [false, true, false, 1 < 2, 4, 5, 0],
  ),
  c(
    'strict equality',
    'const a: any = 1\nconst b: any = "1"\nreturn [a == b, a === 1, a != b, null == undefined, b == "1"]',
    [false, true, true, true, true],
  ),
  c(
    'a missing field equals null',
    'const r: { a?: number } = {}\nreturn [r.a == null, r.a === null, r.a != null]',
    [true, true, false],
  ),
  c(
    'interpolation in each kind of string',
    'const n = 2\nreturn ["${n}", \'${n + 1}\', `${n}\n`, """${n} "q" \\n"""]',
    ['2', '3', '2\n', '2 "q" \\n'],
  ),
  c('an escaped interpolation', 'return ["\\${n}", `\\${n}`, """\\${n}"""]', ['${n}', '${n}', '${n}']),
  c(
    'escapes',
    'return "a\\tb\\n\\"c\\" \\\\ \\u00e9 \\u{1f600}"',
    'a\tb\n"c" \\ é 😀',
    () => 'a\tb\n"c" \\ é 😀',
  ),
  c(
    'records in strings are JSON',
    'const r = { a: [1, null] }\nreturn "${r} ${r.a} ${null}"',
    '{"a":[1,null]} [1,null] null',
  ),
  c('strings in strings in strings', 'const a = 1\nreturn "x${"y${`z${a}`}"}"', 'xyz1'),
  c('null is undefined', 'const a = undefined\nreturn { a, b: a == null }', { a: null, b: true }),
  c(
    'let and const',
    'let a = 1\na = a + 1\na += 3\na *= 2\nconst b = a\nreturn b',
    10,
    () => (1 + 1 + 3) * 2,
  ),
  c('assignment is a value', 'let a = 0\nlet b = 0\na = b = 4\nreturn [a, b]', [4, 4]),
  c(
    'destructuring',
    'const { a, b: { c, d = 4 }, ...rest } = { a: 1, b: { c: 2 }, e: 5 }\nconst [x, , y, ...zs] = [1, 2, 3, 4, 5]\nreturn { a, c, d, rest, x, y, zs }',
    { a: 1, c: 2, d: 4, rest: { e: 5 }, x: 1, y: 3, zs: [4, 5] },
    () => {
      const given = { a: 1, b: { c: 2 } as { c: number; d?: number }, e: 5 }
      const {
        a,
        b: { c: inner, d = 4 },
        ...rest
      } = given
      const [x, , y, ...zs] = [1, 2, 3, 4, 5]
      return { a, c: inner, d, rest, x, y, zs }
    },
  ),
  c('set if null', 'let a: number | null = null\na ??= 3\nreturn a', 3),
  c(
    'records grow by spreading',
    'const a = { x: 1, y: 2 }\nreturn { ...a, y: 3, ["z" + "z"]: 4, "a b": 5 }',
    { x: 1, y: 3, zz: 4, 'a b': 5 },
    () => ({ ...{ x: 1, y: 2 }, y: 3, ['z' + 'z']: 4, 'a b': 5 }),
  ),
  c(
    'fields are set',
    'const a: Record<string, number> = {}\na.x = 1\na["y"] = 2\nconst xs = [1, 2]\nxs[0] = 9\nreturn { a, xs }',
    { a: { x: 1, y: 2 }, xs: [9, 2] },
  ),
  c('statements by semicolons', 'let a = 1; a += 1; return a', 2),
  c(
    'comments everywhere',
    '// one\nlet a = 1 // two\n/* three */ a = /* four */ a + 1\nreturn a /* five\n*/',
    2,
  ),
  c(
    'slices',
    'const a = [1, 2, 3, 4, 5]\nreturn [a[1:3], a[:2], a[3:], a[-2:], "hello"[1:3]]',
    [[2, 3], [1, 2], [4, 5], [4, 5], 'el'],
    () => {
      const a = [1, 2, 3, 4, 5]
      return [a.slice(1, 3), a.slice(0, 2), a.slice(3), a.slice(-2), 'hello'.slice(1, 3)]
    },
  ),
  c(
    'comprehensions',
    'return [[x * 2 for x in [1, 2, 3] if x != 2], [i for x, i in ["a", "b"]], [a + b for { a, b } in [{ a: 1, b: 2 }]]]',
    [[2, 6], [0, 1], [3]],
    () => [[1, 3].map(x => x * 2), [0, 1], [3]],
  ),
  c('spreading lists', 'const a = [1, 2]\nreturn [0, ...a, ...[3], 4]', [0, 1, 2, 3, 4], () => [
    0, 1, 2, 3, 4,
  ]),
  c(
    'methods of lists',
    'const a = [3, 1, 2]\na.push(4)\nreturn [a.length, a.includes(4), a.indexOf(1), a.join("-"), a.slice(1), a.toSorted(), a.map(\\x -> x * 2)]',
    [4, true, 1, '3-1-2-4', [1, 2, 4], [1, 2, 3, 4], [6, 2, 4, 8]],
  ),
  c(
    'methods of strings',
    'const s = " Hello "\nreturn [s.trim().toUpperCase(), s.length, "a,b".split(","), "abc".startsWith("ab"), "x".repeat(3), "a-b".replaceAll("-", "+")]',
    ['HELLO', 7, ['a', 'b'], true, 'xxx', 'a+b'],
    () => [
      ' Hello '.trim().toUpperCase(),
      ' Hello '.length,
      'a,b'.split(','),
      'abc'.startsWith('ab'),
      'x'.repeat(3),
      'a-b'.replaceAll('-', '+'),
    ],
  ),
  c('in', 'return [1 in [1, 2], 3 in [1, 2], "a" in { a: 1 }, "b" in { a: 1 }, "ell" in "hello"]', [
    true,
    false,
    true,
    false,
    true,
  ]),
]
