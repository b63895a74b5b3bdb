// Results.
import { type Case, c } from './case.ts'

export const results: Case[] = [
  c(
    'results',
    'def half(n: number): Result<number> {\n  if (n % 2 == 1) { return failure("odd", { n }) }\n  return success(n / 2)\n}\nnode main() {\n  const a = half(4)\n  const b = half(3)\n  return [isSuccess(a), a.value, isFailure(b), b.error, b.data, half(3) catch 0, half(8) catch 0]\n}',
    [true, 2, true, 'odd', { n: 3 }, 0, 4],
  ),
  c(
    'try and catch',
    'def get(x: any): any { return x.a.b }\nnode main() {\n  const bad = try get({})\n  const good = try get({ a: { b: 1 } })\n  return [isFailure(bad), good.value, get({}) catch "none", (try get(null)).error != null]\n}',
    [true, 1, 'none', true],
  ),
  c('a result as JSON', 'return [success(1), failure("x")]', [
    { success: true, value: 1 },
    { success: false, error: 'x' },
  ]),
]
