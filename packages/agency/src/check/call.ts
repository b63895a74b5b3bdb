// A call: which argument is which parameter, what the types say, and what `llm` is asked for.
import type { Argument, Call, Expression, Lambda, Span } from '../syntax/ast.ts'
import { assignable } from './assign.ts'
import { type Checker, tell } from './checker.ts'
import { fits, infer, need } from './expression.ts'
import { learn } from './infer.ts'
import { keyOf } from './literals.ts'
import { lasting } from './narrow.ts'
import { find, nearest, type Sym } from './scope.ts'
import {
  ANY,
  type Bindings,
  bind,
  expand,
  type FunctionTy,
  listOf,
  members,
  NULL,
  type ParamTy,
  present,
  STRING,
  show,
  signature,
  type Ty,
  union,
} from './type.ts'

/** An argument, and the parameter that it is: its number, or -1 where nobody knows. */
export interface Placed {
  arg: Argument | { value: Lambda; splat: false; name: undefined; start: number; end: number }
  param: number
}

/** Which parameter each argument is. What does not fit is told to `fault`. */
export function place(
  call: Call,
  params: readonly ParamTy[],
  fault: (at: Span, message: string, hint?: string) => void = () => {},
): Placed[] {
  const placed: Placed[] = []
  const filled = new Set<number>()
  const rest = params.findIndex(p => p.rest)
  const blockAt = call.block ? blockParam(params) : -1
  let next = 0
  let named: Argument | undefined
  let splat = false
  for (const arg of call.args) {
    if (arg.name) {
      named = arg
      const at = params.findIndex(p => p.name === arg.name!.text && p.name !== '')
      if (at < 0) {
        const near = nearest(
          arg.name.text,
          params.map(p => p.name),
        )
        const hint = near
          ? `did you mean \`${near}\`?`
          : params.length > 0
            ? `it takes ${signature({ kind: 'function', params, returns: ANY, generics: [] })}`
            : 'it takes no arguments'
        fault(arg.name, `there is no parameter \`${arg.name.text}\``, hint)
      } else if (filled.has(at)) fault(arg.name, `\`${arg.name.text}\` is given twice`)
      else filled.add(at)
      placed.push({ arg, param: at })
      continue
    }
    if (named) {
      fault(
        arg,
        'a positional argument stands behind a named one',
        'give it a name too, or let it come first',
      )
      placed.push({ arg, param: -1 })
      continue
    }
    if (arg.splat) {
      splat = true
      placed.push({ arg, param: rest >= 0 && next >= rest ? rest : -1 })
      continue
    }
    if (next === rest) placed.push({ arg, param: rest })
    else {
      if (splat) placed.push({ arg, param: -1 })
      else if (next < params.length && next !== blockAt) {
        filled.add(next)
        placed.push({ arg, param: next++ })
      } else placed.push({ arg, param: -2 })
    }
  }
  const surplus = placed.filter(p => p.param === -2)
  if (surplus.length > 0) {
    const most = params.length - (blockAt >= 0 ? 1 : 0)
    const takes = most === 0 ? 'takes no arguments' : `takes at most ${most} argument${most === 1 ? '' : 's'}`
    const count = call.args.length
    fault(
      { start: surplus[0]!.arg.start, end: surplus.at(-1)!.arg.end },
      `too many arguments: it ${takes}, and ${count} ${count === 1 ? 'is' : 'are'} given`,
      params.length > 0
        ? `it takes ${signature({ kind: 'function', params, returns: ANY, generics: [] })}`
        : undefined,
    )
  }
  if (call.block) {
    const { block } = call
    if (blockAt < 0) fault({ start: block.start, end: block.start + 1 }, 'it takes no block')
    else if (filled.has(blockAt))
      fault(
        { start: block.start, end: block.start + 1 },
        `the block \`${params[blockAt]!.name}\` is given twice`,
      )
    else filled.add(blockAt)
    placed.push({
      arg: { value: block, splat: false, name: undefined, start: block.start, end: block.end },
      param: blockAt,
    })
  }
  if (!splat) {
    const missing = params.filter((p, i) => !p.optional && !p.default && !p.rest && !filled.has(i))
    if (missing.length > 0) {
      const names = missing.map((p, i) => (p.name ? `\`${p.name}\`` : `the value ${i + 1}`)).join(', ')
      const given = call.args.length
      fault(
        { start: call.callee.start, end: call.end },
        `too few arguments: ${names} ${missing.length === 1 ? 'is' : 'are'} missing${given === 0 ? '' : `, and ${given} ${given === 1 ? 'is' : 'are'} given`}`,
        `it takes ${signature({ kind: 'function', params, returns: ANY, generics: [] })}`,
      )
    }
  }
  return placed
}

