// `toolwright recipe test FILE`: the requests as they would be sent, and with `send` what comes of them.
import type { Json, Variables } from '@toolwright/core'
import { definitionOf } from '@toolwright/core/engine'
import { type Connection, variables } from '../connection/connection.ts'
import { dotted, joined } from '../document/dotted.ts'
import { refuseFaults } from '../document/faults.ts'
import type { Param, Plan } from '../document/plan.ts'
import { readRecipe } from '../document/read.ts'
import { recipe } from '../recipe.ts'
import { parsed } from '../run/answer.ts'
import { setField } from '../run/paths.ts'
import { type Preview, preview } from '../run/preview.ts'

export interface TestOptions {
  connection: Connection
  /** Values of parameters and of variables, by their names: `{ date: '2026-12-01', 'address.street': 'Weg 1' }`. */
  set?: Readonly<Record<string, Json>>
  /** Really send the requests [false]. */
  send?: boolean
  /** Really send those of an action too [false]. */
  yes?: boolean
}

/** A request, and what came of it. One that was repeated is there again. */
export interface ShownRequest extends Preview {
  /** What came back; absent where nothing was sent, or nothing came. */
  answer?: ShownAnswer
}

export interface ShownAnswer {
  status: number
  type: string
  body: unknown
  /** What may stand in `output.fields`, with the type of what stands there. */
  fields: { path: string; type: string }[]
}

export interface TestReport {
  /** The requests as they would be sent, or as they were. */
  requests: ShownRequest[]
  /** What the agent would see. */
  seen?: unknown
  /** What would be remembered. */
  remembered: Record<string, Json>
  /** What is wrong with the values, or what the model would be told of a failure. */
  failed?: string
  /** Why nothing was sent, though it was asked for. */
  withheld?: string
}

/** Tries a recipe out. Throws where the document has faults. */
export async function testRecipe(document: unknown, options: TestOptions): Promise<TestReport> {
  const read = readRecipe(document)
  if (!read.ok) refuseFaults('the recipe', read.faults)
  const { plan } = read as Extract<typeof read, { ok: true }>
  const { connection, send = false, yes = false } = options
  const { input, known } = sorted(options.set ?? {}, plan)
  const withheld = send && plan.kind === 'action' && !yes
  if (send && !withheld) return await sentReport(document, connection, input, known)
  const report: TestReport = { requests: [], remembered: {} }
  if (withheld) report.withheld = 'it is an action: it is sent with --yes only'
  const shape = definitionOf(
    recipe(document, {
      name: 'test',
      about: 'A test.',
      connection: { ...connection, variables: () => known },
    }),
  )!
  const fits = shape.input.read(input)
  if (!fits.ok) return { ...report, failed: fits.faults.join('\n') }
  const { requests, faults } = preview(plan, connection, fits.value, name => known.get(name, connection.name))
  report.requests.push(...requests)
  return faults.length > 0 ? { ...report, failed: faults.join('\n') } : report
}

async function sentReport(
  document: unknown,
  connection: Connection,
  input: unknown,
  known: Variables,
): Promise<TestReport> {
  const report: TestReport = { requests: [], remembered: {} }
  const watched: Connection = {
    ...connection,
    variables: () => ({
      get: known.get,
      set: (name, value, owner) => {
        if (owner !== undefined) report.remembered[name] = value
      },
    }),
    async send(request) {
      const sent: ShownRequest = { source: request.place, ...connection.shown(request) }
      report.requests.push(sent)
      const reply = await connection.send(request)
      const type = reply.headers['content-type'] ?? ''
      const body = parsed(reply.bytes, type)
      const value =
        body.kind === 'json'
          ? connection.mask.value(body.value)
          : body.kind === 'other'
            ? connection.mask.text(body.text)
            : undefined
      const fields = body.kind === 'json' ? fieldsOf(value) : []
      sent.answer = { status: reply.status, type, body: value, fields }
      return reply
    },
  }
  try {
    report.seen = await recipe(document, { name: 'test', about: 'A test.', connection: watched })(
      input as Record<string, unknown>,
    )
  } catch (error) {
    report.failed = error instanceof Error ? error.message : String(error)
  }
  return report
}

/** Values sorted into the input of the model and the variables. */
function sorted(
  set: Readonly<Record<string, Json>>,
  plan: Plan,
): { input: Record<string, unknown>; known: Variables } {
  const names = new Set(plan.sources.flatMap(({ params }) => params.flatMap(variableNames)))
  const known = variables(Object.fromEntries(Object.entries(set).filter(([name]) => names.has(name))))
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(set)) {
    if (names.has(name)) continue
    const keys = dotted(name) ?? [name]
    let level = input
    keys.forEach((key, i) => {
      if (i === keys.length - 1) setField(level, key, typeof value === 'string' ? listed(value) : value)
      else {
        if (!Object.hasOwn(level, key)) setField(level, key, /^\d+$/.test(keys[i + 1]!) ? [] : {})
        level = level[key] as Record<string, unknown>
      }
    })
  }
  return { input, known }
}

/** A list or an object is written as JSON on a command line. */
function listed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function variableNames({ from, value, fields }: Param): string[] {
  if (fields) return fields.flatMap(variableNames)
  return from === 'variable' ? [value as string] : []
}

/** The paths of an answer with the types of what stands there, as `output.fields` would name them; at most 200. */
export function fieldsOf(value: unknown): { path: string; type: string }[] {
  const found = new Map<string, string>()
  const walk = (one: unknown, keys: readonly string[]): void => {
    if (found.size >= 200 || keys.length > 8) return
    if (Array.isArray(one)) {
      if (keys.length > 0 && !one.some(entry => typeof entry === 'object' && entry !== null))
        found.set(joined(keys), `list of ${one.length}`)
      for (const entry of one.slice(0, 20)) if (typeof entry === 'object') walk(entry, keys)
    } else if (typeof one === 'object' && one !== null)
      for (const [key, inner] of Object.entries(one)) walk(inner, [...keys, key])
    else if (keys.length > 0)
      found.set(joined(keys), one === null ? 'null' : typeof one === 'bigint' ? 'number' : typeof one)
  }
  walk(value, [])
  return [...found].map(([path, type]) => ({ path, type }))
}
