import { tool as aiTool, jsonSchema, zodSchema } from '@ai-sdk/provider-utils'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agent } from '../../define/agent.ts'
import type { Request } from '../../define/records.ts'
import { run } from '../../loop/run.ts'
import { calls, says, scripted } from '../scripted.ts'
import { fromAiSdkTools } from './tools.ts'

const city = jsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
})

/** Calls the tool with these arguments; gives what the model was told, and the pieces. */
async function called(tools: ReturnType<typeof fromAiSdkTools>, name: string, input: object, more = {}) {
  let asked: Request | undefined
  const pieces: { kind: string; text: string }[] = []
  const model = scripted([calls([[name, input]]), request => ((asked = request), says('Done.'))])
  await run(agent(model, '', tools), 'Q', { each: piece => void pieces.push(piece), ...more })
  const told = asked?.messages.filter(message => message.role === 'tool').at(-1)?.text
  return { told, pieces, asked }
}

test('a tool is taken with its description, its schema and its function', async () => {
  let handed: unknown
  const [weather] = fromAiSdkTools({
    weather: aiTool({
      description: 'The weather of a city.',
      inputSchema: city,
      execute: async (input, { toolCallId, abortSignal, messages, ...rest }) => {
        handed = {
          toolCallId,
          aborted: abortSignal?.aborted,
          messages,
          context: Reflect.get(rest, 'context'),
        }
        return { sunny: input.city === 'Ulm' }
      },
    }),
  })
  expect([weather?.name, weather?.description]).toEqual(['weather', 'The weather of a city.'])
  expect(weather?.parameters).toMatchObject({ required: ['city'] })
  const { told } = await called([weather!], 'weather', { city: 'Ulm' }, { deps: { db: 1 } })
  expect(told).toBe('{"sunny":true}')
  expect(handed).toMatchObject({ aborted: false, messages: [], context: { db: 1 } })
  expect((handed as { toolCallId: string }).toolCallId).not.toBe('')
})

test('zod schemas are read through the SDK, and its validation is a failed result', async () => {
  const tools = fromAiSdkTools({
    even: aiTool({
      description: 'Takes even numbers.',
      inputSchema: zodSchema(z.object({ n: z.number().refine(n => n % 2 === 0, 'n must be even') })),
      execute: ({ n }: { n: number }) => n,
    }),
  })
  expect((await called(tools, 'even', { n: 4 })).told).toBe('4')
  expect((await called(tools, 'even', { n: 5 })).told).toContain('must be even')
})

test('needsApproval asks: always, or when it says so', async () => {
  const seen: string[] = []
  const tools = fromAiSdkTools({
    pay: aiTool({
      description: 'Pays.',
      inputSchema: jsonSchema<{ euros: number }>({
        type: 'object',
        properties: { euros: { type: 'number' } },
      }),
      needsApproval: ({ euros }) => euros > 100,
      execute: () => 'paid',
    }),
  })
  const approver = async () => (seen.push('asked'), { approved: false as const })
  expect((await called(tools, 'pay', { euros: 5 }, { approver })).told).toBe('paid')
  expect(seen).toEqual([])
  expect((await called(tools, 'pay', { euros: 500 }, { approver })).told).not.toBe('paid')
  expect(seen).toEqual(['asked'])
})

test('what it yields is progress, and the last is the result', async () => {
  const tools = fromAiSdkTools({
    count: aiTool({
      description: 'Counts.',
      inputSchema: jsonSchema({ type: 'object' }),
      async *execute() {
        yield 'one'
        yield 'two'
        yield 'three'
      },
    }),
  })
  const { told, pieces } = await called(tools, 'count', {})
  expect(told).toBe('three')
  expect(pieces.filter(piece => piece.kind === 'step').map(piece => piece.text)).toEqual(['one', 'two'])
})

test('toModelOutput makes what the model sees, pictures too', async () => {
  const tools = fromAiSdkTools({
    shot: aiTool({
      description: 'Takes a picture.',
      inputSchema: jsonSchema({ type: 'object' }),
      execute: () => ({ secret: 1 }),
      toModelOutput: () => ({
        type: 'content',
        value: [
          { type: 'text', text: 'Here.' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
        ],
      }),
    }),
  })
  const { told, asked } = await called(tools, 'shot', {})
  expect(told).toBe('Here.')
  expect(asked?.messages.find(message => message.images)?.images).toEqual(['data:image/png;base64,AQID'])
})

test('every tool that cannot be taken is told at once', () => {
  const broken = () =>
    fromAiSdkTools({
      a: { description: 'A.', inputSchema: city },
      b: { inputSchema: city, execute: () => 1 },
      c: { type: 'provider', description: 'C.' },
      d: {
        description: 'D.',
        inputSchema: jsonSchema(Promise.resolve({ type: 'object' })),
        execute: () => 1,
      },
    })
  expect(broken).toThrow(
    /a\.execute: is missing[\s\S]*b\.description: is missing[\s\S]*c\.type[\s\S]*d\.inputSchema/,
  )
})

test('code calls it like the function it is', async () => {
  const [hello] = fromAiSdkTools({
    hello: {
      description: 'Greets.',
      inputSchema: city,
      execute: (input: never) => `Hello ${Reflect.get(input, 'city')}`,
    },
  })
  expect(await hello!({ city: 'Ulm' } as never)).toBe('Hello Ulm')
})
