// A checked file as an ES module, with its source map and its declarations.
import type { Checked } from '../check/checker.ts'
import { colours as coloursOf } from '../check/colour.ts'
import { type FunctionTy, listOf, members, present, type Ty } from '../check/type.ts'
import type { Call, Def, Statement } from '../syntax/ast.ts'
import { declarationsOf } from './declarations.ts'
import { expression } from './expression.ts'
import { constant, isVoid, nullable, schemaOf } from './schema.ts'
import { blockCode, letCode, statement } from './statement.ts'
import { deeper, from, helper, nameOf, settle, type Writer } from './writer.ts'

export interface Emitted {
  /** An ES module. */
  code: string
  /** Its source map, as JSON. */
  map: string
  /** What `.d.ts` says of it. */
  declarations: string
}

export interface EmitOptions {
  /** What the module imports the runtime from ['@toolwright/agency/runtime']. */
  runtime?: string
  /** Imports of `.agency` files lead to the `.js` files that were written for them [false]. */
  compiled?: boolean
}

export function emit(checked: Checked, source: string, file: string, options: EmitOptions = {}): Emitted {
  const colours = coloursOf(checked)
  const schemas = new Map<string, string>()
  const w: Writer = {
    checked,
    colours,
    indent: '',
    waits: false,
    temporary: 0,
    tops: [],
    uses: new Set(),
    schemaOf(call: Call) {
      const asked = checked.asked.get(call)
      if (!asked || plainText(asked)) return undefined
      const text = JSON.stringify(schemaOf(asked))
      let name = schemas.get(text)
      if (!name) {
        name = `__schema${schemas.size + 1}`
        schemas.set(text, name)
      }
      return name
    },
  }
  const { runtime = '@toolwright/agency/runtime', compiled = false } = options
  const { body } = checked.program
  const imports = body.flatMap(s => importCode(w, s, runtime, compiled))
  const defs = body.filter(s => s.kind === 'def')
  const parts = defs.map(def => defCode(w, def))
  const rest = body.filter(s => !['import', 'export', 'def', 'typeDef'].includes(s.kind))
  const ran = moduleCode(w, rest)
  const exported = exportsCode(w, body, compiled)
  const uses = [...w.uses].sort().map(name => `${name} as __${name}`)
  const head = [
    ...(uses.length > 0 ? [`import { ${uses.join(', ')} } from ${JSON.stringify(runtime)}`] : []),
    ...imports,
    ...[...schemas].map(([text, name]) => `const ${name} = ${text}`),
  ]
  const all = [...head, ...parts, ...ran, ...exported].join('\n')
  const { code, map } = settle(`${all}\n`, source, file)
  return { code, map, declarations: declarationsOf(checked, colours, { runtime, compiled }) }
}

function plainText(t: Ty): boolean {
  return members(t).every(each => each.kind === 'string')
}

function moduleOf(specifier: string, runtime: string, compiled: boolean): string {
  if (specifier === 'std::thread') return runtime
  return compiled ? specifier.replace(/\.agency$/, '.js').replace(/\.ts$/, '.js') : specifier
}

function importCode(w: Writer, s: Statement, runtime: string, compiled: boolean): string[] {
  if (s.kind !== 'import') return []
  const module = JSON.stringify(moduleOf(s.from.parts.join(''), runtime, compiled))
  const names = s.names
    // Types are gone by now.
    ?.filter(each => w.checked.symbols.has(each.as ?? each.name))
    .map(each => {
      const local = nameOf(each.as ?? each.name)
      return each.name.text === local ? local : `${each.name.text} as ${local}`
    })
  const lines: string[] = []
  const mark = from(s.start)
  if (s.star) lines.push(`${mark}import * as ${nameOf(s.star)} from ${module}`)
  if (s.default) lines.push(`${mark}import ${nameOf(s.default)} from ${module}`)
  if (names && names.length > 0) lines.push(`${mark}import { ${names.join(', ')} } from ${module}`)
  if (!s.star && !s.default && !s.names) lines.push(`${mark}import ${module}`)
  return lines
}

function exportsCode(w: Writer, body: readonly Statement[], compiled: boolean): string[] {
  const local: string[] = []
  const lines: string[] = []
  const put = (text: string, as = text): void => {
    const own = nameOf(text)
    local.push(own === as ? own : `${own} as ${as}`)
  }
  for (const s of body) {
    if (s.kind === 'def' && (s.exported || s.node)) put(s.name.text)
    else if (s.kind === 'let' && s.exported) for (const name of namesOf(s.pattern)) put(name)
    else if (s.kind === 'export') {
      const values = s.names.filter(each => s.from || w.checked.scope.names.has(each.name.text))
      if (!s.from) for (const each of values) put(each.name.text, (each.as ?? each.name).text)
      else {
        const names = values.map(each => (each.as ? `${each.name.text} as ${each.as.text}` : each.name.text))
        lines.push(
          `export { ${names.join(', ')} } from ${JSON.stringify(moduleOf(s.from.parts.join(''), '', compiled))}`,
        )
      }
    }
  }
  return [...lines, ...(local.length > 0 ? [`export { ${[...new Set(local)].join(', ')} }`] : [])]
}