/** The parameter that a block behind the parentheses is: the last, where it takes a function. */
function blockParam(params: readonly ParamTy[]): number {
  const last = params.length - 1
  if (last < 0) return -1
  const takes = members(params[last]!.type).some(
    t => t.kind === 'function' || t.kind === 'any' || t.kind === 'param',
  )
  return takes ? last : -1
}

export function checkCall(c: Checker, e: Call, expected: Ty | undefined): Ty {
  const sym = e.callee.kind === 'name' ? find(c.scope, e.callee.text) : undefined
  const of = infer(c, e.callee)
  if (sym?.name === 'llm' && sym.kind === 'prelude') return checkLlm(c, e, expected)
  const callee = expand(e.optional ? present(of) : of)
  let type: Ty
  if (callee.kind === 'function') {
    c.calls.set(e, callee)
    type = callFunction(c, e, callee, expected)
  } else {
    for (const arg of e.args) infer(c, arg.value)
    if (e.block) infer(c, e.block)
    const kinds = members(callee)
    if (
      !kinds.every(t => t.kind === 'any' || t.kind === 'param' || t.kind === 'function' || t.kind === 'never')
    ) {
      const maybe = kinds.some(t => t.kind === 'null') && kinds.some(t => t.kind === 'function')
      tell(
        c,
        'A3004',
        e.callee,
        maybe
          ? 'this may be null, and null cannot be called'
          : `only a function can be called, and this is ${show(of)}`,
        maybe ? 'test it first, or write ?.(' : undefined,
      )
    }
    const gives = kinds.flatMap(t => (t.kind === 'function' ? [t.returns] : []))
    type = gives.length === kinds.length ? union(gives) : ANY
  }
  // What is called may set the names of the file anew.
  c.facts = lasting(c, true)
  return e.optional ? union([type, NULL]) : type
}

function callFunction(c: Checker, e: Call, callee: FunctionTy, expected: Ty | undefined): Ty {
  const { params, generics } = callee
  const placed = place(e, params, (at, message, hint) => tell(c, 'A2003', at, message, hint))
  const found = new Map<object, Ty>()
  const hoped = new Map<object, Ty>()
  if (generics.length > 0 && expected && !hasAny(expected)) {
    learn(callee.returns, expected, hoped, { exact: true })
    for (const [of, t] of hoped)
      if (generics.some(g => g.of === of) && callee.params.every(p => !mentions(p.type, of))) found.set(of, t)
  }
  const later: Placed[] = []
  for (const each of placed) {
    if (each.arg.value.kind === 'lambda') later.push(each)
    else checkArgument(c, each, params, found, generics)
  }
  // What a block gives may be what the caller hopes for; what a list holds is what it holds.
  for (const each of later) checkArgument(c, each, params, found, generics, hoped)
  if (generics.length === 0) return callee.returns
  for (const g of generics) if (!found.has(g.of)) found.set(g.of, ANY)
  return bind(callee.returns, found)
}

function hasAny(t: Ty): boolean {
  return t.kind === 'any' || t.kind === 'void'
}

function mentions(t: Ty, of: object): boolean {
  if (t.kind === 'param') return t.of === of
  if (t.kind === 'list' || t.kind === 'result') return mentions(t.of, of)
  if (t.kind === 'function') return mentions(t.returns, of) || t.params.some(p => mentions(p.type, of))
  if (t.kind === 'union') return t.of.some(each => mentions(each, of))
  if (t.kind === 'map') return mentions(t.value, of)
  if (t.kind === 'object') return [...t.fields.values()].some(f => mentions(f.type, of))
  if (t.kind === 'alias') return t.args.some(each => mentions(each, of))
  return false
}

