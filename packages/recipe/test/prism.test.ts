// An independent peer: Prism serves mocks of real OpenAPI documents, and imported recipes run against it. A few
// documents in the usual run, all of them with TOOLWRIGHT_FULL=1.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connection, recipe } from '../src/index.ts'
import type { Node } from '../src/people/openapi.ts'
import { type Draft, importOpenApi } from '../src/people.ts'
import { answersJson, example, shows } from './support/operations.ts'
import { hasPrism, type Mock, serve } from './support/prism.ts'

const full = process.env['TOOLWRIGHT_FULL'] === '1'
const at = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'))
const without = hasPrism ? '' : ' (skipped: peers/ has no @stoplight/prism-cli)'

/** The same few of each version for a seed. */
function slice(files: readonly string[], seed: number): string[] {
  return ['2.0', '3.0', '3.1'].map((version, i) => {
    const of = files.filter(file => file.startsWith(version))
    return of[(seed * 31 + i * 17) % of.length]!
  })
}

interface Tally {
  ran: number
  failures: string[]
  /** Operations at which Prism ended, and was started again. */
  ended: string[]
}

describe(`Prism${without}`, () => {
  const all = globSync('{2.0,3.0,3.1}/json/*.json', { cwd: at })
    .sort()
    .filter(file => drafts(file).length > 0)
  const files = full ? all : slice(all, Number(process.env['PRISM_SEED'] ?? 0))

  it.skipIf(!hasPrism)(
    `answers the recipes of ${files.length} of ${all.length} real OpenAPI documents`,
    {
      timeout: full ? 1_200_000 : 120_000,
    },
    async () => {
      const tally: Tally = { ran: 0, failures: [], ended: [] }
      for (const file of files) await run(file, tally)
      const { ran, failures, ended } = tally
      if (full)
        console.log(
          `${ran - failures.length} of ${ran} ran, Prism was started again at ${ended.join(', ') || 'none'}\n${failures.join('\n')}`,
        )
      expect(ran).toBeGreaterThan(full ? 300 : 5)
      // A few answer with an example of an error, or ask for values that fit no schema.
      expect({ share: (ran - failures.length) / ran >= 0.95, failures }).toMatchObject({ share: true })
    },
  )
})

/** The drafts of a document for operations that answer JSON. */
function drafts(file: string): Draft[] {
  const document = documentOf(file)
  return importOpenApi(document).drafts.filter(({ operation }) => answersJson(document, operation))
}

function documentOf(file: string): Node {
  return JSON.parse(readFileSync(join(at, file), 'utf8')) as Node
}

async function run(file: string, tally: Tally): Promise<void> {
  let mock = await serve(join(at, file))
  if (!mock) {
    tally.failures.push(`${file} is not served`)
    return
  }
  for (const draft of drafts(file)) {
    tally.ran++
    let failed = await call(file, draft, mock)
    if (failed !== undefined && (await isGone(mock))) {
      tally.ended.push(`${file} ${draft.operation}`)
      mock = (await serve(join(at, file)))!
      failed = await call(file, draft, mock)
    }
    if (failed !== undefined) tally.failures.push(`${file} ${draft.operation}: ${failed.slice(0, 420)}`)
  }
  mock.stop()
}

/** A connection that is refused may be told before the end of the process is. */
async function isGone(mock: Mock): Promise<boolean> {
  for (let n = 0; n < 20 && !mock.isGone; n++) await new Promise(resolve => setImmediate(resolve))
  return mock.isGone
}

/** Runs one recipe on values that fit it; gives why it failed. */
async function call(
  file: string,
  { document, operation }: Draft,
  { url }: Mock,
): Promise<string | undefined> {
  const stated = shows(documentOf(file), operation)
  const api = connection('api', { baseUrl: url, allowPrivate: true, ...stated })
  const tool = recipe(document, { name: 'it', connection: api })
  return await tool(example(tool.parameters) as Record<string, unknown>).then(
    () => undefined,
    (error: Error) => error.message,
  )
}
