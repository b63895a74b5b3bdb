// `toolwright mcp lock|check|serve`: outside servers and their lock, and being a server.
import { type App, isAgent } from '@toolwright/core'
import { definitionOf } from '@toolwright/core/engine'
import type { McpService, Offerable } from '@toolwright/mcp'
import type { ServerNews, ToolNews } from '@toolwright/mcp/people'
import type { Command } from 'commander'
import { escapeJson, escapeLine, escapeText } from './escape.ts'
import { loadFile } from './load.ts'
import type { Terminal } from './terminal.ts'
import { CommandError, errorText } from './trouble.ts'

/** Adds the commands to `program`; `exit` is told what the process exits with. */
export function addMcpCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const mcp = program.command('mcp').summary('approve the tools of outside servers, or be a server')
  mcp.description(
    'Outside MCP servers stand in code by mcp(); a lock says which of their tools are approved.',
  )

  mcp
    .command('lock')
    .summary('show what servers offer, and approve it tool by tool')
    .argument('<file>', 'a .ts or .js file that exports servers, or agents that use them')
    .argument('[service...]', 'only these')
    .option('--yes', 'start the commands and approve all, without asking')
    .action(async (file: string, services: string[], { yes = false }: { yes?: boolean }) =>
      exit(await lockCommand(file, services, yes, terminal)),
    )

  mcp
    .command('check')
    .summary('compare the code with the lock; exits with 1 on any difference')
    .description(
      'Starts nothing and asks nobody; with --start the servers are started and asked what they offer too.',
    )
    .argument('<file>', 'a .ts or .js file that exports servers, or agents that use them')
    .argument('[service...]', 'only these')
    .option('--start', 'start the servers, and compare what they offer')
    .option('--json', 'print one JSON document for programs')
    .action(async (file: string, services: string[], stated: { start?: boolean; json?: boolean }) =>
      exit(await checkCommand(file, services, stated, terminal)),
    )

  mcp
    .command('serve')
    .summary('offer the tools, agents or apps of a file as an MCP server, over stdin and stdout')
    .argument('<file>', 'a .ts or .js file that exports them')
    .action(async (file: string) => exit(await serveCommand(file)))
}

/** Shows what each server offers beside its lock, asks for each tool that is new or changed, and writes the lock. */
export async function lockCommand(
  file: string,
  only: readonly string[],
  yes: boolean,
  terminal: Terminal,
): Promise<0 | 1> {
  const { agreeToStart, approve, insideOf, look } = await import('@toolwright/mcp/people')
  await askByTerminal(terminal)
  if (!yes && !terminal.person)
    throw new CommandError(2, 'Nobody is here to ask. Write --yes to approve all that the servers offer.')
  for (const service of await servicesOf(file, only)) {
    const { server, file: lock } = insideOf(service)
    if (yes && 'command' in server) agreeToStart(folderOf(lock), server)
    const news = await looked(look, service)
    terminal.out(shown(news))
    const kept: string[] = []
    for (const tool of news.tools) {
      if (tool.state === 'gone') continue
      if (tool.state === 'same' || yes || (await agrees(news.service, tool, terminal))) kept.push(tool.name)
    }
    approve(news, kept)
    terminal.err(
      `${kept.length} of ${news.offered.size} tools of ${escapeLine(news.service)} are approved in ${escapeLine(lock, 400)}.\n`,
    )
  }
  return 0
}

async function agrees(service: string, tool: ToolNews, terminal: Terminal): Promise<boolean> {
  const question = tool.state === 'changed' ? 'Approve it as it is now?' : 'Approve it?'
  const said = await terminal.confirm(
    `${escapeText(`${service}.${tool.name}`)}\n`,
    question,
    new AbortController().signal,
  )
  if (said === 'interrupt') throw new CommandError(1, 'Nothing was written.')
  return said
}

/** Names every difference; gives 1 where there is one. */
export async function checkCommand(
  file: string,
  only: readonly string[],
  { start = false, json = false }: { start?: boolean; json?: boolean },
  terminal: Terminal,
): Promise<0 | 1> {
  const { agreeToStart, differsFromLock, insideOf, look } = await import('@toolwright/mcp/people')
  let different = 0
  const report: object[] = []
  for (const service of await servicesOf(file, only)) {
    const { fault, server, file: lock } = insideOf(service)
    const name = escapeLine(service.name)
    if (fault) {
      different++
      report.push({ service: service.name, fault: { code: fault.code, problem: fault.problem } })
      if (!json) terminal.out(`${terminal.style('red', '✗')} ${name}: ${errorText(fault)}\n`)
      continue
    }
    if (start && 'command' in server) agreeToStart(folderOf(lock), server)
    const news = start ? await looked(look, service) : undefined
    const differs = news !== undefined && differsFromLock(news)
    if (differs) different++
    report.push({ service: service.name, ...(news ? reported(news) : {}) })
    if (json) continue
    if (differs) terminal.out(`${terminal.style('red', '✗')} ${shown(news)}`)
    else
      terminal.out(`${terminal.style('green', '✓')} ${name}${start ? '' : ' (the server was not asked)'}\n`)
  }
  if (json) terminal.out(`${escapeJson(JSON.stringify(report))}\n`)
  return different > 0 ? 1 : 0
}

