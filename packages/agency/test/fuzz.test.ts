// Whatever becomes of a program's text, the parser ends and gives a tree, which is checked, printed and laid out.
import { expect, it } from 'vitest'
import { check, format, parse, print } from '../src/index.ts'
import { corpus } from './corpus/index.ts'
import { bare } from './support.ts'

const bits =
  '{|}|(|)|[|]|"|\'|`|"""|${|\\|->|=>||>|\n| def | node | type |if | as | in |,|:|@|/*|//|\0|\ud800|1e|...|?.| match (|_ => | catch | try '
const pieces = [...bits.split(/\|(?!>)/), '|>', '|']
const texts = corpus.flatMap(({ source }) =>
  typeof source === 'string'
    ? [source]
    : Object.entries(source).flatMap(([name, text]) => (name.endsWith('.agency') ? [text] : [])),
)

/** Numbers below `below`, the same each time. */
function randomly(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function mutated(random: (below: number) => number): string {
  let text = texts[random(texts.length)]!
  for (let n = 1 + random(4); n > 0; n--) {
    const at = random(text.length + 1)
    const [before, behind] = [text.slice(0, at), text.slice(at)]
    const other = texts[random(texts.length)]!
    const from = random(other.length)
    text =
      before +
      [
        () => behind.slice(1 + random(6)),
        () => pieces[random(pieces.length)] + behind,
        () => text.slice(random(text.length)).slice(0, 40) + behind,
        () => other.slice(from, from + random(60)) + behind,
        // Half a file, as it is while somebody writes.
        () => '',
      ][random(20) === 0 ? 4 : random(4)]!()
  }
  return text
}

// The whole number takes minutes: a slice of it runs always.
const count = process.env['TOOLWRIGHT_FULL'] ? 100_000 : Number(process.env['TOOLWRIGHT_RUNS'] ?? 2000)

it(`any text has a tree: ${count} mutations of the corpus`, { timeout: 900_000 }, () => {
  const random = randomly(7)
  let whole = 0
  for (let i = 0; i < count; i++) {
    const text = mutated(random)
    const { program, faults } = parse(text)
    check(program, { module: () => undefined }, faults)
    const shown = print(program)
    if (faults.length > 0) continue
    whole++
    expect(bare(parse(shown).program), text).toEqual(bare(program))
    const laid = format(text)
    if ('faults' in laid) throw new Error(`it is not laid out: ${text}`)
    expect(bare(parse(laid.text).program), text).toEqual(bare(program))
    expect(format(laid.text), text).toEqual(laid)
    expect(parse(laid.text).program.comments.length, text).toBe(program.comments.length)
  }
  // Some are still programs: else the second half of this would say nothing.
  expect(whole).toBeGreaterThan(count / 50)
})