function namesOf(p: Extract<Statement, { kind: 'let' }>['pattern']): string[] {
  if (p.kind === 'name') return [p.text]
  const rest = p.rest ? [p.rest.text] : []
  if (p.kind === 'listPattern')
    return [...p.items.flatMap(each => (each ? namesOf(each.pattern) : [])), ...rest]
  return [...p.fields.flatMap(each => namesOf(each.pattern ?? each.key)), ...rest]
}

/** What a module does when it is loaded. Where it waits, it works as a run of its own, on one thread. */
function moduleCode(w: Writer, body: readonly Statement[]): string[] {
  if (body.length === 0) return []
  const waits = body.some(s => w.colours.holds({ kind: 'block', body: [s], start: s.start, end: s.end }))
  if (!waits) return body.map(s => from(s.start) + statement(w, s))
  const names = body.flatMap(s => (s.kind === 'let' ? namesOf(s.pattern) : []))
  w.waits = true
  const inner = deeper(w, () =>
    body.map(s => `${w.indent}${from(s.start)}${s.kind === 'let' ? letCode(w, s, false) : statement(w, s)}`),
  )
  return [
    ...(names.length > 0 ? [`let ${names.map(name => nameOf(name)).join(', ')}`] : []),
    `await ${helper(w, 'runModule')}(async () => {`,
    ...inner,
    '})',
  ]
}

function defCode(w: Writer, def: Def): string {
  const later = w.colours.waits(def)
  w.waits = later
  const type = w.checked.symbols.get(def.name)?.type() as FunctionTy
  const params = def.params.map(p => (p.rest ? `...${nameOf(p.name)}` : nameOf(p.name))).join(', ')
  const before = deeper(w, () =>
    def.params.flatMap(p => {
      if (p.rest) return []
      if (p.default) return [`if (${nameOf(p.name)} == null) ${nameOf(p.name)} = ${expression(w, p.default)}`]
      return p.optional ? [`${nameOf(p.name)} ??= null`] : []
    }),
  )
  const body = blockCode(w, def.body, before)
  const name = nameOf(def.name)
  const head = `${from(def.start)}${later ? 'async ' : ''}function ${name}(${params}) ${body}`
  const meta = metaOf(def, type)
  // As a method its name stands for the node inside of it too, not for the bare body.
  if (def.node)
    return `const ${name} = ${helper(w, 'node')}({ ${from(def.start)}async ${name}(${params}) ${body} }.${name}, ${meta})\n`
  return `${head}\n${helper(w, 'def')}(${name}, ${meta})\n`
}

/** What a model is told of a def, and how its arguments are placed. */
function metaOf(def: Def, type: FunctionTy): string {
  const params = type.params.map(p => {
    const takesFunction = members(present(p.type)).some(t => t.kind === 'function')
    return { name: p.name, ...(p.rest ? { rest: true } : {}), ...(takesFunction ? { block: true } : {}) }
  })
  const properties: { [name: string]: unknown } = {}
  const required: string[] = []
  type.params.forEach((p, i) => {
    if (params[i]!.block) return
    const own = schemaOf(p.rest ? listOf(p.type) : p.type)
    const node = def.params[i]!
    if (p.optional || p.default) {
      const fallback = node.default && constant(node.default)
      const told = node.default
        ? `default: ${fallback === undefined ? 'computed' : JSON.stringify(fallback)}`
        : undefined
      const described =
        told === undefined
          ? own
          : {
              ...own,
              description: own['description'] === undefined ? told : `${own['description']} (${told})`,
            }
      properties[p.name] = nullable(described)
    } else {
      properties[p.name] = p.rest ? nullable(own) : own
      if (!p.rest) required.push(p.name)
    }
  })
  const $defs = Object.assign(
    {},
    ...Object.values(properties).map(each => (each as { $defs?: object }).$defs ?? {}),
  )
  for (const each of Object.values(properties)) {
    delete (each as { $defs?: object }).$defs
  }
  const input = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  }
  const about = def.doc?.text ?? ''
  const parts = [
    `name: ${JSON.stringify(def.name.text)}`,
    `about: ${JSON.stringify(about)}`,
    `params: ${JSON.stringify(params)}`,
    `input: () => (${JSON.stringify(input)})`,
    ...(def.handoff ? ['handoff: true'] : []),
    ...(isVoid(type.returns) ? ['nothing: true'] : []),
  ]
  return `{ ${parts.join(', ')} }`
}
