// What the types of each call say, and the faults in them.
import type { Expanded } from '@toolwright/core'
import type { Expression, TSType } from 'oxc-parser'
import type { TypeFault } from '../faults.ts'
import { thunkOf } from '../read/evaluate.ts'
import { placeIn } from '../read/module.ts'
import { fault, type Reader } from '../read/reader.ts'
import type { Scope } from '../read/scope.ts'
import { schemaOf, type Writing, writing } from '../write/schema.ts'
import type { Call } from './calls.ts'
import { flowInput, flowOutput } from './flow.ts'
import { inputOf, recordInput } from './input.ts'
import { functionsOf } from './list.ts'
import { propertyOf, type Signature, signatureOf } from './signature.ts'

/** A call, what its types say, and how the argument is written. */
export interface Defined {
  call: Call
  expanded: Expanded
  /** What people know it as: `tool('add', …)`. */
  what: string
  /** How many arguments it has at least before the new one. */
  after: number
}

export interface Told {
  faults: TypeFault[]
  warnings: TypeFault[]
}

/** What the types of a call say; nothing where there is nothing to say. */
export function defined(r: Reader, call: Call, told: Told): Defined | undefined {
  const { node } = call
  const last = node.arguments.at(-1)
  // Expanded already, or not written out: the core tells what is missing.
  if (last?.type === 'Identifier' && /^__toolwright\d+$/.test(last.name)) return undefined
  if (node.arguments.some(each => each.type === 'SpreadElement')) return undefined
  const args = node.arguments as Expression[]
  const types = node.typeArguments?.params ?? []
  const made = readers[call.callee](r, call, args, types, told)
  if (!made) return undefined
  const [expanded, after] = made
  return { call, expanded, what: whatOf(call, args, expanded), after }
}

type Made = readonly [expanded: Expanded, after: number] | undefined
type Read = (r: Reader, call: Call, args: readonly Expression[], types: readonly TSType[], told: Told) => Made

const readers: Readonly<Record<Call['callee'], Read>> = {
  tool(r, call, args, types, told) {
    const [first, second] = args
    if (!first || args.length > 2) return undefined
    const given = types[0] && { node: types[0], scope: call.scope }
    const itself = signatureOf(r, second ?? first, call.scope)
    if (itself) return [plainFunction(r, call, itself, told, second !== undefined, given), args.length]
    const stated = second && second.type === 'ObjectExpression' ? second : undefined
    const run = stated && !propertyOf(stated, 'input') ? propertyOf(stated, 'run') : undefined
    if (!run || stated?.properties.some(each => each.type === 'SpreadElement')) return undefined
    const signature = signatureOf(r, run.value, call.scope)
    if (!signature || (signature.params.length === 0 && !given)) return undefined
    const { input } = reading(r, call, told, w => inputOf(w, signature, 'record', given))
    return [{ input }, 2]
  },
  agent(r, call, args, _types, told) {
    const [first, second, third] = args
    const list = second?.type === 'ObjectExpression' ? propertyOf(second, 'tools')?.value : third
    const tools = first && toolsOf(r, call, list, told)
    return tools && [{ tools }, args.length]
  },
  llm(r, call, args, types, told) {
    const [, options] = args
    const list = options?.type === 'ObjectExpression' ? propertyOf(options, 'tools')?.value : undefined
    const tools = toolsOf(r, call, list, told)
    const output = types[0] && typeSchema(r, call, types[0], told)
    if (!tools && !output) return undefined
    return [{ ...(tools && { tools }), ...(output && { output }) }, 2]
  },
  ask(r, call, args, types, told) {
    const [type] = types
    if (!type || args.length < 2 || args.length > 3) return undefined
    return [{ output: typeSchema(r, call, type, told) }, 3]
  },
  flow(r, call, args, types, told) {
    const [, stated] = args
    if (stated?.type !== 'ObjectExpression' || args.length > 2) return undefined
    if (stated.properties.some(each => each.type === 'SpreadElement')) return undefined
    const run = propertyOf(stated, 'run')
    const signature = run && signatureOf(r, run.value, call.scope)
    if (!signature) return undefined
    const given = (type: TSType | undefined) => type && { node: type, scope: call.scope }
    const takes = propertyOf(stated, 'input') ? undefined : flowInput(r, signature, given(types[0]))
    // What it gives is told where a model may call it; elsewhere it may be anything.
    const isTool = propertyOf(stated, 'as') !== undefined && !propertyOf(stated, 'output')
    const gives = isTool ? flowOutput(r, signature, given(types[1])) : undefined
    const input =
      takes && reading(r, call, told, w => recordInput(w, signature, takes.parameter, takes.type)).input
    const output = gives && reading(r, call, told, w => schemaOf(w, gives))
    if (!input && !output) return undefined
    return [{ ...(input && { input }), ...(output && { output }) }, 2]
  },
  schema(r, call, args, types, told) {
    const [type] = types
    return type && args.length === 0 ? [{ output: typeSchema(r, call, type, told) }, 0] : undefined
  },
  model(r, call, args, types, told) {
    const [input, output] = types
    if (!input || args.length !== 2) return undefined
    const expanded = { input: typeSchema(r, call, input, told) }
    return [output ? { ...expanded, output: typeSchema(r, call, output, told) } : expanded, 2]
  },
}

