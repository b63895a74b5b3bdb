// `tell: 'list'`: one function `call`, the tools as lines in the instructions, and `find` where they are too many.
import type { Found, Told } from '../define/entries.ts'
import type { Call, FunctionObject, JsonSchema } from '../define/records.ts'
import { definition, statedShape } from '../define/tool.ts'
import { clean, clip, lineOf } from './line.ts'
import { search } from './search.ts'

/** The name of the one function of a list. */
export const CALL = 'call'
/** Up to so many tools each has its line in the instructions; beyond, groups stand there, and `find` brings lines. */
const LINES = 50
/** How long the overview of the groups may be, in characters. */
const OVERVIEW = 4000
/** How many lines a search brings. */
const BROUGHT = 10

const callParameters: JsonSchema = {
  type: 'object',
  properties: {
    tool: { type: 'string', description: 'The name of the tool, as the list gives it' },
    input: { type: 'object', description: 'Its input: the fields that its line names' },
  },
  required: ['tool'],
  additionalProperties: false,
}

/** A list of tools, told. */
export interface List {
  instructions: string
  functions: readonly FunctionObject[]
  names: readonly string[]
  find(call: Call): Found
}

/** Tells the tools as a list. */
export function listed(told: readonly Told[]): List {
  const byName = new Map(told.map(t => [t.name, t]))
  const few = told.length <= LINES
  const finder = few ? undefined : findTool(told, byName)
  const functions = [functionObject(CALL, 'Calls a tool of the list in the instructions.', callParameters)]
  if (finder) functions.push(functionObject(finder.name, finder.about, finder.definition.input.schema))
  return {
    instructions: few ? linesOf(told) : groupsOf(told, finder!.name),
    functions,
    names: [...byName.keys()],
    find(call) {
      if (call.tool === finder?.name) return { told: finder, call }
      if (call.tool !== CALL) return { told: byName.get(call.tool), call }
      const inner = innerCall(call)
      return typeof inner === 'string'
        ? { told: undefined, call, fault: inner }
        : { told: byName.get(inner.tool), call: inner }
    },
  }
}

function functionObject(name: string, description: string, parameters: JsonSchema): FunctionObject {
  return { type: 'function', function: { name, description, parameters } }
}

function linesOf(told: readonly Told[]): string {
  if (told.length === 0) return 'There are no tools to call.'
  return [`The tools, called with \`${CALL}\` by name and input:`, ...told.map(t => `- ${lineOf(t)}`)].join(
    '\n',
  )
}

/** The groups of the tools: what stands before the first dot, or else before the first `_` or capital letter. */
function groupsOf(told: readonly Told[], find: string): string {
  const groups = new Map<string, string[]>()
  for (const { name } of told) {
    const [, group = name, rest = ''] =
      /^([^.]+)\.(.+)$/.exec(name) ?? /^([^_\p{Lu}-]+)[_-]?(.*)$/su.exec(name) ?? []
    groups.set(group, [...(groups.get(group) ?? []), rest === '' ? name : rest])
  }
  const each = Math.max(20, Math.floor(OVERVIEW / groups.size))
  const lines = [...groups].map(([group, names]) => {
    return `- ${JSON.stringify(clip(clean(`${group} (${names.length}): ${names.join(', ')}`), each))}`
  })
  const shown = lines.slice(0, Math.ceil(OVERVIEW / 20))
  const left = lines.length - shown.length
  return [
    `There are ${told.length} tools. \`${find}\` brings the lines of those that match a description of what is to be done; \`${CALL}\` calls one by name and input. Their groups:`,
    ...shown,
    ...(left > 0 ? [`- and ${left} groups more`] : []),
  ].join('\n')
}

/** The tool that finds tools. It is read-only and asks nobody. */
function findTool(told: readonly Told[], byName: ReadonlyMap<string, Told>): Told {
  const name = byName.has('find') ? 'find_tools' : 'find'
  const about = 'Finds tools by what they do, and gives their lines.'
  let find: ReturnType<typeof search> | undefined
  const input = {
    type: 'object',
    properties: { query: { type: 'string', description: 'What is to be done, in a few words' } },
    required: ['query'],
    additionalProperties: false,
  }
  const finder = definition({
    name,
    about,
    input: statedShape('input', input, [])!,
    readOnly: true,
    execute(read) {
      find ??= search(
        told.map(t => ({ name: t.name, about: t.about, fields: words(t.definition.input.schema) })),
      )
      const found = find((read as { query: string }).query, BROUGHT)
      if (found.length === 0) return 'No tool matches. Try other words for what is to be done.'
      return found.map(at => lineOf(told[at]!)).join('\n')
    },
  })
  return { name, about, line: false, tries: 1, definition: finder }
}

/** The names and descriptions of the fields of an input. */
function words(schema: JsonSchema): string {
  const properties = typeof schema === 'object' ? schema['properties'] : undefined
  if (typeof properties !== 'object' || properties === null) return ''
  return Object.entries(properties)
    .map(([name, field]) => `${name} ${(field as { description?: unknown } | null)?.description ?? ''}`)
    .join(' ')
}

/** The call that a call of `call` means, or what is wrong with it. The digits of its numbers stay as they were written. */
function innerCall(call: Call): Call | string {
  const wrong = `\`${CALL}\` takes { "tool": the name of a tool, "input": its input }`
  let parsed: unknown
  try {
    parsed = JSON.parse(call.arguments, exactly as never)
  } catch {
    return `The arguments are no valid JSON. ${wrong}.`
  }
  if (typeof parsed !== 'object' || parsed === null) return `${wrong}.`
  const { tool, input } = parsed as { tool?: unknown; input?: unknown }
  if (typeof tool !== 'string' || tool === '') return `The tool is missing: ${wrong}.`
  const text =
    typeof input === 'string' ? input : input === undefined || input === null ? '{}' : JSON.stringify(input)
  return { ...call, tool, arguments: text }
}

const rawJSON = (JSON as unknown as { rawJSON?: (text: string) => unknown }).rawJSON

function exactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && rawJSON && source !== undefined && source !== String(value)
    ? rawJSON(source)
    : value
}
