// Tool names for the wire. Ours may hold dots, slashes and 128 characters; chat APIs take [a-zA-Z0-9_-], 64 of them,
// and refuse the whole request for one bad name. The mapping is a pure function of the name, so stored history
// keeps its meaning after a restart and the same history gives the same bytes.
import type { FunctionObject, Message } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'

/** Every API takes these; Gemini's wants a letter or an underscore first. */
const SAFE = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
/** How a changed name ends. A name that ends so by itself is changed too: so no unchanged name equals a changed one. */
const MARK = /_[0-9a-z]{11}$/
const KEPT = 64 - 12

/**
 * The name that a provider is told for the tool `name`: itself where it is safe, else its safe characters and a
 * hash of the whole. Always matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`; two names give two wire names (but for a
 * collision of 53 bits within one beginning, which {@link wireNames} refuses).
 */
export function wireName(name: string): string {
  if (SAFE.test(name) && !MARK.test(name)) return name
  let safe = name.replace(/[^a-zA-Z0-9_-]/gu, '_')
  if (!/^[a-zA-Z_]/.test(safe)) safe = `_${safe}`
  return `${safe.slice(0, KEPT)}_${hash(name)}`
}

/** The names of one request: what a provider was told, and back. */
export interface WireNames {
  /** Whether a tool on offer is called so, by its wire name or its real one. */
  known(name: string): boolean
  /** Whether the name of a tool on offer begins so. */
  begins(start: string): boolean
  /** The real name of the tool that a provider calls `name`; an unknown name is left as it is. */
  real(name: string): string
}

/** The wire names of `tools`. Throws T3012 where two tools would be told under one name. */
export function wireNames(tools: readonly FunctionObject[], messages: readonly Message[] = []): WireNames {
  const back = new Map<string, string>()
  for (const tool of tools) {
    const name = tool.function.name
    const wire = wireName(name)
    if (back.has(wire)) {
      const other = back.get(wire)
      const which =
        other === name ? `'${name}' is offered twice` : `'${other}' and '${name}' are both told as '${wire}'`
      throw new ToolwrightError('T3012', `two tools cannot be told apart: ${which}`, {
        fix: 'Rename one of them.',
      })
    }
    back.set(wire, name)
  }
  for (const tool of tools)
    if (!back.has(tool.function.name)) back.set(tool.function.name, tool.function.name)
  return {
    known: name => back.has(name),
    begins: start => {
      for (const name of back.keys()) if (name.startsWith(start)) return true
      return false
    },
    real: name => back.get(name) ?? back.get(name.trim()) ?? formerly(name, messages) ?? name,
  }
}

/** A tool that is not on offer any more, but that the model saw itself call. */
function formerly(wire: string, messages: readonly Message[]): string | undefined {
  if (!MARK.test(wire)) return undefined
  for (const message of messages) {
    for (const call of message.calls) if (wireName(call.tool) === wire) return call.tool
  }
  return undefined
}

/** 53 bits of a text, in 11 characters of 0-9a-z (cyrb53). Not against an enemy: names are told apart by people too. */
export function hash(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36).padStart(11, '0')
}
