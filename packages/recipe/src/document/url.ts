// The url of a source: a path under the connection's base URL, with placeholders.
import { type Faults, kindOf, short } from './faults.ts'
import { namesIn, plainOf, type Template, template } from './template.ts'

export interface UrlRead {
  readonly path: Template
  readonly query: readonly Template[]
  /** Every placeholder, as it is written. */
  readonly names: readonly string[]
}

/** Reads a source's url; what could lead away from the base URL is a fault. */
export function readUrl(value: unknown, pointer: string, faults: Faults): UrlRead | undefined {
  if (typeof value !== 'string' || value === '') {
    faults.add(pointer, 'T4004', `is ${kindOf(value)}`, 'write a path: "/slots"')
    return undefined
  }
  const before = faults.all.length
  const fault = (problem: string, fix: string) => faults.add(pointer, 'T4006', problem, fix)
  const whole = template(value)
  const plain = plainOf(whole)
  const names = namesIn(whole)
  if (/^[a-z][a-z\d+.-]*:/i.test(value))
    fault(`${short(value)} names a scheme`, "write a path; the host is the connection's")
  if (plain.includes('#')) fault('holds #', 'leave the fragment out: it is never sent')
  if (plain.includes('\\')) fault('holds \\', 'write /')
  if (/[\p{Cc} ]/u.test(plain)) fault('holds a space or a control character', 'encode it: %20')
  if (/\{\{|\}\}/.test(plain)) fault('holds {{ or }} that is no placeholder', 'write {{name}}')
  const at = value.indexOf('?')
  const path = at < 0 ? value : value.slice(0, at)
  const query =
    at < 0
      ? []
      : value
          .slice(at + 1)
          .split('&')
          .filter(pair => pair !== '')
  const marked = plainOf(template(path), 'x')
  if (/\/\//.test(marked)) fault('holds //', 'write one /')
  else if (marked.split('/').some(isDots)) fault('holds a segment . or ..', 'write the path as it is')
  if (/%(?![\da-f]{2})/i.test(plain)) fault('holds a % that begins no code', 'write %25')
  if (faults.all.length > before) return undefined
  const rooted = path.startsWith('/') || path === '' ? path : `/${path}`
  return { path: template(rooted), query: query.map(template), names }
}

/** A segment that means this folder or the one above it, in any spelling. */
export function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment)
}
