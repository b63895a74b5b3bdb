// `toolwright recipe check|test|import`: recipes from the terminal.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '@toolwright/core'
import type { Connection } from '@toolwright/recipe'
import type { Imported, TestReport } from '@toolwright/recipe/people'
import type { Command } from 'commander'
import { escapeLine, escapeText } from './escape.ts'
import { loadFile } from './load.ts'
import type { Terminal } from './terminal.ts'
import { CommandError } from './trouble.ts'

interface TestStated {
  set: Readonly<Record<string, Json>>
  connection?: string
  baseUrl?: string
  send?: boolean
  yes?: boolean
  json?: boolean
}

/** Adds the commands to `program`; `exit` is told what the process exits with. */
export function addRecipeCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const recipe = program.command('recipe').summary('check, try out and import recipes')
  recipe.description('Recipes are JSON documents that make tools out of HTTP requests.')

  recipe
    .command('check')
    .summary('name every fault of a recipe')
    .argument('<file...>', 'documents of recipes, or folders of them')
    .option('--json', 'print one JSON document for programs')
    .action(async (files: string[], { json = false }: { json?: boolean }) =>
      exit(await checkCommand(files, json, terminal)),
    )

  recipe
    .command('test')
    .summary('show the requests of a recipe, or send them')
    .description(
      'Shows each request as it would be sent, with its secrets hidden. With --send they are sent, and what came back is\n' +
        'shown, with what of it the agent would see and what would be remembered.',
    )
    .argument('<file>', 'the document of a recipe')
    .option('--set <name=value>', 'a parameter or a variable; a list or a record as JSON', collect, {})
    .option('--connection <file>', 'a .ts or .js file that exports the connection')
    .option('--base-url <url>', 'in place of a connection: where the paths begin, without any secret')
    .option('--send', 'send the requests')
    .option('--yes', 'send those of an action too')
    .option('--json', 'print one JSON document for programs')
    .action(async (file: string, stated: TestStated) => exit(await testCommand(file, stated, terminal)))

  recipe
    .command('import')
    .summary('draft recipes from an OpenAPI document')
    .description(
      'Writes a draft for each operation. What a recipe cannot express is named, not left out in silence.',
    )
    .argument('<file>', 'an OpenAPI document of version 2.0, 3.0 or 3.1, as JSON')
    .option('--only <id...>', 'the operationIds to take')
    .option('--out <folder>', 'where the drafts are written', 'recipes')
    .action((file: string, { only, out }: { only?: string[]; out: string }) =>
      importCommand(file, only, out, terminal),
    )
}

/** Names every fault of the recipes in `files`; gives 1 where there is one. */
export async function checkCommand(
  files: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<0 | 1> {
  const { checkText, lineOf } = await import('@toolwright/recipe/people')
  let faulty = 0
  const report: object[] = []
  for (const file of await documentsIn(files)) {
    const faults = checkText(await textOf(file))
    if (faults.length > 0) faulty++
    if (json) report.push({ file, faults })
    else if (faults.length === 0) terminal.out(`${terminal.style('green', '✓')} ${escapeLine(file, 400)}\n`)
    else {
      const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
      terminal.out(`${terminal.style('red', '✗')} ${escapeLine(file, 400)} has ${count}:\n`)
      for (const fault of faults) terminal.out(`  ${escapeLine(lineOf(fault), 1_000)}\n`)
    }
  }
  if (json) terminal.out(`${JSON.stringify(report)}\n`)
  return faulty > 0 ? 1 : 0
}

/** The files, and in place of a folder every `*.recipe.json` in it. */
async function documentsIn(files: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (const file of files) {
    const found = await stat(file).catch(() => undefined)
    if (!found?.isDirectory()) {
      all.push(file)
      continue
    }
    const inside = (await readdir(file)).filter(name => name.endsWith('.recipe.json')).sort()
    if (inside.length === 0)
      throw new CommandError(2, `There is no *.recipe.json in ${escapeLine(file, 400)}.`)
    all.push(...inside.map(name => join(file, name)))
  }
  return all
}

/** Tries a recipe out. Gives 1 where something failed, 2 where an action was to be sent and nobody said --yes. */
export async function testCommand(file: string, stated: TestStated, terminal: Terminal): Promise<0 | 1 | 2> {
  const { parseDocument, testRecipe } = await import('@toolwright/recipe/people')
  const { set, send = false, yes = false, json = false } = stated
  const connection = await connectionOf(stated, terminal)
  const report = await testRecipe(parseDocument(await textOf(file)), { connection, set, send, yes })
  terminal.out(json ? `${JSON.stringify(report)}\n` : shown(report))
  if (report.withheld) {
    terminal.err(`${terminal.style('yellow', '!')} Nothing was sent: ${report.withheld}.\n`)
    return 2
  }
  if (report.failed === undefined) return 0
  const what = send ? 'It failed, and the model would be told:' : 'Nothing could be sent:'
  if (!json) terminal.err(`${terminal.style('red', '✗')} ${what}\n${indented(report.failed)}`)
  return 1
}

async function connectionOf(
  { connection: file, baseUrl, send }: TestStated,
  terminal: Terminal,
): Promise<Connection> {
  const { connection } = await import('@toolwright/recipe')
  if (file !== undefined && baseUrl !== undefined)
    throw new CommandError(2, 'Write --connection or --base-url, not both.')
  if (file !== undefined) return exportedConnection(file, await loadFile(file))
  // Whoever types an address means it, a private one too.
  if (baseUrl !== undefined) return connection('command', { baseUrl, allowPrivate: true })
  if (send)
    throw new CommandError(
      2,
      'Where is it sent? Name the connection with --connection FILE, or write --base-url URL.',
    )
  terminal.err(
    `${terminal.style('dim', 'No connection is named: base-url.invalid stands for its address.')}\n`,
  )
  return connection('command', { baseUrl: 'https://base-url.invalid' })
}

function exportedConnection(file: string, exported: Readonly<Record<string, unknown>>): Connection {
  const all = new Set(Object.values(exported).filter(isConnection))
  const [only] = isConnection(exported['default']) ? [exported['default']] : all
  if (only && (all.size === 1 || only === exported['default'])) return only
  const mend = "Write `export default connection('name', { baseUrl })`."
  const count = all.size === 0 ? 'no connection' : `${all.size} connections, and none by default`
  throw new CommandError(2, `${escapeLine(file, 400)} exports ${count}. ${mend}`)
}

function isConnection(value: unknown): value is Connection {
  const { send, shown, baseUrl } = (value ?? {}) as Partial<Connection>
  return typeof send === 'function' && typeof shown === 'function' && typeof baseUrl === 'string'
}

/** What was sent and what came back, in the order in which it happened. */
function shown({ requests, seen, remembered }: TestReport): string {
  let text = ''
  for (const { source, method, url, headers, body, answer } of requests) {
    text += `${source}  ${method} ${escapeText(url)}\n`
    for (const [name, value] of Object.entries(headers)) text += `   ${escapeText(`${name}: ${value}`)}\n`
    if (body !== undefined) text += `   ${escapeText(short(body))}\n`
    if (!answer) continue
    text += `   → ${answer.status} ${escapeText(answer.type)}\n`
    if (answer.body !== undefined) text += indented(short(pretty(answer.body)), '     ')
    if (answer.fields.length > 0) text += '     fields:\n'
    for (const { path, type } of answer.fields) text += `       ${escapeText(path)}  ${type}\n`
  }
  if (seen !== undefined) text += `\nThe agent would see:\n${indented(pretty(seen))}`
  const kept = Object.entries(remembered)
  if (kept.length > 0) text += '\nRemembered would be:\n'
  for (const [name, value] of kept) text += `  ${escapeText(name)}: ${escapeText(short(pretty(value)))}\n`
  return text
}

function pretty(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one), 2)
}

