import type { Ask, LogEvent, Piece } from '@toolwright/core'
import { describe, expect, it } from 'vitest'
import { fakeTerminal } from '../test/terminal.ts'
import { askDetails, shower } from './lines.ts'

const call = { id: 'c', tool: 'add', arguments: '{"a":1}' }
const shown = { step: 'model 1', attempt: 1 }
const text = (part: string, offset: number, step = 'model 1'): Piece => ({
  ...shown,
  kind: 'text',
  text: part,
  offset,
  step,
})
const usage = { calls: 0, tokens: 0, input: 0, toolCalls: 1 }
const where = { at: 0, run: 'r', span: 'tool 1.1 add', parent: '', tool: 'add', number: '1.1' }
const begins: LogEvent = { ...where, kind: 'call', arguments: '{"a":1}' }
const ends: LogEvent = {
  ...where,
  kind: 'call end',
  ms: 1900,
  waited: 0,
  usage: { ...usage, tokens: 94, cost: 0 },
  failed: false,
}

describe('shower', () => {
  it('writes text as it comes, each turn on a line of its own, escaped across parts', () => {
    const terminal = fakeTerminal()
    const show = shower(terminal, { quiet: false })
    show.piece(text('Let me ', 0))
    expect(terminal.stdout).toBe('Let me ')
    show.piece(text('see ❤', 7))
    show.piece(text('️\x1b[2J', 12))
    show.piece(text('Done.', 0, 'model 2'))
    show.piece({ ...shown, kind: 'done', text: 'Done.', step: '' })
    expect(terminal.stdout).toBe('Let me see ❤️\\x1b[2J\nDone.\n')
    expect(terminal.stderr).toBe('')
  })

  it('breaks no line of an answer that goes elsewhere', () => {
    const terminal = fakeTerminal({ together: false })
    const show = shower(terminal, { quiet: false })
    show.piece(text('half ', 0))
    show.note('stopping')
    show.piece(text('a line', 5))
    expect(terminal.stdout).toBe('half a line')
  })

  it('leaves the text of nested work to the tree', () => {
    const terminal = fakeTerminal()
    shower(terminal, { quiet: false }).piece(text('inner', 0, 'tool 1.1 add/model 1'))
    expect(terminal.stdout).toBe('')
  })

  it('writes an answer that no turn wrote', () => {
    const terminal = fakeTerminal()
    const show = shower(terminal, { quiet: false })
    show.piece(text('Hm', 0))
    show.piece({ ...shown, kind: 'done', text: '{"a":1}', step: '' })
    expect(terminal.stdout).toBe('Hm\n{"a":1}\n')
  })

  it('writes a line for each call when it has ended, nested ones further in, with why one failed', () => {
    const terminal = fakeTerminal()
    const show = shower(terminal, { quiet: false })
    show.piece(text('I add', 0))
    show.event(begins)
    const inner = { ...where, span: 'tool 1.1 add/tool 1.1 sum', tool: 'sum' }
    show.event({ ...begins, ...inner })
    show.piece({ ...shown, kind: 'failed', text: 'no\nsum\x07', step: inner.span, call })
    show.event({ ...ends, ...inner, usage, failed: true, waited: 4100 } as LogEvent)
    show.event(ends)
    expect(terminal.stdout).toBe('I add\n')
    expect(terminal.stderr).toBe(
      '  ✗ sum({"a":1}) 1.9s, waited 4.1s: no sum\\x07\n✓ add({"a":1}) 1.9s, 94 tok, $0.000\n',
    )
  })

  it('writes what calls tell, warnings, what begins again, and the sum of a run with calls', () => {
    const terminal = fakeTerminal()
    const show = shower(terminal, { quiet: false })
    show.piece({ ...shown, kind: 'line', text: 'Adds', step: where.span, call })
    show.piece({ ...shown, kind: 'step', text: 'half', step: where.span, call })
    show.piece({ ...shown, kind: 'restart', text: '', attempt: 2 })
    show.event({ at: 0, run: 'r', span: '', kind: 'warning', text: 'left out' })
    show.event({ at: 0, run: 'r', span: '', kind: 'end', ended: 'answer', ms: 2000, waited: 0, usage })
    expect(terminal.stderr).toBe('· Adds\n· add: half\n↻ model 1 begins again\n! left out\n2.0s in all\n')
  })

  it('says nothing but notes where it is to be quiet', () => {
    const terminal = fakeTerminal()
    const show = shower(terminal, { quiet: true })
    show.event(begins)
    show.event(ends)
    show.note('!')
    expect(terminal.stderr).toBe('!\n')
  })

  it('names on a terminal what is running, and wipes that before anything else is written', () => {
    const terminal = fakeTerminal({ live: true })
    const show = shower(terminal, { quiet: false })
    show.event(begins)
    show.event({ ...begins, span: 'tool 1.2 b', tool: 'b\x1b' })
    show.event(ends)
    show.clear()
    show.clear()
    const wipe = '\r\x1b[2K'
    expect(terminal.stderr).toBe(
      `⋯ add${wipe}⋯ add, b\\x1b${wipe}✓ add({"a":1}) 1.9s, 94 tok, $0.000\n⋯ b\\x1b${wipe}`,
    )
  })
})

describe('askDetails', () => {
  it('shows the tool, what it does, why it asks, and the whole input', () => {
    const long = 'x'.repeat(5000)
    const ask: Ask = {
      step: 'ask 1.1',
      call: { id: 'c', tool: 'pay\x1b', arguments: JSON.stringify({ to: 'a\u202eb', long }) },
      why: 'it sends data out',
      about: 'Pays.',
      readOnly: false,
    }
    expect(askDetails(ask, fakeTerminal())).toBe(
      `\npay\\x1b asks to run.\nPays.\nWhy: it sends data out\n{\n  "to": "a\\u202eb",\n  "long": "${long}"\n}\n`,
    )
    const resolved = { requests: [{ url: `https://a.example/\u202e${long}` }] }
    expect(askDetails({ ...ask, resolved }, fakeTerminal())).toContain(
      `\nWith: {\n  "requests": [\n    {\n      "url": "https://a.example/\\u202e${long}"`,
    )
  })
})
