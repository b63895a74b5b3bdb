import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { agent } from '../define/agent.ts'
import type { Json } from '../define/records.ts'
import { tool } from '../define/tool.ts'
import { run } from '../loop/run.ts'
import { endpoint } from './endpoint.ts'
import type { Fields } from './json.ts'
import { costOf, priced } from './price.ts'
import { says } from './scripted.ts'
import { readUsage, type Used } from './usage.ts'

function read(...told: Json[]): Used {
  const used: Used = { input: 0, tokens: 0 }
  for (const each of told) readUsage(used, each as Fields)
  return used
}

describe('usage', () => {
  test.each([
    [
      'OpenAI',
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 8 },
      },
      { input: 100, tokens: 20, cached: 64, reasoned: 8 },
    ],
    [
      'DeepSeek',
      {
        prompt_tokens: 100,
        completion_tokens: 20,
        prompt_cache_hit_tokens: 90,
        prompt_cache_miss_tokens: 10,
      },
      { input: 100, tokens: 20, cached: 90 },
    ],
    [
      'Moonshot',
      { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 70 },
      { input: 100, tokens: 20, cached: 70 },
    ],
    [
      'Anthropic, whose input leaves out what came from the cache and went to it',
      { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 80, cache_creation_input_tokens: 5 },
      { input: 95, tokens: 20, cached: 80 },
    ],
    [
      'LiteLLM, whose prompt does not',
      {
        prompt_tokens: 95,
        completion_tokens: 20,
        cache_read_input_tokens: 80,
        cache_creation_input_tokens: 5,
      },
      { input: 95, tokens: 20, cached: 80 },
    ],
    [
      'OpenAI responses',
      {
        input_tokens: 100,
        output_tokens: 20,
        input_tokens_details: { cached_tokens: 3 },
        output_tokens_details: { reasoning_tokens: 4 },
      },
      { input: 100, tokens: 20, cached: 3, reasoned: 4 },
    ],
    [
      'xAI, whose completion leaves reasoning out',
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 45,
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      { input: 10, tokens: 35, reasoned: 30 },
    ],
    ['nothing of details', { prompt_tokens: 1, completion_tokens: 2 }, { input: 1, tokens: 2 }],
    [
      'details that are null',
      { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: null },
      { input: 1, tokens: 2 },
    ],
    [
      'more from the cache than was read',
      { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 9 } },
      { input: 5, tokens: 0, cached: 5 },
    ],
  ])('of %s', (_, told, used) => {
    expect(read(told)).toEqual(used)
  })

  test('on every chunk is cumulative', () => {
    const chunk = (n: number) => ({
      prompt_tokens: 10,
      completion_tokens: n,
      prompt_tokens_details: { cached_tokens: 4 },
    })
    expect(read(chunk(1), chunk(2), chunk(3))).toEqual({ input: 10, tokens: 3, cached: 4 })
  })

  test.each([
    ['OpenRouter', { cost: 0.5, is_byok: false, cost_details: { upstream_inference_cost: null } }, 0.5],
    [
      'OpenRouter with a key of its own',
      { cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } },
      0.75,
    ],
    ['Perplexity', { cost: { total_cost: 0.03 } }, 0.03],
    ['none', {}, undefined],
  ])('the cost of %s', (_, told, cost) => {
    expect(read(told).cost).toEqual(cost)
  })
})

describe('prices', () => {
  test('are a million tokens each, those from the cache at their own', () => {
    const used = { input: 1_000_000, tokens: 500_000, cached: 400_000 }
    expect(costOf(used, { input: 3, output: 10, cached: 1 })).toBeCloseTo(0.6 * 3 + 0.4 + 5)
    expect(costOf(used, { input: 3, output: 10 })).toBeCloseTo(3 + 5)
  })

  test('do not count where the provider says the cost, or nothing of what was used', () => {
    const price = { input: 1, output: 1 }
    expect(priced(says('x', { input: 9, tokens: 9, cost: 0 }), price).cost).toBe(0)
    expect(priced(says('x'), price)).not.toHaveProperty('cost')
    expect(priced(says('x', { input: 9 }), undefined)).not.toHaveProperty('cost')
  })
})

test('each request of a run begins with the one before, so its cache serves it: a server counts', async () => {
  const prompts: string[] = []
  const counted: { input: number; cached: number }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const { messages, tools } = JSON.parse(text) as { messages: Json[]; tools: Json }
    // What a provider's cache goes by: the tools, then the messages. A token is 4 characters.
    const prompt = [tools, ...messages].map(each => JSON.stringify(each)).join('\n')
    const input = Math.ceil(prompt.length / 4)
    const cached = Math.floor(Math.max(0, ...prompts.map(before => shared(before, prompt))) / 4)
    prompts.push(prompt)
    counted.push({ input, cached })
    const calls = [{ index: 0, id: '', function: { name: 'look', arguments: `{"n":${prompts.length}}` } }]
    const delta = prompts.length < 6 ? { reasoning_content: 'Hm.', tool_calls: calls } : { content: 'Done.' }
    const usage = {
      prompt_tokens: input,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: cached },
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason: 'stop' }], usage })}\n\ndata: [DONE]\n\n`,
    )
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const price = { input: 1, output: 0, cached: 0.1 }
    const look = tool('look', {
      about: 'Looks.',
      input: { type: 'object' },
      run: () => 'a long result '.repeat(40),
    })
    const turning = run(
      agent(endpoint('m', { url, window: 0, price }), 'You look. '.repeat(50), [look]),
      'Look around.',
    )
    const { usage, cost } = await turning.result
    const sum = (of: 'input' | 'cached') => counted.reduce((total, each) => total + each[of], 0)
    expect(usage).toMatchObject({ calls: 6, input: sum('input'), cached: sum('cached') })
    // All of the request before is the beginning of the next: what is new are a call and its result.
    for (const [n, { cached }] of counted.entries())
      if (n > 0) expect(cached).toBe(Math.floor((prompts[n - 1] ?? '').length / 4))
    expect(sum('cached') / sum('input')).toBeGreaterThan(0.6)
    expect(cost).toBeCloseTo((sum('input') - 0.9 * sum('cached')) / 1e6, 9)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

function shared(a: string, b: string): number {
  let n = 0
  while (n < a.length && a[n] === b[n]) n++
  return n
}
