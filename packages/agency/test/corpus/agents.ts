// Agents as people write them: tools, nodes, structured answers, threads. The TypeScript beside them asks the same.
import { llm, tool } from '@toolwright/core'
import { text } from '@toolwright/core/values'
import { type Case, program } from './case.ts'
import { moved, said, say, subthread, thread } from './threads.ts'

const says = (value: unknown) => ({ says: typeof value === 'string' ? value : JSON.stringify(value) })
const called = (...calls: [string, object][]) => ({ calls })
/** A record that is asked for, as its schema. */
const fields = (
  properties: Record<string, object>,
  required = Object.keys(properties),
): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const ask = async <T>(prompt: string, output: object): Promise<T> =>
  (await llm(prompt, { output: output as never })) as T
const texts = { type: 'array', items: { type: 'string' } }
/** A parameter with a default. */
const or = (schema: object, fallback: string): object => ({
  anyOf: [schema, { type: 'null' }],
  description: `default: ${fallback}`,
})
const raw = (schema: object): never => schema as never

export const agents: Case[] = [
  program('weather', {
    args: ['Is it warm in Oslo?'],
    turns: [
      called(
        ['temperature', { place: { city: 'Oslo' } }],
        ['wind', { city: 'Oslo' }],
        ['temperature', { place: { city: 'Cairo' }, unit: 'fahrenheit' }],
        ['temperature', { place: { city: 'Atlantis', country: null } }],
      ),
      says('  No. '),
    ],
    gives: 'No. (6 characters)',
    same: async (question: string) => {
      const degrees: Record<string, number> = { Oslo: -3, Cairo: 31 }
      const place = fields({ city: { type: 'string' }, country: { type: ['string', 'null'] } }, ['city'])
      const units = { type: 'string', enum: ['celsius', 'fahrenheit'] }
      const temperature = tool('temperature', {
        about: 'Says how warm it is, in degrees.',
        input: raw(fields({ place, unit: or(units, '"celsius"') }, ['place'])),
        run: ({ place: { city }, unit }: { place: { city: string }; unit?: string }) =>
          degrees[city] === undefined
            ? `nobody measures in ${city}, wherever that is`
            : unit === 'fahrenheit'
              ? (degrees[city] * 9) / 5 + 32
              : degrees[city],
      })
      const wind = tool('wind', {
        about: 'Speed in km/h, and where it comes from.',
        input: { city: text() },
        run: ({ city }) => ({ speed: city.length * 4, from: city === 'Oslo' ? 'N' : 'S' }),
      })
      const answer = await llm(question, { tools: [temperature, wind] })
      return `${answer.trim()} (${answer.length} characters)`
    },
  }),
  ...(
    [
      ['billing', 2, 'Please pay 7 back.', { desk: 'billing', answer: 'Done.', said: 5 }],
      ['bug', 1, 'It is slow.', { desk: 'bug', answer: 'We look.', said: 2 }],
      ['bug', 5, 'It is down.', { desk: 'alarm', answer: 'woke somebody for: It is down.', said: 0 }],
      ['other', 1, 'Hello.', 'nobody is there for this'],
    ] as const
  ).map(
    ([topic, urgency, message, gives]): Case => ({
      ...program('router', {
        args: [message],
        turns: [
          says({ topic, urgency }),
          ...(topic === 'billing' ? [called(['refund', { invoice: '7' }]), says('Done.')] : []),
          ...(topic === 'bug' && urgency < 4 ? [says('We look.')] : []),
        ],
        gives,
        same: async () => {
          say('system', 'You sort what customers write.')
          const routed = await ask<{ topic: string; urgency: number }>(
            `Sort this: ${message}`,
            fields({
              topic: { type: 'string', enum: ['billing', 'bug', 'other'] },
              urgency: {
                type: 'number',
                description: 'from 1, can wait, to 5, on fire',
                minimum: 1,
                maximum: 5,
              },
            }),
          )
          const refund = tool('refund', {
            about: 'Pays an invoice back.',
            input: { invoice: text() },
            run: ({ invoice }) => `refunded ${invoice}`,
          })
          if (routed.topic === 'other') return gives
          return moved(async () => {
            if (routed.topic === 'billing') {
              say('system', 'You are the billing desk.')
              const answer = await llm(message, { tools: [refund] })
              return { desk: 'billing', answer, said: said().length }
            }
            if (routed.urgency < 4) return { desk: 'bug', answer: await llm(message), said: said().length }
            return { desk: 'alarm', answer: `woke somebody for: ${message}`, said: 0 }
          })
        },
      }),
      what: `a router to ${topic}, urgency ${urgency}`,
    }),
  ),
  program('tickets', {
    turns: [
      says({ title: 'white page', priority: 'high', labels: ['web'], assignee: { name: 'Bo', team: 'web' } }),
      says({ title: 'typo', priority: 'low', labels: ['web', 'text'], assignee: null }),
      says({ title: 'down', priority: 'high', labels: ['core'], assignee: { name: 'Al', team: 'core' } }),
    ],
    gives: {
      high: ['white page', 'down'],
      labels: ['core', 'text', 'web'],
      assigned: ['white page: Bo', 'typo: nobody', 'down: Al'],
      teams: 1,
    },
    same: async () => {
      type Ticket = {
        title: string
        priority: string
        labels: string[]
        assignee: { name: string; team: string } | null
      }
      const team = { type: 'string', enum: ['core', 'web'] }
      const assignee = { anyOf: [fields({ name: { type: 'string' }, team }), { type: 'null' }] }
      const ticket = fields(
        {
          title: { type: 'string' },
          priority: { type: 'string', enum: ['low', 'high'] },
          labels: texts,
          assignee,
        },
        ['title', 'priority', 'labels'],
      )
      const tickets: Ticket[] = []
      for (const mail of ['the login page is white', 'a typo in the footer', 'everything is down'])
        tickets.push(await ask(`What is this about? ${mail}`, ticket))
      return {
        high: tickets.filter(t => t.priority === 'high').map(t => t.title),
        labels: [...new Set(tickets.flatMap(t => t.labels))].sort(),
        assigned: tickets.map(t => `${t.title}: ${t.assignee?.name ?? 'nobody'}`),
        teams: tickets.filter(t => t.assignee?.team === 'core').length,
      }
    },
  }),
  program('research', {
    args: ['How hot is tea?'],
    turns: [
      called(['research', { question: 'How hot is tea made?', depth: 2 }]),
      called(['open', { title: 'tea' }], ['open', { title: 'heat' }]),
      called(['open', { title: 'water' }]),
      says('At 100 degrees.'),
      says('100 degrees.'),
    ],
    gives: { answer: '100 degrees.', opened: ['tea', 'heat', 'water'] },
    same: async (question: string) => {
      const pages: Record<string, string> = {
        tea: 'Tea is made from leaves. See also: water.',
        water: 'Water boils at 100 degrees.',
      }
      const opened: string[] = []
      const open = tool('open', {
        about: 'Opens a page.',
        input: { title: text() },
        run: ({ title }) => {
          opened.push(title)
          const page = pages[title]
          if (page === undefined) throw new Error(`there is no page ${title}`)
          return page
        },
      })
      const research = tool('research', {
        about: 'Finds something out, and says it in a sentence.',
        input: raw(
          fields({ question: { type: 'string' }, depth: or({ type: 'number' }, '1') }, ['question']),
        ),
        run: async ({ question: asked, depth = 1 }: { question: string; depth?: number }) => {
          say('system', `You find things out, ${depth} page${depth === 1 ? '' : 's'} deep.`)
          return await llm(asked, { tools: [open] })
        },
      })
      const answer = await llm(question, { tools: [research] })
      return { answer, opened }
    },
  }),
  program('reduce', {
    args: ['one two three four five six seven'],
    turns: [
      says({ points: ['a', 'b'], words: 3 }),
      says({ points: ['c'], words: 3 }),
      says({ points: [], words: 1 }),
      says('All of it.'),
    ],
    gives: { whole: 'All of it.', words: 7 },
    same: async (given: string) => {
      const words = given.split(' ')
      const points: string[] = []
      let counted = 0
      for (let i = 0; i < words.length; i += 3) {
        const part = words.slice(i, i + 3).join(' ')
        const got = await thread(() =>
          ask<{ points: string[]; words: number }>(
            `Part ${i / 3 + 1}: ${part}`,
            fields({ points: texts, words: { type: 'number' } }),
          ),
        )
        points.push(...got.points)
        counted += got.words
      }
      const lines = points.map(p => ` - ${p}`).join('\n')
      return { whole: await llm(`\n    One sentence from these:\n${lines}\n  `), words: counted }
    },
  }),
  program('extract', {
    args: ['No. 7'],
    turns: [
      says({
        number: '7',
        paid: false,
        lines: [
          { what: 'tea', count: 2, each: { amount: 3, currency: 'EUR' } },
          { what: 'cup', count: 1, each: { amount: 5, currency: 'USD' } },
          { what: 'pot', count: 1, each: { amount: 20, currency: 'EUR' } },
        ],
        address: { street: 'Main', city: 'Bonn' },
        tags: { from: 'shop' },
      }),
    ],
    gives: {
      number: '7',
      state: 'open',
      city: 'Bonn',
      note: true,
      total: { EUR: 26, USD: 5 },
      tags: [['from', 'shop']],
    },
    same: async (given: string) => {
      const money = fields({
        amount: { type: 'number' },
        currency: { type: 'string', enum: ['EUR', 'USD'], description: 'ISO 4217' },
      })
      const line = fields({
        what: { type: 'string' },
        count: { type: 'number', minimum: 1 },
        each: money,
      })
      const address = fields({ street: { type: 'string' }, city: { type: 'string' } })
      const invoice = await ask<{
        number: string
        paid: boolean
        lines: { count: number; each: { amount: number; currency: string } }[]
        address: { city: string } | null
        note?: string
        tags: Record<string, string>
      }>(
        `Read this invoice:\n${given}`,
        fields(
          {
            number: { type: 'string' },
            paid: { type: 'boolean' },
            lines: { type: 'array', items: line },
            address: { anyOf: [address, { type: 'null' }] },
            note: { type: ['string', 'null'] },
            tags: { type: 'object', additionalProperties: { type: 'string' } },
          },
          ['number', 'paid', 'lines', 'address', 'tags'],
        ),
      )
      const total: Record<string, number> = {}
      for (const { count, each } of invoice.lines)
        total[each.currency] = (total[each.currency] ?? 0) + count * each.amount
      return {
        number: invoice.number,
        state: invoice.paid ? 'paid' : 'open',
        city: invoice.address?.city ?? '?',
        note: invoice.note == null,
        total,
        tags: Object.entries(invoice.tags),
      }
    },
  }),
  program('cart', {
    args: ['Two cups and a tea.'],
    turns: [
      called(
        ['add', { name: 'cup', count: 2 }],
        ['add', { name: 'tea' }],
        ['add', { name: 'pot', count: null }],
      ),
      called(['remove', { name: 'pot' }], ['remove', { name: 'car' }], ['add', { name: 'tea', count: 1 }]),
      called(['add', { name: 'car' }]),
      called(['total', {}]),
      says('16.'),
    ],
    gives: { said: '16.', cart: ['2 cup', '2 tea'], total: 16 },
  }),
  program('desk', {
    args: ['A room, and note my name.'],
    turns: [
      called(['reception', { request: 'a room' }], ['noteDown', { text: 'Ada' }]),
      called(['book', { room: '101', nights: 2 }], ['book', { room: '7' }]),
      says({ text: 'You have 101.', complete: false }),
      says('You have 101, Ada.'),
    ],
    gives: { answer: 'You have 101, Ada.', rooms: ['102'], roles: 'suatauattaua' },
    printed: 'note: Ada\n',
  }),
  program('experts', {
    args: ['Salt in tea?'],
    turns: [
      says('Hm.'),
      says({ choice: 'yes', why: 'no law' }),
      says({ choice: 'no', why: 'taste' }),
      says('Better not.'),
      says('Bye.'),
    ],
    gives: { opened: 'Hm.', verdict: 'Better not.', last: 'Bye.', threads: [4, 3, 3, 4] },
    same: async (question: string) => {
      const opened = await llm(`Somebody wants to know: ${question}`)
      const votes: { choice: string; why: string }[] = []
      for (const rule of ['You look at what is allowed.', 'You look at what tastes good.'])
        votes.push(
          await thread(async () => {
            say('system', rule)
            return ask(
              question,
              fields({ choice: { type: 'string', enum: ['yes', 'no'] }, why: { type: 'string' } }),
            )
          }),
        )
      const yes = votes.filter(v => v.choice === 'yes').length
      const why = votes.map(v => v.why).join('; ')
      const verdict = await subthread(() => llm(`${yes} of ${votes.length} said yes: ${why}. So?`))
      const last = await llm('Thanks.')
      return { opened, verdict, last, threads: [said().length, 3, 3, 4] }
    },
  }),
  program('planner', {
    args: ['count to six'],
    turns: [
      says({
        steps: [
          { do: 'say', text: 'go' },
          {
            do: 'repeat',
            times: 3,
            steps: [
              { do: 'add', name: 'n', amount: 2 },
              { do: 'say', text: 'more' },
            ],
          },
        ],
      }),
    ],
    gives: { sums: { n: 6 }, said: ['go', 'more', 'more', 'more'] },
  }),
  program('improve', {
    args: { topic: 'tea' },
    turns: [
      says('Tea.'),
      says({ good: false, mend: 'longer' }),
      says('Tea is nice.'),
      says({ good: true, mend: null }),
    ],
    gives: { text: 'Tea is nice.', rounds: 2, messages: 4 },
    same: async () => {
      let line = await llm('Write a line about tea.')
      let rounds = 1
      for (; rounds < 3; rounds++) {
        const { good, mend } = await subthread(() =>
          ask<{ good: boolean; mend?: string | null }>(
            `Is this good? ${line}`,
            fields({ good: { type: 'boolean' }, mend: { type: ['string', 'null'] } }, ['good']),
          ),
        )
        if (good) break
        line = await llm(`Again, and ${mend ?? 'better'}.`)
      }
      return { text: line, rounds, messages: said().length }
    },
  }),
  program('careful', {
    turns: [says({ low: 5, high: 2 }), says({ low: 2, high: 5 }), says({ low: 1, high: 0 })],
    gives: { width: 3, none: '1 is above 0', data: 1, fallback: 0 },
    same: async () => {
      const range = fields({ low: { type: 'number' }, high: { type: 'number' } })
      const first = await ask<{ low: number; high: number }>('From where to where?', range)
      const again = await ask<typeof first>(`${first.low} is above ${first.high}. Again.`, range)
      const none = await ask<typeof first>('And the other?', range)
      return {
        width: again.high - again.low,
        none: `${none.low} is above ${none.high}`,
        data: none.low,
        fallback: 0,
      }
    },
  }),
  program('fewshot', {
    args: [['fine', 'sad']],
    turns: [says('positive'), says('negative')],
    gives: {
      moods: [
        { text: 'fine', mood: 'positive' },
        { text: 'sad', mood: 'negative' },
      ],
      left: 0,
    },
    same: async (given: string[]) => {
      const moods: object[] = []
      for (const each of given)
        await thread(async () => {
          say('system', 'You name the mood in a word.')
          for (const [words, mood] of [
            ['great', 'positive'],
            ['awful', 'negative'],
          ]) {
            say('user', words!)
            say('assistant', mood!)
          }
          moods.push({ text: each, mood: await llm(each) })
        })
      return { moods, left: said().length }
    },
  }),
  ...[true, false].map(
    (admin): Case => ({
      ...program('tooled', {
        args: [{ name: 'Ada', ...(admin ? { admin } : {}) }, 'Clean up.'],
        turns: [
          called(['list', {}]),
          ...(admin ? [called(['erase', { names: ['a.txt', 'b.txt'] }], ['erase', { names: null }])] : []),
          says('Clean.'),
        ],
        gives: 'Ada: Clean.',
        same: async (_: object, wish: string) => {
          const files = tool('list', { about: 'The files.', run: () => ['a.txt', 'b.txt'] })
          const erase = tool('erase', {
            about: 'Erases files.',
            input: raw(fields({ names: { anyOf: [texts, { type: 'null' }] } }, [])),
            run: ({ names }: { names?: string[] | null }) => `erased ${(names ?? []).join(' and ')}`,
          })
          return `Ada: ${await llm(wish, { tools: admin ? [files, erase] : [files] })}`
        },
      }),
      what: admin ? 'tools of an administrator' : 'tools of somebody else',
    }),
  ),
]
