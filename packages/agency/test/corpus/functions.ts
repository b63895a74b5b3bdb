// Functions and blocks.
import { type Case, c } from './case.ts'

export const functions: Case[] = [
  c(
    'recursion',
    'def fact(n: number): number {\n  if (n <= 1) { return 1 }\n  return n * fact(n - 1)\n}\nnode main() { return fact(10) }',
    3628800,
    () => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].reduce((a, b) => a * b),
  ),
  c(
    'functions that call one another',
    'def even(n: number): boolean {\n  if (n == 0) { return true }\n  return odd(n - 1)\n}\ndef odd(n: number): boolean {\n  if (n == 0) { return false }\n  return even(n - 1)\n}\nnode main() { return [even(10), odd(7), even(3)] }',
    [true, true, false],
  ),
  c(
    'defaults see what comes before',
    'def f(a: number, b: number = a + 1, c: number = a + b): number[] { return [a, b, c] }\nnode main() { return [f(1), f(1, 5), f(1, c: 0), f(b: 2, a: 3)] }',
    [
      [1, 2, 3],
      [1, 5, 6],
      [1, 2, 0],
      [3, 2, 5],
    ],
    () => {
      const f = (a: number, b = a + 1, last = a + b): number[] => [a, b, last]
      return [f(1), f(1, 5), f(1, undefined, 0), f(3, 2)]
    },
  ),
  c(
    'a missing optional is null',
    'def f(a?: number, b?: string) { return { a, b } }\nnode main() { return [f(), f(1), f(b: "x")] }',
    [
      { a: null, b: null },
      { a: 1, b: null },
      { a: null, b: 'x' },
    ],
  ),
  c(
    'variadic parameters',
    'def f(a: string, ...rest: number[]): string { return "${a}${rest.length}${rest}" }\nnode main() { return [f("x"), f("x", 1, 2), f("x", ...[1, 2, 3]), f(...["y", 1])] }',
    ['x0[]', 'x2[1,2]', 'x3[1,2,3]', 'y1[1]'],
    () => {
      const f = (a: string, ...rest: number[]): string => `${a}${rest.length}${JSON.stringify(rest)}`
      return [f('x'), f('x', 1, 2), f('x', ...[1, 2, 3]), f('y', 1)]
    },
  ),
  c(
    'functions are values',
    'def twice(f: (number) -> number, x: number): number { return f(f(x)) }\ndef inc(x: number): number { return x + 1 }\nnode main() {\n  const g = inc\n  const table = { g, h: \\x -> x * 10 }\n  return [twice(inc, 1), g(1), table.h(2), twice(\\x -> x * 3, 2)]\n}',
    [3, 2, 20, 18],
  ),
  c(
    'blocks are stored and returned',
    'def adder(n: number): (number) -> number { return \\x -> x + n }\nnode main() {\n  const add5 = adder(5)\n  return [add5(1), adder(2)(3)]\n}',
    [6, 5],
    () => [6, 5],
  ),
  c(
    'a block assigns outer variables',
    'def times(n: number, block: (number) -> any) { for (i in range(n)) { block(i) } }\nnode main() {\n  let sum = 0\n  times(4) as i { sum += i }\n  return sum\n}',
    6,
    () => 0 + 1 + 2 + 3,
  ),
  c(
    'return in a block ends the block',
    'const xs = map([1, 2, 3]) as x {\n  if (x == 2) { return "two" }\n  return x\n}\nreturn xs',
    [1, 'two', 3],
  ),
  c('a block destructures', 'return map([{ a: 1, b: [2, 3] }], \\({ a, b: [x, y] }) -> a + x + y)', [6]),
  c(
    'blocks of two',
    'return [mapWithIndex(["a", "b"]) as (x, i) { return x + i }, reduce([1, 2, 3], 10, \\(a, b) -> a + b)]',
    [['a0', 'b1'], 16],
  ),
  c(
    'pipes',
    'def inc(x: number): number { return x + 1 }\ndef add(x: number, y: number): number { return x + y }\nnode main() { return 1 |> inc |> add(10) |> add(y: 5) }',
    17,
    () => 1 + 1 + 10 + 5,
  ),
  c(
    'a generic function',
    'def first<T>(xs: T[], otherwise: T): T { return xs[0] ?? otherwise }\nnode main() { return [first([1, 2], 0) + 1, first([], "x").toUpperCase()] }',
    [2, 'X'],
  ),
  c(
    'names of another language',
    'def new(class: number): number { return class + 1 }\nnode main() {\n  const function = new(class: 1)\n  const { delete } = { delete: 3 }\n  return [function, delete]\n}',
    [2, 3],
  ),
]
