// The steps of a run, as `toolwright show` lists them.
import type { Asked, Json, RunRecord, Step } from '@toolwright/core'
import { decode } from '@toolwright/core/engine'
import { escapeLine } from './escape.ts'
import { when } from './measures.ts'
import type { Terminal } from './terminal.ts'

/** The steps, each call with what is in it below it, in the order in which they were first heard of. */
export function stepsText(
  steps: readonly Step[],
  run: RunRecord,
  asks: readonly Asked[],
  terminal: Terminal,
): string {
  const inside = new Map<string, Step[]>()
  const over = new Set(steps.flatMap(step => (step.kind === 'due' ? [] : [step.key])))
  for (const step of steps) {
    if (INNER.test(nameOf(step)) || (step.kind === 'due' && over.has(step.key))) continue
    const place = step.key.slice(0, step.key.lastIndexOf('/'))
    inside.set(place, [...(inside.get(place) ?? []), step])
  }
  const first = (step: Step): number =>
    steps.findIndex(each => each.key === step.key || each.key.startsWith(`${step.key}/`))
  const lines = (place: string, depth: number): string[] =>
    (inside.get(place) ?? [])
      .toSorted((a, b) => first(a) - first(b))
      .flatMap(step => [stepLine(step, depth, run, asks, terminal), ...lines(step.key, depth + 1)])
  return `${terminal.style('dim', 'steps')}\n${lines('', 0).join('\n')}\n`
}

/** What a run keeps for itself, in no one's code. */
const INNER = /^(history|rule|begins|files|prompt|thread|mail)( |$)/

const nameOf = (step: Step): string => step.name.slice(step.name.lastIndexOf('/') + 1)

function stepLine(
  step: Step,
  depth: number,
  run: RunRecord,
  asks: readonly Asked[],
  terminal: Terminal,
): string {
  const open = run.ended === undefined ? '⋯' : '–'
  const waits = step.kind === 'ask' && asks.some(ask => ask.step === step.name)
  const mark = waits ? '?' : step.status === 'done' && step.kind !== 'due' ? '✓' : open
  const name = escapeLine(nameOf(step), 60)
  const value = step.status === 'done' ? givenBy(step, 74 - 2 * depth - name.length) : ''
  return `${'  '.repeat(depth)}${mark} ${name} ${terminal.style('dim', value)}`.trimEnd()
}

/** What a step gave, in what is left of a line. */
function givenBy(step: Step, room: number): string {
  if (step.kind === 'ask' || step.value === undefined || room < 8) return ''
  const value = decode(step.value)
  if (step.kind === 'due') return typeof value === 'number' ? escapeLine(`until ${when(value)}`, room) : ''
  if (step.kind === 'branch') return escapeLine((value as { text: string }).text, room)
  if (/^model \d+$/.test(nameOf(step))) return turnOf(value, room)
  return shown(value instanceof Error ? value.message : decode(value as Json), room)
}

/** What the code of a step gave, which is encoded once more than what the run itself keeps. */
function shown(value: unknown, room: number): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeLine(value, room)
  if (value instanceof Date) return escapeLine(value.toJSON() ?? 'no date', room)
  return escapeLine(JSON.stringify(value, plain), room)
}

/** What JSON has no form for, as something to read. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map || value instanceof Set) return [...value]
  if (value instanceof Error) return value.message
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return value
}

function turnOf(value: unknown, room: number): string {
  const turn = (value as { turn?: { text: string; calls: { tool: string }[] } }).turn
  if (!turn) return ''
  const calls = turn.calls.map(call => call.tool).join(', ')
  return escapeLine([turn.text, calls && `calls ${calls}`].filter(Boolean).join(' · '), room)
}
