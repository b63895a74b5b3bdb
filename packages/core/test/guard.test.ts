// May it run: who is asked, what they are shown, and what the model is told.
import { describe, expect, test } from 'vitest'
import type { Call, Message } from '../src/define/records.ts'
import { type Agent, type Ask, agent, DECLINED, type Entry, run, tool } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { integer } from '../src/values.ts'

const one = (name: string, args = '{}') => scripted([calls([[name, args]]), says('end')])
const results = (a: Agent): string[] => a.history.filter((m: Message) => m.role === 'tool').map(m => m.text)

function with_(tools: Entry[], name: string, args?: string, trust: (Entry | string)[] = []): Agent {
  return agent('one', { model: one(name, args), instructions: '', tools, trust: trust as never })
}

const dangerous = tool('pay', {
  about: 'pays',
  input: { amount: integer() },
  danger: 'ask',
  run: ({ amount }) => `paid ${amount}`,
})
const sending = tool('send', { about: 'sends', sendsOut: true, run: () => 'sent' })
const reading = tool('look', { about: 'looks', readOnly: true, run: () => 'seen' })
const plain = tool('do', { about: 'does', run: () => 'done' })

describe('who is asked', () => {
  test('nobody, where nothing asks', async () => {
    const asks: Ask[] = []
    const a = with_([plain], 'do')
    await run(a, 'go', { approver: ask => (asks.push(ask), false) })
    expect(asks).toEqual([])
    expect(results(a)).toEqual(['done'])
  })

  test('nobody is there: declined at once, with the very words', async () => {
    const a = with_([dangerous], 'pay', '{"amount":1}')
    await run(a, 'go')
    expect(results(a)).toEqual([DECLINED])
    expect(DECLINED).toBe('The person declined this call.')
  })

  test('`approve` of the agent is asked before each call that is not read-only', async () => {
    const seen: Call[] = []
    const a = agent('one', {
      model: scripted([
        calls([
          ['look', '{}'],
          ['do', '{}'],
        ]),
        says('end'),
      ]),
      instructions: '',
      tools: [reading, plain],
    })
    a.approve = call => (seen.push(call), false)
    await run(a, 'go')
    expect(seen).toEqual([{ id: 'call_1', tool: 'do', arguments: '{}' }])
    expect(results(a)).toEqual(['seen', DECLINED])
  })

  test('`approve` comes before the `approver` of the run, and reaches calls inside of agents', async () => {
    const child = agent('child', { model: one('do'), instructions: '', tools: [plain] })
    const a = agent('outer', { model: one('child', '{"message":"x"}'), instructions: '', tools: [child] })
    const seen: string[] = []
    a.approve = async call => (seen.push(call.tool), true)
    child.approve = () => false
    await run(a, 'go', { approver: () => false })
    expect(seen).toEqual(['child', 'do'])
    expect(results(a)).toEqual(['end'])
  })

  test('a tool that sends data out asks unless trust names it, its service, or both agents agree', async () => {
    const yes: Ask[] = []
    const approver = (ask: Ask): boolean => (yes.push(ask), true)
    await run(with_([sending], 'send'), 'go', { approver })
    expect(yes.map(a => a.why)).toEqual(['it sends data out'])
    await run(with_([sending], 'send', '{}', [sending]), 'go', { approver })
    // Trust names the definition, not what it is told as.
    await run(with_([{ tool: sending, name: 'mail' }], 'mail', '{}', [sending]), 'go', { approver })
    expect(yes).toHaveLength(1)
    const other = tool('send', { about: 'another of that name', sendsOut: true, run: () => 'x' })
    await run(with_([other], 'send', '{}', [sending]), 'go', { approver })
    expect(yes).toHaveLength(2)
  })

  test('a child’s own trust counts only where its parent trusts the child, or the tool too', async () => {
    const ask = async (childTrusts: Entry[], parentTrusts: (child: Agent) => Entry[]): Promise<boolean> => {
      let asked = false
      const child = agent('child', {
        model: one('send'),
        instructions: '',
        tools: [sending],
        trust: childTrusts as never,
      })
      const a = agent('outer', {
        model: one('child', '{"message":"x"}'),
        instructions: '',
        tools: [child],
        trust: parentTrusts(child) as never,
      })
      await run(a, 'go', { approver: () => (asked = true) })
      return asked
    }
    expect(await ask([sending], () => [])).toBe(true)
    expect(await ask([], child => [child])).toBe(true)
    expect(await ask([sending], child => [child])).toBe(false)
    expect(await ask([sending], () => [sending])).toBe(false)
    expect(await ask([], () => [sending])).toBe(true)
  })
})

describe('a rule', () => {
  test('decides by the input as it was read, once a call', async () => {
    let ruled = 0
    const rule = tool('pay', {
      about: 'pays',
      input: { amount: integer() },
      danger: ({ amount }) => (ruled++, amount > 100),
      run: ({ amount }) => `paid ${amount}`,
    })
    const cheap = with_([rule], 'pay', '{"amount":"100"}')
    await run(cheap, 'go')
    expect(results(cheap)).toEqual(['paid 100'])
    const dear = with_([rule], 'pay', '{"amount":"101"}')
    await run(dear, 'go')
    expect(results(dear)).toEqual([DECLINED])
    expect(ruled).toBe(2)
  })

  test('that fails asks: nothing runs unasked', async () => {
    const rule = tool('pay', {
      about: 'pays',
      danger: () => {
        throw new Error('no idea')
      },
      run: () => 'paid',
    })
    const a = with_([rule], 'pay')
    await run(a, 'go')
    expect(results(a)).toEqual([DECLINED])
  })
})

describe('what is shown', () => {
  test('is the input as it would run: repaired, and exactly that runs', async () => {
    let shown: Ask | undefined
    const a = with_([dangerous], 'pay', '{"amount": "5"}')
    await run(a, 'go', { approver: ask => ((shown = ask), true) })
    expect(shown).toMatchObject({
      step: 'ask 1.1',
      why: 'it asks before each call',
      about: 'pays',
      readOnly: false,
    })
    expect(shown!.call).toMatchObject({ tool: 'pay', arguments: '{"amount":5}' })
    expect(results(a)).toEqual(['paid 5'])
  })

  test('input that does not read is never asked about', async () => {
    let asked = 0
    const a = with_([dangerous], 'pay', '{"amount":"many"}')
    await run(a, 'go', { approver: () => (asked++, true) })
    expect(asked).toBe(0)
    expect(results(a)[0]).toContain('amount')
  })

  test('`ask` comes as a piece, also from inside of agents', async () => {
    const child = agent('child', { model: one('pay', '{"amount":1}'), instructions: '', tools: [dangerous] })
    const a = agent('outer', { model: one('child', '{"message":"x"}'), instructions: '', tools: [child] })
    const steps: string[] = []
    await run(a, 'go', { each: p => p.kind === 'ask' && steps.push(p.step) })
    expect(steps).toEqual(['tool 1.1 child/ask 1.1'])
  })
})

test('an approver that throws declines nothing silently: the run fails with its error', async () => {
  const a = with_([dangerous], 'pay', '{"amount":1}')
  const failing = run(a, 'go', {
    approver: () => {
      throw new Error('the terminal is gone')
    },
  })
  await expect(failing).rejects.toThrow('the terminal is gone')
})

test('only `true` and { approved: true } agree', async () => {
  for (const said of [1, 'yes', {}, { approved: 'true' }, undefined, null]) {
    const a = with_([dangerous], 'pay', '{"amount":1}')
    await run(a, 'go', { approver: () => said as never })
    expect(results(a)).toEqual([DECLINED])
  }
})
