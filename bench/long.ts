// A long conversation under a window of 32,000 tokens: how many bytes of a request stand at the beginning of the next
// one unchanged, which is what a provider's prompt cache can serve, and whether a round stays as cheap as it was.
import { agent, type Model, type Request, run, tool } from '@toolwright/core'
import { calls, says } from '@toolwright/core/test'
import { integer } from '@toolwright/core/values'

const WINDOW = 32_000
const ROUNDS = 500
const LONGER = [500, 1000, 2000, 4000]

const results: Record<string, (page: number) => string> = {
  'large results (5 kB)': page => `page ${page} `.repeat(600),
  'middling results (1 kB)': page => `page ${page} `.repeat(120),
  'small results (40 bytes)': page => `page ${page} `.repeat(5),
}

/** A model that calls the tool `rounds` times; `see` gets each request, and gives how many tokens it has. */
function reader(rounds: number, see: (request: Request) => number): Model {
  let n = 0
  return {
    name: 'reader',
    async turn(request) {
      const input = see(request)
      const turn = n < rounds ? calls([['read', `{"page":${n++}}`]]) : says('read it all')
      return { ...turn, input, tokens: 20, window: WINDOW }
    },
  }
}

async function read(
  rounds: number,
  give: (page: number) => string,
  see: (request: Request) => number,
): Promise<void> {
  const pages = tool('read', {
    about: 'Reads a page.',
    input: { page: integer() },
    run: ({ page }) => give(page),
  })
  const model = reader(rounds, see)
  const a = agent('reader', { model, instructions: 'Read.', tools: [pages], limits: { steps: rounds + 1 } })
  const answer = await run(a, 'Read all of it.')
  if (answer !== 'read it all' || a.history.length !== 2 + 2 * rounds)
    throw new Error('the conversation is not whole')
}

/** A request in the order in which a provider reads it. */
const prompt = ({ instructions, tools, messages }: Request): Buffer =>
  Buffer.from([JSON.stringify([tools, instructions]), ...messages.map(m => JSON.stringify(m))].join())

function same(a: Buffer, b: Buffer): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

console.log(`${ROUNDS} rounds under a window of ${WINDOW} tokens, at 4 bytes a token\n`)
for (const [name, give] of Object.entries(results)) {
  let before: Buffer | undefined
  let sent = 0
  let kept = 0
  let whole = 0
  let most = 0
  await read(ROUNDS, give, request => {
    const now = prompt(request)
    if (before) {
      const begin = same(before, now)
      sent += before.length
      kept += begin
      if (begin === before.length) whole++
    }
    before = now
    most = Math.max(most, now.length / 4)
    return Math.ceil(now.length / 4)
  })
  const share = ((100 * kept) / sent).toFixed(1)
  console.log(
    `${name}: ${share} % of the bytes of each request begin the next one; ${whole} of ${ROUNDS} requests do so whole; at most ${Math.ceil(most)} tokens`,
  )
}

console.log('\nµs a round, large results\n')
const give = results['large results (5 kB)']!
/** Counts what grows, so that counting costs nothing. */
const cheap = (request: Request): number =>
  request.messages.reduce((sum, m) => sum + m.text.length + 40, 0) / 4
await read(500, give, cheap)
for (const rounds of LONGER) {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const begun = performance.now()
    await read(rounds, give, cheap)
    times.push(((performance.now() - begun) * 1000) / rounds)
  }
  console.log(`${rounds} rounds: ${times.sort((a, b) => a - b)[1]!.toFixed(0)}`)
}