function short(text: string): string {
  return text.length > 4_000 ? `${text.slice(0, 4_000)}… (${text.length} characters)` : text
}

function indented(text: string, by = '  '): string {
  return `${escapeText(text)
    .split('\n')
    .map(line => `${by}${line}`)
    .join('\n')}\n`
}

/** Writes the drafts of an OpenAPI document into a folder. A file that is there already is left as it is. */
export async function importCommand(
  file: string,
  only: readonly string[] | undefined,
  out: string,
  terminal: Terminal,
): Promise<void> {
  const { importOpenApi } = await import('@toolwright/recipe/people')
  let document: unknown
  try {
    document = JSON.parse((await textOf(file)).replace(/^\ufeff/, ''))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      1,
      `${escapeLine(file, 400)} is no JSON: ${escapeLine(String(error))}. YAML is turned into JSON first.`,
    )
  }
  const { drafts, skipped } = importOpenApi(document, only ? { only } : {})
  refuseUnknown(only ?? [], document, file)
  await mkdir(out, { recursive: true })
  let written = 0
  for (const { name, operation, document: draft, notes } of drafts) {
    const path = join(out, `${name}.recipe.json`)
    const fresh = await wrote(path, `${JSON.stringify(draft, null, 2)}\n`)
    if (fresh) written++
    const mark = fresh ? terminal.style('green', '✓') : terminal.style('yellow', '=')
    const there = fresh ? '' : ', which is there already, and left as it is'
    terminal.out(`${mark} ${escapeLine(operation)} → ${escapeLine(path, 400)}${there}\n`)
    for (const note of notes) terminal.out(`    ${escapeLine(note, 400)}\n`)
  }
  for (const { operation, why } of skipped)
    terminal.out(`${terminal.style('red', '✗')} ${escapeLine(operation)}: ${escapeLine(why, 400)}\n`)
  terminal.err(`${summary({ drafts, skipped }, written)}\n`)
}

function summary({ drafts, skipped }: Imported, written: number): string {
  const of = drafts.length + skipped.length
  const rest = skipped.length === 0 ? '' : `; ${skipped.length} cannot be expressed as recipes`
  const next = written === 0 ? '' : ' Prune output.fields of each, and write what its tool does in about.'
  return `${written} of ${of} operations written${rest}.${next}`
}

function refuseUnknown(only: readonly string[], document: unknown, file: string): void {
  const text = JSON.stringify(document)
  const unknown = only.filter(id => !text.includes(`"operationId":${JSON.stringify(id)}`))
  if (unknown.length > 0)
    throw new CommandError(
      2,
      `${escapeLine(file, 400)} has no operationId ${escapeLine(unknown.join(', '), 400)}.`,
    )
}

async function wrote(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const shownFile = escapeLine(file, 400)
    throw new CommandError(2, missing ? `There is no file ${shownFile}.` : `${shownFile} cannot be read.`)
  }
}

/** `--set date=2026-12-01`: what is behind the first `=` is the value, as a text. */
function collect(pair: string, before: Readonly<Record<string, Json>>): Record<string, Json> {
  const at = pair.indexOf('=')
  if (at < 1) throw new CommandError(2, `--set ${escapeLine(pair)} has no value: write --set name=value.`)
  return { ...before, [pair.slice(0, at)]: pair.slice(at + 1) }
}
