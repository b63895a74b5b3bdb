// `expand`: the source of a file with what its types say in it. Nothing is reprinted: each call gets one more argument,
// and the functions that give it stand at the end, so that no line and no earlier column moves.
import { refusal, sorted, type TypeFault } from '../faults.ts'
import { disk, type Host } from '../read/host.ts'
import { openModule, type Reader, reader } from '../read/reader.ts'
import { callsOf, mayHaveCalls } from './calls.ts'
import { type Defined, defined } from './definitions.ts'

/** What a file's types say. */
export interface Examined {
  definitions: readonly Defined[]
  /** What is refused. */
  faults: readonly TypeFault[]
  /** What is let through, though a person ought to know. */
  warnings: readonly TypeFault[]
  /** The other files that were read for it: when one changes, this one must be read anew. */
  files: readonly string[]
}

export interface Expansion {
  /** The source with the new arguments; the same text where there are none. */
  code: string
  warnings: readonly TypeFault[]
  files: readonly string[]
}

/**
 * The source of the TypeScript file `file` (an absolute path) with what its types say: valid TypeScript, line for line
 * what it was. Throws one error that lists every type that cannot be told to a model (T2101 to T2112).
 */
export function expand(source: string, file: string, host: Host = disk): Expansion {
  if (!mayHaveCalls(source)) return { code: source, warnings: [], files: [] }
  return expansionOf(source, examine(source, file, reader(host)))
}

/** What `examine` found, spliced into the source. Throws where something is refused. */
export function expansionOf(source: string, { definitions, faults, warnings, files }: Examined): Expansion {
  if (faults.length > 0) throw refusal(faults)
  return { code: spliced(source, definitions), warnings, files }
}

/** What the types of a file say. Throws only where the file does not parse (T2109). */
export function examine(source: string, file: string, r: Reader): Examined {
  const told = { faults: [], warnings: [] }
  // The text that was handed in is the one that counts, not the one on the disk.
  if (r.modules.get(file)?.source !== source) r.modules.delete(file)
  const module = openModule(r, file, source)!
  const definitions = callsOf(r, module).flatMap(call => defined(r, call, told) ?? [])
  const files = [...r.modules.keys()].filter(path => path !== file && r.modules.get(path))
  return {
    definitions,
    faults: sorted(told.faults),
    warnings: sorted(told.warnings),
    files,
  }
}

function spliced(source: string, definitions: readonly Defined[]): string {
  if (definitions.length === 0) return source
  const free = firstFree(source)
  const pieces: { at: number; text: string }[] = []
  const functions: string[] = []
  for (const [i, { call, expanded, after }] of definitions.entries()) {
    const name = `__toolwright${free + i}`
    const { node } = call
    const last = node.arguments.at(-1)
    const missing = Array<string>(Math.max(0, after - node.arguments.length)).fill('undefined')
    const text = [...missing, name].join(', ')
    // In an empty list of arguments it stands before the bracket, else right behind the last argument.
    pieces.push(last ? { at: last.end, text: `, ${text}` } : { at: node.end - 1, text })
    functions.push(`function ${name}() { return ${literalOf(expanded)} }`)
  }
  let code = ''
  let from = 0
  for (const { at, text } of pieces.sort((a, b) => a.at - b.at)) {
    code += source.slice(from, at) + text
    from = at
  }
  const end = source.slice(from)
  return `${code}${end}${/\n$/.test(end) ? '' : '\n'}${functions.join('\n')}\n`
}

function firstFree(source: string): number {
  const taken = [...source.matchAll(/__toolwright(\d+)/g)].map(match => Number(match[1]))
  return taken.length === 0 ? 0 : Math.max(...taken) + 1
}

// JSON is an expression of TypeScript, except that a field __proto__ would be no field.
function literalOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:')
}
