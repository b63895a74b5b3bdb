// What needs no import.
import { type Case, c } from './case.ts'

export const prelude: Case[] = [
  c('ranges', 'return [range(3), range(2, 5), range(0, 10, 4), range(3, 0), range(0)]', [
    [0, 1, 2],
    [2, 3, 4],
    [0, 4, 8],
    [3, 2, 1],
    [],
  ]),
  c(
    'filter, find, every, some',
    'const xs = [1, 2, 3, 4]\nconst big = \\x -> x > 2\nreturn [filter(xs, big), find(xs, big), find(xs, \\x -> x > 9), findIndex(xs, big), every(xs, big), some(xs, big), count(xs), count(xs, big)]',
    [[3, 4], 3, null, 2, false, true, 4, 2],
    () => {
      const xs = [1, 2, 3, 4]
      const big = (x: number): boolean => x > 2
      return [
        xs.filter(big),
        xs.find(big),
        null,
        xs.findIndex(big),
        xs.every(big),
        xs.some(big),
        xs.length,
        2,
      ]
    },
  ),
  c(
    'sortBy, unique, groupBy, flatMap',
    'const xs = [{ n: "b", v: 2 }, { n: "a", v: 2 }, { n: "c", v: 1 }]\nreturn [map(sortBy(xs, \\x -> x.v), \\x -> x.n), unique([1, 2, 1, 3]), unique(xs, \\x -> x.v).length, map(groupBy(xs, \\x -> x.v)["2"], \\x -> x.n), flatMap([1, 2], \\x -> [x, x * 10])]',
    [['c', 'b', 'a'], [1, 2, 3], 2, ['b', 'a'], [1, 10, 2, 20]],
  ),
  c(
    'a name of the prelude may be taken',
    'def map(x: number): number { return x + 1 }\nnode main() { return map(1) }',
    2,
  ),
  {
    ...c('printing', 'print("a", 1, null, [1], { b: 2 })\nprintJSON({ a: 1 })\nreturn null', null),
    printed: 'a 1 null [1] {"b":2}\n{\n  "a": 1\n}\n',
  },
]
