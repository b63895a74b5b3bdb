// What TypeScript is told of a module: its types, and what it exports.
import type { Checked } from '../check/checker.ts'
import type { Colours } from '../check/colour.ts'
import { expand, type FunctionTy, listOf, type ParamTy, show, type Ty } from '../check/type.ts'
import { nameOf } from './writer.ts'

export interface DeclarationOptions {
  runtime: string
  /** Imports of `.agency` files lead to the `.js` files that were written for them. */
  compiled: boolean
}

export function declarationsOf(
  checked: Checked,
  colours: Colours,
  { runtime, compiled }: DeclarationOptions,
): string {
  const lines: string[] = []
  const moduleOf = (from: { parts: readonly unknown[] }): string =>
    JSON.stringify(from.parts.join('').replace(compiled ? /\.(agency|ts)$/ : /\.ts$/, '.js'))
  const namesOf = (names: readonly { name: { text: string }; as?: { text: string } | undefined }[]): string =>
    names.map(each => (each.as ? `${each.name.text} as ${each.as.text}` : each.name.text)).join(', ')
  const listed = new Set(
    checked.program.body.flatMap(s =>
      s.kind === 'export' && !s.from ? s.names.map(each => each.name.text) : [],
    ),
  )
  for (const s of checked.program.body) {
    if (s.kind === 'typeDef') {
      const alias = checked.aliases.get(s.name.text)
      const params = s.typeParams.length > 0 ? `<${s.typeParams.map(p => p.text).join(', ')}>` : ''
      if (alias)
        lines.push(`${s.exported ? 'export ' : ''}type ${s.name.text}${params} = ${typescript(alias.body())}`)
    } else if (s.kind === 'def' && (s.exported || s.node || listed.has(s.name.text))) {
      const type = checked.symbols.get(s.name)?.type()
      if (type?.kind !== 'function') continue
      const doc = s.doc ? `/** ${s.doc.text.replaceAll('*/', '* /').replaceAll('\n', '\n * ')} */\n` : ''
      const name = nameOf(s.name)
      const head = s.node
        ? `declare const ${name}: import(${JSON.stringify(runtime)}).Node<${nodeTypes(type)}>`
        : `declare function ${name}${signature(type, colours.waits(s))}`
      const own = s.exported || s.node
      lines.push(`${doc}${own && name === s.name.text ? 'export ' : ''}${head}`)
      if (own && name !== s.name.text) lines.push(`export { ${name} as ${s.name.text} }`)
    } else if (s.kind === 'let' && s.pattern.kind === 'name' && (s.exported || listed.has(s.pattern.text))) {
      const type = checked.symbols.get(s.pattern)?.type() ?? { kind: 'any' as const }
      lines.push(`${s.exported ? 'export ' : ''}declare const ${nameOf(s.pattern)}: ${typescript(type)}`)
    } else if (s.kind === 'import') {
      const names = (s.names ?? []).filter(each => checked.aliases.has((each.as ?? each.name).text))
      if (names.length > 0 && s.from.parts.join('') !== 'std::thread')
        lines.push(`import type { ${namesOf(names)} } from ${moduleOf(s.from)}`)
    } else if (s.kind === 'export')
      lines.push(`export { ${namesOf(s.names)} }${s.from ? ` from ${moduleOf(s.from)}` : ''}`)
  }
  // What a block gives may come later. Written out, it would stand there twice, in each type that holds another.
  if (lines.some(line => line.includes('__Later<')))
    lines.unshift(`import type { Later as __Later } from ${JSON.stringify(runtime)}`)
  return lines.length === 0 ? 'export {}\n' : `${lines.join('\n')}\nexport {}\n`
}

const isOptional = (p: ParamTy): boolean => p.optional || p.default === true
const typeOf = (p: ParamTy): string =>
  `${typescript(p.rest ? listOf(p.type) : p.type)}${isOptional(p) ? ' | null' : ''}`
const paramsOf = (type: FunctionTy): string =>
  type.params
    .map(p => `${p.rest ? '...' : ''}${nameOf(p.name)}${isOptional(p) ? '?' : ''}: ${typeOf(p)}`)
    .join(', ')

function signature(type: FunctionTy, waits: boolean): string {
  const generics = type.generics.length > 0 ? `<${type.generics.map(g => g.name).join(', ')}>` : ''
  const gives = typescript(type.returns)
  return `${generics}(${paramsOf(type)}): ${waits ? `Promise<${gives}>` : gives}`
}

/** What a node takes as a flow, by name; what it takes as a function, in order; and what it gives. */
function nodeTypes(type: FunctionTy): string {
  const fields = type.params.map(
    p => `${JSON.stringify(p.name)}${isOptional(p) || p.rest ? '?' : ''}: ${typeOf(p)}`,
  )
  const input = fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`
  return `${input}, [${paramsOf(type)}], ${typescript(type.returns)}`
}

/** A type as TypeScript writes it. */
function typescript(t: Ty): string {
  switch (t.kind) {
    case 'any':
      return 'any'
    case 'record':
      return 'Record<string, any>'
    case 'list':
      return `Array<${typescript(t.of)}>`
    case 'map':
      return `Record<${t.key.kind === 'any' ? 'string' : typescript(t.key)}, ${typescript(t.value)}>`
    case 'object':
      return `{ ${[...t.fields].map(([k, f]) => `${JSON.stringify(k)}${f.optional ? '?' : ''}: ${typescript(f.type)}${f.optional ? ' | null' : ''}`).join('; ')} }`
    case 'union':
      return t.of
        .map(each => (each.kind === 'function' ? `(${typescript(each)})` : typescript(each)))
        .join(' | ')
    case 'function': {
      const params = t.params.map(
        (p, i) =>
          `${p.rest ? '...' : ''}${nameOf(p.name || `value${i}`)}${p.optional ? '?' : ''}: ${typescript(p.rest ? listOf(p.type) : p.type)}`,
      )
      return `(${params.join(', ')}) => __Later<${typescript(t.returns)}>`
    }
    case 'result':
      return `{ success: boolean; value: ${typescript(expand(t.of))}; error: any }`
    case 'alias':
      return t.args.length === 0 ? t.name : `${t.name}<${t.args.map(typescript).join(', ')}>`
    default:
      return show(t)
  }
}
