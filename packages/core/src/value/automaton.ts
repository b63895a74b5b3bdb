// A regular expression as an automaton that follows every way at once (Thompson's construction): its time is the
// length of the text times the size of the pattern, whatever the pattern.

import type { Part } from './regex.ts'

export interface Automaton {
  /** Whether the pattern is found in the text; 'costly' where that takes too long, or the pattern is too large. */
  test(text: string): boolean | 'costly'
}

type State =
  | { kind: 'one'; test(c: string): boolean; next: number }
  | { kind: 'split'; next: number; other: number }
  | { kind: 'edge'; at: '^' | '$' | 'b' | 'B'; next: number }
  | { kind: 'end' }

const maxStates = 10_000
const maxWork = 20_000_000

class TooLarge extends Error {}

/** The automaton of a regular expression; of one that has none (look-around, back-references), all is 'costly'. */
export function openAutomaton(part: Part, unicode: boolean): Automaton {
  const states: State[] = [{ kind: 'end' }]
  const tests = new Map<string, (c: string) => boolean>()
  const add = (state: State): number => {
    if (states.length >= maxStates) throw new TooLarge()
    return states.push(state) - 1
  }
  // Built from the end to the beginning: each part is given the state that comes after it.
  const build = (one: Part, next: number): number => {
    switch (one.kind) {
      case 'one':
        return add({ kind: 'one', test: testOf(one, unicode, tests), next })
      case 'edge':
        return add({ kind: 'edge', at: one.at, next })
      case 'sequence':
        return one.parts.reduceRight((after, inner) => build(inner, after), next)
      case 'choice':
        return one.parts
          .map(inner => build(inner, next))
          .reduce((other, first) => add({ kind: 'split', next: first, other }))
      case 'repeat':
        return repeat(one, next)
      default:
        throw new TooLarge()
    }
  }
  const repeat = (one: Part & { kind: 'repeat' }, next: number): number => {
    let from = next
    if (one.max === Number.POSITIVE_INFINITY) {
      from = add({ kind: 'split', next, other: next })
      const loop = states[from] as State & { kind: 'split' }
      loop.next = build(one.inner, from)
    } else {
      for (let i = one.min; i < one.max; i++)
        from = add({ kind: 'split', next: build(one.inner, from), other: next })
    }
    for (let i = 0; i < one.min; i++) from = build(one.inner, from)
    return from
  }
  try {
    const start = build(part, 0)
    return { test: text => run(states, start, text, unicode) }
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    return { test: () => 'costly' }
  }
}

function testOf(one: Part & { kind: 'one' }, unicode: boolean, tests: Map<string, (c: string) => boolean>) {
  const { text, source } = one
  if (text !== undefined) return (c: string) => c === text
  let test = tests.get(source)
  if (test === undefined) {
    const regex = new RegExp(`^${source}$`, unicode ? 'u' : '')
    const known = new Map<string, boolean>()
    test = c => {
      let found = known.get(c)
      if (found === undefined) {
        found = regex.test(c)
        if (known.size < 1000) known.set(c, found)
      }
      return found
    }
    tests.set(source, test)
  }
  return test
}

function run(states: readonly State[], start: number, text: string, unicode: boolean): boolean | 'costly' {
  let work = maxWork
  let active: number[] = []
  const marked = new Int32Array(states.length).fill(-1)
  let before = ''
  for (let at = 0, step = 0; ; step++) {
    const here = at < text.length ? (unicode ? String.fromCodePoint(text.codePointAt(at)!) : text[at]!) : ''
    // A match may begin anywhere.
    const open = [...active, start]
    const ones: (State & { kind: 'one' })[] = []
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (marked[id] === step) continue
      marked[id] = step
      if (work-- <= 0) return 'costly'
      const state = states[id]!
      if (state.kind === 'end') return true
      if (state.kind === 'one') ones.push(state)
      else if (state.kind === 'split') open.push(state.next, state.other)
      else if (holds(state.at, before, here)) open.push(state.next)
    }
    if (here === '') return false
    active = ones.filter(state => state.test(here)).map(state => state.next)
    before = here
    at += here.length
  }
}

function holds(edge: '^' | '$' | 'b' | 'B', before: string, here: string): boolean {
  if (edge === '^') return before === ''
  if (edge === '$') return here === ''
  const boundary = /^\w$/.test(before) !== /^\w$/.test(here)
  return boundary === (edge === 'b')
}
