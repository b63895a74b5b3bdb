import { expect, test } from 'vitest'
import type { Request } from '../define/records.ts'
import { says, scripted } from './scripted.ts'
import { title } from './title.ts'

const titled = (answer: string, first = 'How do I bake bread?') => title(scripted([says(answer)]), first)

test.each([
  ['Baking bread', 'Baking bread'],
  ['\n\n"Baking bread"\nA second line', 'Baking bread'],
  ['**Title:** “Baking bread”', 'Baking bread'],
  ['# Baking *good* bread', 'Baking *good* bread'],
  ['```\nBaking bread\n```', 'Baking bread'],
  ['- Titel: «Brot backen»', 'Brot backen'],
  ['Baking\tbread\u0007 \u001b[31m', 'Baking bread [31m'],
  ['"Bread" and "butter"', '"Bread" and "butter"'],
  ["Don't panic'", "Don't panic'"],
  ['Titles of books', 'Titles of books'],
  ['🍞', '🍞'],
])('%j becomes %j', async (answer, expected) => {
  expect(await titled(answer)).toBe(expected)
})

test('at most 60 characters, never half of one', async () => {
  expect(await titled('x'.repeat(60))).toBe('x'.repeat(60))
  expect(await titled('x'.repeat(61))).toBe('x'.repeat(60))
  const family = '👨‍👩‍👧'
  expect(await titled(family.repeat(70))).toBe(family.repeat(60))
})

test('a model that gives nothing leaves the beginning of the message', async () => {
  expect(await titled(' \n""\n---')).toBe('How do I bake bread?')
  expect(await titled('', `\n${'word '.repeat(30)}`)).toBe('word '.repeat(12).trim())
  expect(await titled('', ' ')).toBe('')
})

test('one turn without tools is asked for, and what the model rejects with is passed on', async () => {
  let asked: Request | undefined
  const model = scripted([
    request => {
      asked = request
      return says('T')
    },
  ])
  await title(model, 'x'.repeat(9_000))
  expect(asked).toMatchObject({ tools: [], answer: true })
  expect(asked!.messages).toHaveLength(1)
  expect(asked!.messages[0]!.text.length).toBeLessThan(4_100)
  await expect(title(model, 'again')).rejects.toThrow('T3011')
})
