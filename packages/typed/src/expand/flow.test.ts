// A flow's input, and its output where a model may call it, out of the types of `run`.
import { app, type FlowContext, flow, memory } from '@toolwright/core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { saidIn } from '../../test/support/said.ts'

const head = `import { flow, type FlowContext } from 'toolwright'
/** A booking. */
interface Booking {
  /** Where to. */
  to: string
  nights: number
}
interface Receipt { id: string }
`
const booking = {
  type: 'object',
  properties: { to: { type: 'string', description: 'Where to.' }, nights: { type: 'number' } },
  required: ['to', 'nights'],
  additionalProperties: false,
}

describe('the input of a flow', () => {
  const ways: Record<string, string> = {
    'is the argument of FlowContext': `flow('book', { run: async ({ input, step }: FlowContext<Booking>) => input.to })`,
    'is the field of the same name': `flow('book', { run: async ({ input }: { input: Booking }) => input.to })`,
    'is the type argument of the call': `flow<Booking>('book', { run: async ({ input }) => input.to })`,
    'is read of a function that stands elsewhere': `type Mine = FlowContext<Booking, { db: string }>
async function book(mine: Mine) { return mine.input.to }
flow('book', { run: book })`,
    'is read of a method': `flow('book', { async run(it: FlowContext<Booking>) { return it.input.to } })`,
  }
  for (const [name, source] of Object.entries(ways))
    it(name, () => expect(saidIn(head + source)).toEqual([{ input: booking }]))

  it('has the defaults with which it is taken apart', () => {
    const source = `flow('book', { run: async ({ input: { to, nights = 2 } }: FlowContext<Booking>) => to + nights })`
    expect(saidIn(head + source)[0]!.input).toMatchObject({
      properties: { nights: { type: 'number', default: 2 } },
      required: ['to'],
    })
  })

  it('that is stated, or that no type tells, is left as it is', () => {
    const stated = `flow('a', { input: {}, run: async ({ input }: FlowContext<Booking>) => 1 })`
    const nothing = `flow('b', { run: async ({ sleep }) => sleep(1) }); flow('c', { run: async ({ input }: FlowContext) => 1 })`
    expect(saidIn(`${head}${stated}\n${nothing}`)).toEqual([])
  })

  it('is refused where it is no record', () => {
    expect(() => saidIn(`${head}flow('a', { run: async (it: FlowContext<string>) => it.input })`)).toThrow(
      /T2104: .*tools\.ts:9:29: the input is no record/,
    )
  })
})

describe('the output of a flow', () => {
  const receipt = { type: 'object', properties: { id: { type: 'string' } } }

  it('is what run says that it gives, of a flow that is a tool', () => {
    const source = `flow('book', { about: 'Books.', as: 'starter', run: async (it: FlowContext<Booking>): Promise<Receipt> => ({ id: it.input.to }) })`
    expect(saidIn(head + source)).toMatchObject([{ input: booking, output: receipt }])
  })

  it('is not asked for where only code starts it', () => {
    const source = `flow('book', { run: async (it: FlowContext<Booking>): Promise<Map<string, Date>> => new Map() })`
    expect(saidIn(head + source)).toEqual([{ input: booking }])
  })
})

describe('a flow whose types were read', () => {
  it('runs on its input, and refuses another before it begins', async () => {
    const book = flow(
      'book',
      {
        run: async ({ input, step }: FlowContext<{ to: string; nights: number }>) =>
          step('go', () => input.to),
      },
      () => ({ input: booking }),
    )
    const place = app({ agents: [], flows: [book], store: memory() })
    const run = await place.runs.start(book, { to: 'Rome', nights: 2 })
    expect(await place.runs.answer(run)).toBe('Rome')
    await expect(place.runs.start(book, { to: 'Rome', nights: 'two' } as never)).rejects.toThrow(/nights/)
    await place.close()
  })

  it('takes what run takes, as TypeScript sees it', () => {
    const book = flow('book', { run: async ({ input }: FlowContext<{ to: string }>) => input.to.length })
    expectTypeOf<Parameters<NonNullable<(typeof book)['~input']>>[0]>().toEqualTypeOf<{ to: string }>()
    expectTypeOf(book['~output']).toEqualTypeOf<number | undefined>()
  })
})
