import { expect, test } from 'vitest'
import { distinct, tidied } from './name.ts'

test.each([
  ['report.pdf', 'report.pdf'],
  ['C:\\Users\\me\\report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['a\nb"><file name="x', "ab'''file name='x"],
  ['\u202efdp.exe', 'fdp.exe'],
  ['cafe\u0301.txt', 'café.txt'],
  ['///', 'file'],
])('the name %j is told as %j', (name, told) => {
  expect(tidied(name)).toBe(told)
})

test('a long name keeps its suffix', () => {
  const told = tidied(`${'x'.repeat(500)}.pdf`)
  expect(told).toHaveLength(120)
  expect(told).toMatch(/x…\.pdf$/)
})

test('a name that is taken is told with a number', () => {
  const taken = new Set(['a.pdf'])
  expect([
    distinct('a.pdf', taken),
    distinct('a.pdf', taken),
    distinct('b', taken),
    distinct('b', taken),
  ]).toEqual(['a (2).pdf', 'a (3).pdf', 'b', 'b (2)'])
})
