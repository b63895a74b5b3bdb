// How much smaller `tell: 'list'` makes a request with a thousand tools, in tokens of a real tokenizer,
// and whether `find` finds a tool that is described by other words than its name.
import { agent, type Entry, type Request, run, tool } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { choice, integer, optional, text } from '@toolwright/core/values'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'

const things =
  'invoice customer order parcel meeting contract ticket employee product payment campaign warehouse supplier project holiday'.split(
    ' ',
  )
const deeds: [string, string][] = [
  ['list', 'Lists every %s that matches a filter, the newest first'],
  ['get', 'Reads one %s with all of its fields'],
  ['create', 'Makes a new %s from the given fields'],
  ['update', 'Changes some fields of one %s'],
  ['delete', 'Removes one %s for good'],
  ['archive', 'Puts one %s away without removing it'],
  ['assign', 'Hands one %s to a colleague'],
  ['comment', 'Writes a remark on one %s'],
  ['export', 'Writes many of kind %s to a file'],
  ['count', 'Says how many of kind %s there are'],
]
const regions = 'eu us asia africa north south east'.split(' ')

const tools: Entry[] = []
for (const region of regions)
  for (const thing of things)
    for (const [deed, about] of deeds)
      if (tools.length < 990)
        tools.push(
          tool(`${thing}_${region}.${deed}`, {
            about: `${about.replace('%s', thing)}, in the ${region} region`,
            input: {
              id: text(`The identifier of the ${thing}`),
              status: optional(choice('open', 'closed', 'waiting')),
              limit: optional(integer(`How many entries to give at the most`)),
              note: optional(text('A remark for the audit log')),
            },
            run: () => 'ok',
          }),
        )

/** Tools that are told by other words than their names: [name, what it does, what somebody asks for]. */
const hidden: [string, string, string][] = [
  [
    'wx.q',
    'Tells temperature, wind and rain for a town today and tomorrow',
    'will it rain in my town tomorrow?',
  ],
  ['hr.pto', 'Books days off work for a person', 'book me two days off'],
  [
    'fx.px',
    'Converts an amount between two currencies at the rate of the day',
    'convert 100 dollars to another currency',
  ],
  ['geo.rt', 'Plans the fastest route by car between two addresses', 'fastest way by car to this address'],
  ['dms.ocr', 'Reads the words out of a scanned page', 'read the text of a scanned page'],
  ['iam.rst', 'Sends somebody a link to choose a new password', 'I forgot my password'],
  ['bi.kpi', 'Draws a chart of revenue by month', 'chart of monthly revenue'],
  ['net.chk', 'Checks whether a website can be reached', 'is our website reachable?'],
  ['cal.slot', 'Finds a time when several people are free', 'when are the three of us free?'],
  ['tr.l10n', 'Translates a text into another language', 'translate this into French'],
]
for (const [name, about] of hidden)
  tools.push(tool(name, { about, input: { input: text() }, run: () => 'ok' }))

const size = (request: Request): number =>
  encode(JSON.stringify([request.instructions, request.tools])).length

async function asked(
  tell: 'list' | undefined,
  turns: Parameters<typeof scripted>[0],
): Promise<{ requests: Request[]; told: string[] }> {
  const requests: Request[] = []
  const inner = scripted(turns)
  const model = {
    ...inner,
    turn: (...args: Parameters<typeof inner.turn>) => {
      requests.push({ ...args[0] })
      return inner.turn(...args)
    },
  }
  const one = agent('one', {
    model,
    instructions: 'You help.',
    tools,
    ...(tell ? { tell } : {}),
    limits: { steps: 100 },
  })
  await run(one, 'go')
  return { requests, told: one.history.filter(m => m.role === 'tool').map(m => m.text) }
}

const queries = hidden.map(([, , query]) => calls([['find', JSON.stringify({ query })]]))
const functions = size((await asked(undefined, [says('x')])).requests[0]!)
const { requests, told } = await asked('list', [...queries, says('x')])
const list = size(requests[0]!)
console.log(`${tools.length} tools as function objects: ${functions} tokens`)
console.log(
  `${tools.length} tools as a list:             ${list} tokens, ${(functions / list).toFixed(1)} times smaller`,
)
let found = 0
hidden.forEach(([name, , query], i) => {
  const rank = told[i]!.split('\n').findIndex(line => line.startsWith(`"${name}(`)) + 1
  if (rank > 0) found++
  console.log(
    `find ${JSON.stringify(query)}: ${rank > 0 ? `${name} comes ${rank === 1 ? 'first' : `as number ${rank}`}` : `${name} is NOT found`}`,
  )
})
if (functions / list < 20) throw new Error('less than 20 times smaller')
if (found < hidden.length) throw new Error(`${hidden.length - found} tools were not found`)
