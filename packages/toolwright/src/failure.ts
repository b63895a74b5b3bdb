// What went wrong in a file that somebody wrote, and where.
import { spawnSync } from 'node:child_process'
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escapeLine, escapeText } from './escape.ts'

/**
 * Why `file` failed to load, set in by two spaces: where, the line with a caret where Node shows it, and the error's
 * own words, with the mend where it is known. Escaped.
 */
export function whatFailed(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `  It threw ${escapeLine(String(error))}.`
  const message = escapeText(error.message)
  const stack = error.stack ?? ''
  const code = (error as { code?: string }).code
  const hint = hintFor(code, error.message)
  const unread = excerptOf(stack) ?? (error.name === 'SyntaxError' ? excerptOf(checked(file)) : undefined)
  if (unread) return `${unread}\n  ${message}${hint}`
  const at = firstOwnFrame(stack)
  return `${at ? `  ${at}\n` : ''}  ${message.split('\n').join('\n  ')}${hint}`
}

/** Of a file that cannot be read, Node puts `file:///path:line`, the line and a caret before the error's own words. */
function excerptOf(text: string): string | undefined {
  const [, path, line, lines] =
    /^(file:\S+|\/\S+|[A-Z]:\S+):(\d+)\n([^\n]*\n(?:.*\n)*?\s*\^+)/.exec(text) ?? []
  if (path === undefined || line === undefined || lines === undefined) return undefined
  const shown = lines.split('\n').map(each => `\n  ${escapeText(each)}`)
  return `  ${place(pathOf(path), line)}${shown.join('')}`
}

/** What Node says of a file of plain JavaScript that it cannot read; of that, an error in our hands keeps no place. */
function checked(file: string): string {
  return spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr
}

function hintFor(code: string | undefined, message: string): string {
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return '\n  Types are left out, not compiled: in place of enum, namespace and parameter properties write plain JavaScript.'
  const missing = /^Cannot find package '([^']+)'/.exec(message)?.[1]
  if (code === 'ERR_MODULE_NOT_FOUND' && missing !== undefined)
    return `\n  Run \`npm install ${escapeLine(missing)}\`.`
  return ''
}

/** `file:line:column` of the innermost frame that is neither Node's, nor a package's, nor our own. */
function firstOwnFrame(stack: string): string | undefined {
  const own = [import.meta.url, import.meta.resolve('@toolwright/core')].map(
    url => dirname(pathOf(url)) + sep,
  )
  for (const [, at = '', line = '', column = ''] of stack.matchAll(
    /^ +at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm,
  )) {
    const path = pathOf(at.replace(/^async /, ''))
    const foreign = path.startsWith('node:') || /[/\\]node_modules[/\\]/.test(path)
    if (!foreign && !own.some(folder => path.startsWith(folder))) return place(path, `${line}:${column}`)
  }
  return undefined
}

function place(path: string, line: string): string {
  const near = relative(process.cwd(), path)
  return `${escapeLine(near.startsWith('..') ? path : near, 400)}:${line}`
}

function pathOf(pathOrUrl: string): string {
  return pathOrUrl.startsWith('file:') ? fileURLToPath(pathOrUrl) : pathOrUrl
}
