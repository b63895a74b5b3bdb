// How to test an agent: a script in the model's place, the real tools, and a clock that the test winds.
import { agent, type Clock, type Context, type Message, run, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { integer } from 'toolwright/values'
import { expect, test } from 'vitest'

interface Deps {
  stock: Map<number, number>
}

const take = tool('take', {
  about: 'Takes an article out of the stock.',
  input: { article: integer() },
  danger: 'ask',
  run({ article }, ctx: Context<Deps>) {
    const left = ctx.deps.stock.get(article) ?? 0
    if (left === 0) throw new Error(`there is no article ${article} left`)
    ctx.deps.stock.set(article, left - 1)
    return `${left - 1} left`
  },
})

const label = tool('label', {
  about: 'Says what stands on the label of an article.',
  input: { article: integer({ min: 1 }) },
  readOnly: true,
  run: ({ article }) => `No. ${article}`,
})

function keeper(...turns: Parameters<typeof scripted>[0]) {
  return agent('keeper', {
    model: scripted(turns),
    instructions: 'You keep the stock.',
    tools: [take, label],
  })
}

function results(history: readonly Message[]): string[] {
  return history.filter(message => message.role === 'tool').map(message => message.text)
}

test('a tool is a function: it can be called as one, and is checked like any call', async () => {
  expect(await label({ article: 7 })).toBe('No. 7')
  await expect(label({ article: 0 })).rejects.toThrow('article')
})

test('what the tools did, and what the model was told of it', async () => {
  const stock = new Map([[7, 1]])
  const twice = calls([['take', { article: 7 }]])
  const one = keeper(twice, twice, says('One was left, and it is yours.'))
  await run(one, 'Two of article 7, please.', { deps: { stock }, approver: () => true })
  expect(stock.get(7)).toBe(0)
  expect(results(one.history)).toEqual(['0 left', 'there is no article 7 left'])
})

test('nothing is taken where the person says no', async () => {
  const stock = new Map([[7, 1]])
  const one = keeper(calls([['take', { article: 7 }]]), says('Then not.'))
  await run(one, 'Article 7, please.', { deps: { stock }, approver: () => false })
  expect(stock.get(7)).toBe(1)
  expect(results(one.history)).toEqual(['The person declined this call.'])
})

test('what the model is asked: a turn can be a function of the request', async () => {
  const one = keeper(request => says(request.tools.map(told => told.function.name).join(' and ')))
  expect(await run(one, 'What can you do?')).toBe('take and label')
})

test('time passes when the test says so', async () => {
  const clock = windUp()
  const slow = tool('slow', { about: 'Takes long.', timeout: '1 minute', run: () => new Promise(() => {}) })
  const one = agent(scripted([calls([['slow', {}]]), says('It took too long.')]), '', [slow])
  const running = run(one, 'Do it.', {
    clock,
    each: piece => piece.kind === 'call' && setImmediate(clock.wind),
  })
  expect(await running).toBe('It took too long.')
  expect(results(one.history)[0]).toContain('did not answer in time')
})

/** A clock that stands still until it is wound up: then it jumps to each timer that is due next. */
function windUp(): Clock & { wind(): void } {
  let now = 0
  const timers = new Map<() => void, number>()
  return {
    now: () => now,
    after(ms, fn) {
      if (Number.isFinite(ms)) timers.set(fn, now + ms)
      return () => timers.delete(fn)
    },
    wind() {
      const [next, due] = [...timers].sort((a, b) => a[1] - b[1])[0] ?? []
      if (!next || due === undefined) return
      timers.delete(next)
      now = due
      next()
    },
  }
}