/** The plain functions of a list of tools, each under its place. */
function toolsOf(
  r: Reader,
  call: Call,
  list: Expression | undefined,
  told: Told,
): Record<number, Expanded> | undefined {
  const functions = functionsOf(r, list, call.scope, told.faults)
  if (functions.length === 0) return undefined
  return Object.fromEntries(
    functions.map(({ place, signature }) => [place, plainFunction(r, call, signature, told, false)]),
  )
}

function plainFunction(
  r: Reader,
  call: Call,
  signature: Signature,
  told: Told,
  isNamed: boolean,
  given?: { node: TSType; scope: Scope },
): Expanded {
  const { input, params, about: said } = reading(r, call, told, w => inputOf(w, signature, 'any', given))
  const about = said === '' ? signature.doc.text : said
  const { name } = signature
  if (name === undefined && !isNamed)
    told.faults.push(
      fault(
        'T2112',
        'the function has no name',
        "write tool('name', …), or give it a name",
        signature.scope,
        signature.node,
      ),
    )
  if (about === '')
    told.warnings.push(
      fault(
        'T2113',
        'no doc comment says what the tool does: the model is told its name alone',
        'write one above its record, or above the function',
        signature.scope,
        { start: signature.node.start, end: signature.node.start + 1 },
      ),
    )
  return { ...(name !== undefined && { name }), about, input, ...(params && { params }) }
}

function typeSchema(r: Reader, call: Call, type: TSType, told: Told): Record<string, unknown> {
  return reading(r, call, told, w => schemaOf(w, thunkOf(r, type, call.scope)()))
}

/** Reads, and adds what is wrong to `told`, with the call where that is another place. */
function reading<T>(r: Reader, call: Call, told: Told, read: (w: Writing) => T): T {
  const w = writing(r)
  const made = read(w)
  const at = placeIn(call.scope.module, call.node)
  const what = whatOf(call, call.node.arguments as Expression[])
  const used = (each: TypeFault): TypeFault => {
    // A type without an end has no place but the call.
    if (each.at.path === '') return { ...each, at: { ...at, width: call.callee.length } }
    const here = each.at.path === at.path && each.at.line === at.line
    return here ? each : { ...each, usedBy: { what, at } }
  }
  told.faults.push(...w.faults.map(used))
  told.warnings.push(...w.warnings.map(used))
  return made
}

function whatOf({ callee, node, scope }: Call, args: readonly Expression[], expanded?: Expanded): string {
  const types = node.typeArguments
  const between = types ? scope.module.source.slice(types.start, types.end).replace(/\s+/g, ' ') : ''
  const [first] = args
  const name =
    first?.type === 'Literal' && typeof first.value === 'string'
      ? `'${first.value}'`
      : nameIn(first, expanded)
  const shown = between.length > 60 ? `${between.slice(0, 59)}…>` : between
  return `${callee}${shown}(${name}${args.length > 1 ? ', …' : ''})`
}

function nameIn(first: Expression | undefined, expanded?: Expanded): string {
  if (!first) return ''
  return first.type === 'Identifier' ? first.name : (expanded?.name ?? '…')
}
