// What the tests of outside servers have in common: a folder with a lock, an agent with a scripted model.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, type Decision, type LogEvent, type Message, run } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { afterEach } from 'vitest'
import { type McpService, type McpStated, mcp, type ServerStated } from '../src/index.ts'
import { approve, look, type ServerNews } from '../src/people/lock.ts'
import type { Fake } from './fake.ts'

const ends: (() => unknown)[] = []

/** Does `end` after the test. */
export function after(end: () => unknown): void {
  ends.push(end)
}

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'toolwright-mcp-'))
  after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A service that is closed after the test. */
export function service(name: string, stated: ServerStated & McpStated): McpService {
  const made = mcp(name, stated)
  after(() => made.close())
  return made
}

/** The server behind `fake`, as code states it. */
export function at(server: Fake, lock: string, more: McpStated = {}): ServerStated & McpStated {
  return { url: 'http://fake.invalid/mcp', fetch: server.fetch, lock, ...more }
}

/** Approves what a server offers now: all of it, or the tools named. */
export async function lockNow(
  name: string,
  stated: ServerStated & McpStated,
  only?: string[],
): Promise<ServerNews> {
  const looking = mcp(name, stated)
  try {
    const news = await look(looking)
    approve(news, only ?? news.tools.filter(each => each.state !== 'gone').map(each => each.name))
    return news
  } finally {
    await looking.close()
  }
}

export interface Seen {
  /** What each model turn was told. */
  told: string[][]
  messages: readonly Message[]
  log: LogEvent[]
  asked: string[]
  answer: string
}

/** An agent that makes one call of `made` and ends. */
export async function using(
  used: McpService,
  made: readonly (readonly [string, string])[],
  options: {
    trust?: boolean
    approve?: () => boolean | Decision | Promise<boolean | Decision>
    instructions?: string
  } = {},
): Promise<Seen> {
  const told: string[][] = []
  const script = scripted([calls(made as [string, string][]), says('done')])
  const model: typeof script = {
    ...script,
    turn: (request, each, signal) => {
      told.push(request.tools.map(each => each.function.name))
      return script.turn(request, each, signal)
    },
  }
  const helper = agent('helper', {
    model,
    instructions: '',
    tools: [used],
    ...(options.trust === false ? {} : { trust: [used] }),
  })
  const log: LogEvent[] = []
  const asked: string[] = []
  const { approve } = options
  const result = await run(helper, 'go', {
    log: event => log.push(event),
    ...(approve
      ? {
          approver: ask => {
            asked.push(ask.call.tool)
            return approve()
          },
        }
      : {}),
  }).result
  return { told, messages: result.messages, log, asked, answer: result.answer }
}

export const resultsOf = (seen: Seen): string[] =>
  seen.messages.filter(each => each.role === 'tool').map(each => each.text)
export const warningsOf = (seen: Seen): string[] =>
  seen.log.flatMap(each => (each.kind === 'warning' ? [each.text] : []))