function reported({ differences, warnings, tools }: ServerNews): object {
  const changed = tools.filter(({ state }) => state !== 'same')
  return {
    differences,
    warnings,
    tools: changed.map(({ name, state, changes }) => ({ name, state, changes })),
  }
}

/** Offers what `file` exports, until whoever started us closes our standard input. */
export async function serveCommand(file: string): Promise<0> {
  // Stdout belongs to the protocol: what the file prints goes elsewhere.
  console.log = console.info = console.debug = console.error
  const exported = [...new Set(Object.values(await loadFile(file)))]
  const { offer } = await import('@toolwright/mcp')
  const app = exported.find(isApp)
  const tools = exported.filter(each => definitionOf(each) !== undefined) as Offerable[]
  if (!app && tools.length === 0)
    throw new CommandError(2, `${escapeLine(file, 400)} exports no app, agent or tool.`)
  // An app says itself what of it may be started from outside.
  await offer(app ? { app } : { tools }).stdio()
  return 0
}

function isApp(value: unknown): value is App {
  const { runs, definitions } = (value ?? {}) as Partial<App>
  return typeof runs?.start === 'function' && Array.isArray(definitions)
}

async function servicesOf(file: string, only: readonly string[]): Promise<McpService[]> {
  const { isMcpService } = await import('@toolwright/mcp/people')
  const found = new Map<string, McpService>()
  for (const value of Object.values(await loadFile(file))) {
    const used = isAgent(value) ? value.tools.map(each => (isEntry(each) ? each.tool : each)) : [value]
    for (const each of used) if (isMcpService(each)) found.set(each.name, each)
  }
  const missing = only.filter(name => !found.has(name))
  const shownFile = escapeLine(file, 400)
  if (missing.length > 0)
    throw new CommandError(2, `${shownFile} has no server ${escapeLine(missing.join(', '))}.`)
  if (found.size === 0)
    throw new CommandError(
      2,
      `${shownFile} exports no server. Write \`export const notes = mcp('notes', { command, args })\`.`,
    )
  return [...found.values()].filter(({ name }) => only.length === 0 || only.includes(name))
}

function isEntry(value: unknown): value is { tool: unknown } {
  return typeof value === 'object' && value !== null && 'tool' in value
}

async function looked(
  look: (service: McpService) => Promise<ServerNews>,
  service: McpService,
): Promise<ServerNews> {
  try {
    return await look(service)
  } finally {
    await service.close()
  }
}

/** Has the first start of commands asked at this terminal, in turn with its other questions. */
export async function askByTerminal(terminal: Terminal): Promise<void> {
  const { askBeforeStart } = await import('@toolwright/mcp')
  askBeforeStart(async ({ service, folder, command, args }) => {
    if (!terminal.person) return undefined
    const line = [command, ...args].map(each => JSON.stringify(each)).join(' ')
    const details = `The server ${escapeLine(service)} would start this for the first time in ${escapeLine(folder, 400)}:\n  ${escapeText(line)}\n`
    return (await terminal.confirm(details, 'Start it?', new AbortController().signal)) === true
  })
}

function folderOf(lock: string): string {
  return lock.replace(/[/\\][^/\\]*$/, '') || '.'
}

/** A server beside its lock, for eyes: every foreign text escaped. */
function shown({ service, differences, warnings, tools }: ServerNews): string {
  let text = `${escapeLine(service)}\n`
  for (const each of [...differences, ...warnings]) text += `  ! ${escapeText(each)}\n`
  for (const { name, state, now, was, changes, untold } of tools) {
    const mark = { new: '+', changed: '~', same: ' ', gone: '-' }[state]
    text += `  ${mark} ${escapeText(name)}${state === 'same' ? '' : ` (${state})`}\n`
    if (untold !== undefined) text += `      cannot be told: ${escapeText(untold)}\n`
    if (state === 'changed' && was) text += `      was: ${escapeText(was.description)}\n`
    if (state !== 'same' && now) {
      text += `      ${state === 'changed' ? 'is:  ' : ''}${escapeText(now.description)}\n      takes ${escapeText(now.input)}\n`
      if (now.claims !== '') text += `      claims ${escapeText(now.claims)}\n`
    }
    for (const change of changes) text += `      ${escapeText(change)}\n`
  }
  return text
}