function checkArgument(
  c: Checker,
  { arg, param }: Placed,
  params: readonly ParamTy[],
  found: Map<object, Ty>,
  generics: FunctionTy['generics'],
  hoped: Bindings = new Map(),
): void {
  const p = params[param]
  if (!p) {
    infer(c, arg.value)
    return
  }
  const stated = arg.splat ? listOf(p.type) : p.type
  const to = p.optional || p.default ? union([stated, NULL]) : stated
  const what = p.name ? `the parameter \`${p.name}\`` : 'what is given'
  // A parameter that takes the rest, by its name, takes the whole list.
  const wanted = p.rest && arg.name ? listOf(p.type) : to
  if (generics.length === 0) {
    need(c, arg.value, wanted, what)
    return
  }
  // What is not known yet asks for nothing; a block is told what it is given all the same.
  const known = arg.value.kind === 'lambda' || !generics.some(g => !found.has(g.of) && mentions(wanted, g.of))
  const type = infer(c, arg.value, known ? bind(bind(wanted, found), hoped) : undefined)
  learn(stated, type, found, { hoped })
  const bound = bind(wanted, new Map([...generics.map(g => [g.of, ANY] as const), ...found]))
  fits(c, arg.value, type, bound, what)
}

// llm

const OPTIONS: { readonly [name: string]: Ty } = {
  tools: listOf(ANY),
  model: ANY,
  provider: STRING,
  apiKey: STRING,
  maxTokens: { kind: 'number' },
  temperature: { kind: 'number' },
  reasoningEffort: STRING,
  stream: { kind: 'boolean' },
  timeout: ANY,
  retries: { kind: 'number' },
  label: STRING,
}

export const LLM_OPTIONS = Object.keys(OPTIONS)

/** The type that stands before `value` (of a variable, of a result) is what a call of `llm` in its place is asked for. */
export function asks(c: Checker, value: Expression): void {
  if (value.kind === 'call') c.askable.add(value)
  else if (value.kind === 'try') asks(c, value.value)
  else if (value.kind === 'choice') {
    asks(c, value.yes)
    asks(c, value.no)
  } else if (value.kind === 'binary' && ['catch', '??', '||'].includes(value.operator)) {
    asks(c, value.left)
    asks(c, value.right)
  }
}

