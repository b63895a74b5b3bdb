// Every rule of asking a person, with its opposite, across restarts.
import { describe, expect, test } from 'vitest'
import { definition, TOOL, toTool } from '../../src/define/tool.ts'
import { agent, flow, type ToolwrightError, tool } from '../../src/index.ts'
import { calls, says } from '../../src/test.ts'
import { shapeOf } from '../../src/value/shape.ts'
import { integer, text } from '../../src/values.ts'
import { asking, byTurn, results, status, world } from './world.ts'

const paid: string[] = []
const payTool = (danger: 'ask' | 'never' | (() => boolean) = 'ask', name = 'pay') =>
  tool(name, {
    about: 'Pays a bill',
    input: { bill: text() },
    ...(danger === 'never' ? {} : { danger }),
    run: ({ bill }) => {
      paid.push(bill)
      return `paid ${bill}`
    },
  })

function payer(turns = [calls([['pay', '{"bill":"7"}']]), says('done')], pay = payTool()) {
  const model = byTurn(turns)
  paid.length = 0
  return { model, helper: agent('helper', { model, instructions: '', tools: [pay] }) }
}

describe.each(['memory', 'sqlite'] as const)('over %s', kind => {
  test('a yes makes the call, once; what comes later changes nothing', async () => {
    const { begin } = world(kind)
    const { model, helper } = payer()
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'pay', { person: 'ann' })
    await asking(app, run, 'ask 1.1')
    expect(await app.runs.approve(run, 'ask 1.1')).toBe('taken')
    expect(await app.runs.refuse(run, 'ask 1.1')).toBe('no longer waiting')
    expect(await app.runs.answer(run)).toBe('done')
    expect(await app.runs.approve(run, 'ask 1.1')).toBe('no longer waiting')
    expect(await app.runs.approve('nobody', 'ask 1.1')).toBe('no longer waiting')
    expect([paid, results(model)]).toEqual([['7'], ['paid 7']])
  })

  test('a no tells the model T7111, with the reason, and the run goes on', async () => {
    const { begin } = world(kind)
    const { model, helper } = payer()
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'pay')
    await asking(app, run, 'ask 1.1')
    expect(await app.runs.refuse(run, 'ask 1.1', { why: 'too much' })).toBe('taken')
    expect(await app.runs.answer(run)).toBe('done')
    expect(paid).toEqual([])
    expect(results(model)).toEqual([
      'T7111: pay was not carried out: the person did not agree. The reason: too much',
    ])
  })

  test('an answer that comes early waits for its ask', async () => {
    const { begin } = world(kind)
    const { helper } = payer()
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'pay')
    expect(await app.runs.approve(run, 'ask 1.1')).toBe('taken')
    expect(await app.runs.answer(run)).toBe('done')
    expect(paid).toEqual(['7'])
  })

  test('what is no ask at all cannot be answered', async () => {
    const { begin } = world(kind)
    const { helper } = payer()
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'pay')
    await expect(app.runs.approve(run, 'tool 1.1 pay')).rejects.toThrow('T7023')
  })

  test('only the starter answers, and whom approvers lets; code without a name may', async () => {
    const { begin } = world(kind)
    const { helper } = payer([
      calls([
        ['pay', '{"bill":"1"}'],
        ['pay', '{"bill":"2"}'],
        ['pay', '{"bill":"3"}'],
      ]),
      says('done'),
    ])
    const app = await begin({
      agents: [helper],
      approvers: (person, ask) => person === 'boss' && ask.call.arguments !== '{"bill":"3"}',
    })
    const run = await app.runs.start(helper, 'pay', { person: 'ann' })
    await asking(app, run, 'ask 1.1', 'ask 1.2', 'ask 1.3')
    await expect(app.runs.approve(run, 'ask 1.1', { by: 'bob' })).rejects.toThrow('T7020')
    expect(await app.runs.approve(run, 'ask 1.1', { by: 'boss' })).toBe('taken')
    await expect(app.runs.approve(run, 'ask 1.3', { by: 'boss' })).rejects.toThrow('T7020')
    expect(await app.runs.approve(run, 'ask 1.2', { by: 'ann' })).toBe('taken')
    expect(await app.runs.refuse(run, 'ask 1.3')).toBe('taken')
    expect(await app.runs.answer(run)).toBe('done')
    expect(paid.sort()).toEqual(['1', '2'])
  })

  test('an ask expires, also while nothing runs', async () => {
    for (const down of [false, true]) {
      const { begin, clock } = world(kind)
      const { model, helper } = payer()
      let app = await begin({ agents: [helper] })
      const run = await app.runs.start(helper, 'pay')
      await asking(app, run, 'ask 1.1')
      if (down) await app.close()
      clock.move(7 * 86_400_000 + 1)
      if (down) app = await begin({ agents: [helper] })
      expect(await app.runs.answer(run)).toBe('done')
      expect(results(model)).toEqual([
        'T7111: pay was not carried out: the person did not agree. The question expired: nobody answered in time.',
      ])
      expect([paid, await app.runs.approve(run, 'ask 1.1')]).toEqual([[], 'no longer waiting'])
    }
  })

  test('three parallel asks, answered 3, 1, 2, with a restart before each', async () => {
    const { begin } = world(kind)
    const three = calls([
      ['pay', '{"bill":"1"}'],
      ['pay', '{"bill":"2"}'],
      ['pay', '{"bill":"3"}'],
    ])
    const { model, helper } = payer([three, says('done')])
    let app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'pay')
    const open = ['ask 1.1', 'ask 1.2', 'ask 1.3']
    await asking(app, run, ...open)
    for (const step of ['ask 1.3', 'ask 1.1', 'ask 1.2']) {
      await app.close()
      app = await begin({ agents: [helper] })
      await asking(app, run, ...open)
      expect(await (step === 'ask 1.1' ? app.runs.refuse(run, step) : app.runs.approve(run, step))).toBe(
        'taken',
      )
      open.splice(open.indexOf(step), 1)
    }
    expect(await app.runs.answer(run)).toBe('done')
    expect(paid).toEqual(['3', '2'])
    expect(results(model).map(said => said.slice(0, 6))).toEqual(['T7111:', 'paid 2', 'paid 3'])
    expect(model.asked).toBe(2)
  })

  test('other calls do not wait for an ask, the next turn does', async () => {
    const { begin } = world(kind)
    const counted: number[] = []
    const count = tool('count', { about: 'Counts', run: () => counted.push(1) })
    const model = byTurn([
      calls([
        ['pay', '{"bill":"7"}'],
        ['count', '{}'],
      ]),
      says('done'),
    ])
    const helper = agent('helper', { model, instructions: '', tools: [payTool(), count] })
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'go')
    await asking(app, run, 'ask 1.1')
    await status(app, run, 'waiting')
    expect([counted, model.asked]).toEqual([[1], 1])
    await app.runs.approve(run, 'ask 1.1')
    expect(await app.runs.answer(run)).toBe('done')
  })

  test('agents two levels deep, all of one name, ask at the top under their path', async () => {
    const { begin } = world(kind)
    paid.length = 0
    const leaf = agent('helper', {
      model: byTurn([calls([['pay', '{"bill":"9"}']]), says('leaf done')]),
      instructions: '',
      tools: [payTool()],
    })
    const middle = agent('helper', {
      model: byTurn([calls([['below', '{"message":"go"}']]), says('middle done')]),
      instructions: '',
      tools: [{ tool: leaf, name: 'below' }],
    })
    const top = agent('helper', {
      model: byTurn([
        calls([
          ['helper', '{"message":"go"}'],
          ['helper', '{"message":"go too"}'],
        ]),
        says('done'),
      ]),
      instructions: '',
      tools: [middle],
    })
    let app = await begin({ agents: [top] })
    const run = await app.runs.start(top, 'go')
    const path = (n: number): string => `tool 1.${n} helper/tool 1.1 below/ask 1.1`
    await asking(app, run, path(1), path(2))
    await app.close()
    app = await begin({ agents: [top] })
    expect(await app.runs.approve(run, path(2))).toBe('taken')
    await asking(app, run, path(1))
    expect(await app.runs.refuse(run, path(1), { why: 'no' })).toBe('taken')
    expect(await app.runs.answer(run)).toBe('done')
    expect(paid).toEqual(['9'])
  })

  test('an ask that waits is not skipped because its rule is gone: it fails closed', async () => {
    for (const gone of ['never', () => false] as const) {
      const { begin } = world(kind)
      const before = payer(
        undefined,
        payTool(() => true),
      )
      let app = await begin({ agents: [before.helper] })
      const run = await app.runs.start(before.helper, 'pay')
      await asking(app, run, 'ask 1.1')
      await app.close()
      const after = payer(undefined, payTool(gone))
      app = await begin({ agents: [after.helper] })
      await asking(app, run, 'ask 1.1')
      // Something else wakes it: it must not be made without its answer.
      await app.runs.signal(run, 'nothing')
      await new Promise(resolve => setTimeout(resolve, 20))
      await asking(app, run, 'ask 1.1')
      expect(paid).toEqual([])
      await app.runs.refuse(run, 'ask 1.1')
      expect(await app.runs.answer(run)).toBe('done')
      expect(paid).toEqual([])
    }
  })

  test('a waiting call whose tool is gone, or whose input no longer reads, waits for code that fits', async () => {
    const changes = [
      (model: ReturnType<typeof byTurn>) => agent('helper', { model, instructions: '', tools: [] }),
      (model: ReturnType<typeof byTurn>) =>
        agent('helper', {
          model,
          instructions: '',
          tools: [
            tool('pay', { about: 'x', input: { bill: integer() }, danger: 'ask', run: () => paid.push('!') }),
          ],
        }),
    ]
    for (const change of changes) {
      const { begin } = world(kind)
      const { model, helper } = payer([calls([['pay', '{"bill":"seven"}']]), says('done')])
      let app = await begin({ agents: [helper] })
      const run = await app.runs.start(helper, 'pay')
      await asking(app, run, 'ask 1.1')
      const journal = JSON.stringify(await app.runs.steps(run))
      await app.close()
      app = await begin({ agents: [change(model)] })
      await app.runs.approve(run, 'ask 1.1')
      await status(app, run, 'stuck')
      expect((await app.runs.get(run)).error).toMatchObject({
        code: 'T6006',
        message: expect.stringContaining('ask 1.1'),
      })
      expect(JSON.stringify(await app.runs.steps(run))).toBe(journal)
      await app.close()
      app = await begin({ agents: [helper] })
      expect(await app.runs.resume(run)).toBe(true)
      expect(await app.runs.answer(run)).toBe('done')
      expect(paid).toEqual(['seven'])
    }
  })

  test('a message in between: what is asked counts as not agreed, and the message is read before the next turn', async () => {
    const { begin } = world(kind)
    const { model, helper } = payer()
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'pay')
    await asking(app, run, 'ask 1.1')
    await status(app, run, 'waiting')
    await app.runs.send(run, 'Pay 8 instead')
    expect(await app.runs.answer(run)).toBe('done')
    expect(paid).toEqual([])
    expect(results(model)[0]).toMatch(
      /^T7111: pay was not carried out: the person did not agree\. The reason: /,
    )
    expect(model.told.at(-1)!.at(-1)).toMatchObject({
      role: 'user',
      text: 'Pay 8 instead',
      origin: { from: 'person' },
    })
  })

  test('a message while the run works waits for the next turn, and opens one where there would be none', async () => {
    const { begin } = world(kind)
    let let_ = (): void => {}
    const slow = tool('slow', {
      about: 'x',
      run: () => new Promise<string>(resolve => (let_ = () => resolve('slept'))),
    })
    const model = byTurn([calls([['slow', '{}']]), says('first'), says('second')])
    const helper = agent('helper', { model, instructions: '', tools: [slow] })
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'go')
    await expect.poll(() => model.asked).toBe(1)
    await expect.poll(async () => (await app.runs.steps(run)).map(s => s.name)).toContain('tool 1.1 slow')
    await app.runs.send(run, 'Also note 4')
    let_()
    expect(await app.runs.answer(run)).toBe('first')
    expect(model.told[1]!.map(m => m.text)).toEqual(['go', '', 'slept', 'Also note 4'])
    await expect(app.runs.send(run, 'Too late')).rejects.toThrow('T7021')
  })

  test('a message that comes while the last turn is written opens another', async () => {
    const { begin } = world(kind)
    let say = (): void => {}
    const model = {
      name: 'slow',
      asked: 0,
      async turn(request: { messages: readonly { text: string }[] }) {
        model.asked++
        if (model.asked === 1) await new Promise<void>(resolve => (say = resolve))
        return says(`heard ${request.messages.map(m => m.text).join('; ')}`)
      },
    }
    const helper = agent('helper', { model, instructions: '', tools: [] })
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'one')
    await expect.poll(() => model.asked).toBe(1)
    await app.runs.send(run, 'two')
    say()
    expect(await app.runs.answer(run)).toBe('heard one; heard one; two')
  })

  test('refused for the run: the tool is not asked about again, in children too, and others are', async () => {
    const { begin } = world(kind)
    paid.length = 0
    const pay = payTool()
    const gift = payTool('ask', 'gift')
    const child = agent('child', {
      model: byTurn([calls([['pay', '{"bill":"c"}']]), says('child done')]),
      instructions: '',
      tools: [pay],
    })
    const model = byTurn([
      calls([['pay', '{"bill":"1"}']]),
      calls([
        ['settle', '{"bill":"2"}'],
        ['child', '{"message":"go"}'],
        ['gift', '{"bill":"3"}'],
      ]),
      says('done'),
    ])
    const helper = agent('helper', {
      model,
      instructions: '',
      tools: [pay, child, gift, { tool: payTool('ask', 'settle'), name: 'settle' }],
    })
    const again = agent('helper', {
      model,
      instructions: '',
      tools: [pay, child, gift, { tool: pay, name: 'settle' }],
    })
    let app = await begin({ agents: [again] })
    const run = await app.runs.start(again, 'go')
    await asking(app, run, 'ask 1.1')
    await app.runs.refuse(run, 'ask 1.1', { forRun: true, why: 'never' })
    await asking(app, run, 'ask 2.3')
    await app.close()
    app = await begin({ agents: [again] })
    await asking(app, run, 'ask 2.3')
    await app.runs.approve(run, 'ask 2.3')
    expect(await app.runs.answer(run)).toBe('done')
    expect(paid).toEqual(['3'])
    expect(results(model).filter(said => said.includes('The reason: never'))).toHaveLength(2)
    expect(helper.name).toBe('helper')
  })

  test('what depends on more than its input is shown resolved, and asked about anew where it changed meanwhile', async () => {
    const { begin } = world(kind)
    let address = 'old street'
    const sent: string[] = []
    const send = toTool(
      definition({
        name: 'send',
        about: 'Sends',
        input: shapeOf({ type: 'object' }),
        danger: 'ask',
        resolve: () => address,
        execute: () => sent.push(address),
      }),
    )
    const model = byTurn([calls([['send', '{}']]), says('done')])
    const helper = agent('helper', { model, instructions: '', tools: [send] })
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'go')
    await asking(app, run, 'ask 1.1')
    expect((await app.runs.asks(run))[0]).toMatchObject({ resolved: 'old street' })
    address = 'new street'
    await app.runs.approve(run, 'ask 1.1')
    await asking(app, run, 'ask 1.1 again 1')
    expect(sent).toEqual([])
    expect((await app.runs.asks(run))[0]).toMatchObject({ resolved: 'new street' })
    await app.runs.approve(run, 'ask 1.1 again 1')
    expect(await app.runs.answer(run)).toBe('done')
    expect(sent).toEqual(['new street'])
    expect(send[TOOL].name).toBe('send')
  })

  test('another version of the definition is asked about anew', async () => {
    const { begin } = world(kind)
    const ran: string[] = []
    const versioned = (version: string) =>
      agent('helper', {
        model: byTurn([calls([['go', '{}']]), says('done')]),
        instructions: '',
        tools: [
          toTool(
            definition({
              name: 'go',
              about: version,
              version,
              input: shapeOf({ type: 'object' }),
              danger: 'ask',
              execute: () => ran.push(version),
            }),
          ),
        ],
      })
    let app = await begin({ agents: [versioned('one')] })
    const run = await app.runs.start('helper', 'go')
    await asking(app, run, 'ask 1.1')
    await app.close()
    app = await begin({ agents: [versioned('two')] })
    await app.runs.approve(run, 'ask 1.1')
    await asking(app, run, 'ask 1.1 again 1')
    expect(ran).toEqual([])
    await app.runs.approve(run, 'ask 1.1 again 1')
    await app.runs.answer(run)
    expect(ran).toEqual(['two'])
  })

  test('what sends data out asks, unless it is trusted along the path of agents', async () => {
    const trusts = [
      { own: true, child: true, asks: false },
      { own: false, child: true, asks: true },
      { own: true, child: false, asks: true },
    ]
    for (const { own, child, asks } of trusts) {
      const { begin } = world(kind)
      const mail = tool('mail', { about: 'Mails', sendsOut: true, run: () => 'sent' })
      const writer = agent('writer', {
        model: byTurn([calls([['mail', '{}']]), says('written')]),
        instructions: '',
        tools: [mail],
        trust: own ? [mail] : [],
      })
      const helper = agent('helper', {
        model: byTurn([calls([['writer', '{"message":"go"}']]), says('done')]),
        instructions: '',
        tools: [writer],
        trust: child ? [writer] : [],
      })
      const app = await begin({ agents: [helper] })
      const run = await app.runs.start(helper, 'go')
      if (asks) {
        await asking(app, run, 'tool 1.1 writer/ask 1.1')
        await app.runs.approve(run, 'tool 1.1 writer/ask 1.1')
      }
      expect(await app.runs.answer(run)).toBe('done')
      expect((await app.runs.steps(run)).some(step => step.kind === 'ask')).toBe(asks)
    }
  })

  test('the code of a flow may be refused too', async () => {
    const { begin } = world(kind)
    const bill = flow('bill', {
      run: async ({ call }) => {
        try {
          return await call(payTool(), { bill: '5' })
        } catch (error) {
          return (error as ToolwrightError).code
        }
      },
    })
    const app = await begin({ flows: [bill] })
    const run = await app.runs.start(bill, {})
    await asking(app, run, 'ask 1')
    await app.runs.refuse(run, 'ask 1')
    expect(await app.runs.answer(run)).toBe('T7018')
  })
})