function checkLlm(c: Checker, e: Call, expected: Ty | undefined): Ty {
  let prompt = false
  const given = new Set<string>()
  const one = (name: Span & { text: string }, value: Expression): void => {
    if (given.has(name.text)) tell(c, 'A2003', name, `\`${name.text}\` is given twice`)
    given.add(name.text)
    const to = Object.hasOwn(OPTIONS, name.text) ? OPTIONS[name.text]! : undefined
    if (!to) {
      const near = nearest(name.text, LLM_OPTIONS)
      tell(
        c,
        'A2003',
        name,
        `llm has no option \`${name.text}\``,
        near ? `did you mean \`${near}\`?` : `it has ${LLM_OPTIONS.join(', ')}`,
      )
      infer(c, value)
      return
    }
    need(c, value, union([to, NULL]), `the option \`${name.text}\``)
    if (name.text === 'tools') checkTools(c, value)
  }
  let named = false
  e.args.forEach((arg, i) => {
    if (arg.name?.text === 'prompt' && !prompt) {
      prompt = true
      infer(c, arg.value)
    } else if (arg.name) {
      named = true
      one(arg.name, arg.value)
    } else if (named) {
      tell(c, 'A2003', arg, 'a positional argument stands behind a named one', 'let the prompt come first')
      infer(c, arg.value)
    } else if (i === 0) {
      prompt = true
      const type = infer(c, arg.value)
      if (!assignable(present(type), union([STRING, listOf(ANY)])))
        tell(
          c,
          'A3001',
          arg.value,
          `the prompt is a string, and this is ${show(type)}`,
          'write it inside of a string',
        )
    } else if (i === 1 && arg.value.kind === 'record') {
      for (const entry of arg.value.entries) {
        const name = entry.kind === 'entry' ? keyOf(entry.key) : undefined
        const value =
          entry.kind === 'entry'
            ? (entry.value ?? (entry.key.kind === 'name' ? entry.key : undefined))
            : entry.value
        if (name === undefined || !value)
          infer(c, entry.kind === 'splat' ? entry.value : (value ?? entry.key))
        else
          one(
            {
              text: name,
              start: entry.kind === 'entry' ? entry.key.start : entry.start,
              end: entry.kind === 'entry' ? entry.key.end : entry.end,
            },
            value,
          )
      }
      c.types.set(arg.value, ANY)
    } else if (i === 1) {
      const type = infer(c, arg.value)
      if (!['object', 'map', 'record', 'any', 'null'].includes(expand(type).kind))
        tell(c, 'A3001', arg.value, `the options of llm are a record, and this is ${show(type)}`)
    } else {
      tell(
        c,
        'A2003',
        arg,
        'too many arguments: llm takes a prompt and options',
        'write llm(prompt, { tools: […] })',
      )
      infer(c, arg.value)
    }
  })
  if (e.block) tell(c, 'A2003', { start: e.block.start, end: e.block.start + 1 }, 'llm takes no block')
  if (!prompt) tell(c, 'A2003', e, 'too few arguments: the prompt is missing', 'write llm("…")')
  const asked = expected && c.askable.has(e) && expected.kind !== 'void' ? expected : STRING
  const whole = askedOf(asked)
  c.asked.set(e, whole)
  checkAskable(c, e, whole)
  return whole
}

/** What a model is asked for where `expected` is: a result is asked for by what it holds. */
function askedOf(expected: Ty): Ty {
  const whole = expand(expected)
  if (whole.kind === 'result') return askedOf(whole.of)
  if (whole.kind === 'any' || whole.kind === 'param' || whole.kind === 'null') return STRING
  return expected
}

function checkAskable(c: Checker, e: Call, t: Ty, seen: Ty[] = []): void {
  if (seen.length > 30 || seen.includes(t)) return
  const whole = expand(t)
  const on = [...seen, t]
  if (whole.kind === 'function') {
    tell(
      c,
      'A5002',
      { start: e.callee.start, end: e.callee.end },
      `a model cannot be asked for ${show(t)}`,
      'ask for what can be written as JSON',
    )
    return
  }
  if (whole.kind === 'list') checkAskable(c, e, whole.of, on)
  else if (whole.kind === 'map') checkAskable(c, e, whole.value, on)
  else if (whole.kind === 'object') for (const f of whole.fields.values()) checkAskable(c, e, f.type, on)
  else if (whole.kind === 'union') for (const each of whole.of) checkAskable(c, e, each, on)
}

/** Functions in a list of tools must be such that a model can call them. */
function checkTools(c: Checker, value: Expression): void {
  const whole = value
  if (whole.kind !== 'list') return
  for (const each of whole.items) {
    if (each.kind === 'splat') continue
    const sym = each.kind === 'name' ? find(c.scope, each.text) : undefined
    const of = c.types.get(each)
    if (of && !members(of).every(t => ['function', 'any', 'record', 'object', 'map'].includes(t.kind)))
      tell(
        c,
        'A5001',
        each,
        `a tool is a function, and this is ${show(of)}`,
        each.kind === 'call' ? 'name the function, do not call it' : undefined,
      )
    if (of?.kind === 'function') checkTool(c, each, of, sym)
  }
}

function checkTool(c: Checker, at: Span, of: FunctionTy, sym: Sym | undefined): void {
  for (const p of of.params) {
    const takes = members(present(p.type)).some(t => t.kind === 'function')
    if (!takes || p.optional || p.default || p.rest) continue
    tell(
      c,
      'A5001',
      at,
      `\`${sym?.name ?? 'this'}\` cannot be a tool: its parameter \`${p.name}\` is a function, which a model cannot give`,
      `make it optional: ${p.name}?: ${show(p.type)}`,
    )
  }
}
