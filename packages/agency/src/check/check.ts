// A file as a whole: its imports and declarations, then its statements, then what no statement reached.
import { parse } from '../parse/parse.ts'
import type { Def, Name, Program, Statement, TypeDef } from '../syntax/ast.ts'
import type { AgencyFault } from '../syntax/fault.ts'
import { assignedIn } from './assigned.ts'
import {
  type Checked,
  type Checker,
  type CheckHost,
  declare,
  type Exported,
  inScope,
  type ModuleFace,
  tell,
} from './checker.ts'
import { alias, type Types, typeOf } from './declare.ts'
import { infer, need } from './expression.ts'
import { inFunction } from './parts.ts'
import { HOST, PRELUDE, THREAD, WAITS } from './prelude.ts'
import { nearest, type Scope, type Sym, scope } from './scope.ts'
import { checkStatement, checkStatements, ends } from './statement.ts'
import {
  type Alias,
  ANY,
  type FunctionTy,
  listOf,
  members,
  NULL,
  type ParamTy,
  STRING,
  show,
  type Ty,
  union,
  VOID,
  widen,
} from './type.ts'

/** Checks a tree; `before` is what its parser found wrong. It executes nothing. */
export function check(program: Program, host: CheckHost, before: readonly AgencyFault[] = []): Checked {
  const top = scope(preludeScope())
  const aliases = new Map<string, Alias>()
  const typeNames: Checker['typeNames'] = new Map()
  const faults = [...before]
  const c: Checker = {
    program,
    host,
    faults,
    types: new Map(),
    symbols: new Map(),
    calls: new Map(),
    asked: new Map(),
    askable: new Set(),
    typeNames,
    scopes: [],
    scope: top,
    declared: {
      names: aliases,
      params: new Map(),
      around: undefined,
      fault: f => tell(c, f.code, f, f.message, f.hint),
      use: (name, of) =>
        typeNames.set(name.start, { name: name.text, start: name.start, end: name.end, alias: of }),
    },
    facts: new Map(),
    alone: new Set(),
    within: { of: undefined, returns: undefined, given: [], loops: 0 },
    assigned: assignedIn(program),
    ids: new Map(),
    byId: [],
    levels: 0,
  }
  const exports = new Map<string, Exported>()
  for (const s of program.body) if (s.kind === 'import') importNames(c, s, aliases)
  for (const s of program.body) if (s.kind === 'typeDef') declareType(c, s, aliases)
  for (const s of program.body) if (s.kind === 'def') declareDef(c, s)
  // What an alias says is looked at once, wherever it is used.
  for (const each of aliases.values())
    if (each.node && program.body.includes(each.node) && leadsTo(each, each.body()))
      tell(
        c,
        'A3003',
        each.node.name,
        `the type \`${each.name}\` is nothing but itself`,
        'a type may stand in its own fields and lists',
      )
  for (const s of program.body)
    if (s.kind !== 'import' && s.kind !== 'typeDef' && s.kind !== 'def' && s.kind !== 'export')
      checkStatement(c, s)
  for (const s of program.body) if (s.kind === 'def') c.symbols.get(s.name)?.type()
  for (const s of program.body) if (s.kind === 'def') bodyOf(c, s).check()
  for (const s of program.body) exportNames(c, s, exports, aliases)
  faults.sort((a, b) => a.start - b.start)
  return {
    program,
    faults,
    types: c.types,
    symbols: c.symbols,
    calls: c.calls,
    asked: c.asked,
    typeNames,
    face: { names: exports, agency: true },
    at: offset => scopeAt(c, offset, top),
    scope: top,
    aliases,
  }
}

function scopeAt(c: Checker, offset: number, top: Scope): Scope {
  let best = top
  let width = Number.POSITIVE_INFINITY
  for (const each of c.scopes)
    if (each.start <= offset && offset <= each.end && each.end - each.start <= width) {
      best = each.scope
      width = each.end - each.start
    }
  return best
}

// Functions

const bodies = new WeakMap<Def, { check: () => Ty }>()

/** The body of a def, checked once: when its result is asked for, or at the end. Gives what it returns. */
function bodyOf(c: Checker, def: Def): { check: () => Ty } {
  let body = bodies.get(def)
  if (!body) {
    let done: Ty | undefined
    let busy = false
    body = {
      check() {
        if (done) return done
        if (busy) return ANY
        busy = true
        done = checkDef(c, def)
        return done
      },
    }
    bodies.set(def, body)
  }
  return body
}

function declareDef(c: Checker, def: Def): void {
  let type: FunctionTy | undefined
  declare(c, def.name, {
    kind: def.node ? 'node' : 'def',
    def,
    doc: def.doc?.text,
    type() {
      if (!type) {
        const head = headOf(c, def)
        type = { ...head, returns: def.returns ? head.returns : ANY }
        if (!def.returns) type.returns = bodyOf(c, def).check()
      }
      return type
    },
  })
}

const heads = new WeakMap<Def, FunctionTy & { inner: Types }>()

function headOf(c: Checker, def: Def): FunctionTy & { inner: Types } {
  const known = heads.get(def)
  if (known) return known
  const generics = def.typeParams.map(p => ({ kind: 'param' as const, name: p.text, of: p as object }))
  const inner: Types = {
    ...c.declared,
    names: new Map(),
    params: new Map(generics.map(p => [p.name, p])),
    around: c.declared,
  }
  const params = def.params.map((p): ParamTy => {
    const stated = p.type ? typeOf(p.type, inner) : undefined
    let type = stated ?? (p.rest ? listOf(ANY) : ANY)
    if (p.rest) {
      const lists = members(type).filter(t => t.kind === 'list')
      const [only] = lists
      if (only?.kind === 'list') type = only.of
      else if (type.kind !== 'any') {
        tell(
          c,
          'A3001',
          p.type ?? p,
          `a parameter that takes the rest is a list, and this is ${show(type)}`,
          `write ...${p.name.text}: ${show(type)}[]`,
        )
      }
    }
    if (!stated && p.default) type = widen(simple(p.default))
    return { name: p.name.text, type, optional: p.optional, rest: p.rest, default: p.default !== undefined }
  })
  const returns = def.returns ? typeOf(def.returns, inner) : ANY
  const head = { kind: 'function' as const, params, returns, generics, inner }
  heads.set(def, head)
  return head
}

/** The type of a default that is a plain value. */
function simple(e: Parameters<typeof infer>[1]): Ty {
  if (e.kind === 'number' || e.kind === 'boolean') return { kind: 'literal', value: e.value }
  return e.kind === 'text' ? STRING : ANY
}

function checkDef(c: Checker, def: Def): Ty {
  const { scope: around, declared, facts } = c
  // The body sees the names of the file, whoever asked for it.
  let top = around
  while (top.around?.around) top = top.around
  const head = headOf(c, def)
  const inner = scope(top, ++c.levels)
  c.scope = top
  c.declared = head.inner
  c.facts = new Map()
  const within = { of: def, returns: def.returns ? head.returns : undefined, given: [] as Ty[], loops: 0 }
  const gives = inScope(c, inner, def, () =>
    inFunction(c, within, () => {
      def.params.forEach((p, i) => {
        const own = head.params[i]!
        if (p.default) need(c, p.default, own.type, `\`${p.name.text}\``)
        const type = p.rest ? listOf(own.type) : p.optional ? union([own.type, NULL]) : own.type
        declare(c, p.name, { kind: 'param', type: () => type })
        if (
          p.rest &&
          i < def.params.length - 1 &&
          !members(head.params.at(-1)!.type).some(t => t.kind === 'function')
        )
          tell(c, 'A2005', p, 'the parameter that takes the rest comes last')
      })
      const left = inScope(c, scope(c.scope), def.body, () => checkStatements(c, def.body.body))
      const to = within.returns
      if (
        to &&
        !left &&
        !ends(def.body.body) &&
        !members(to).some(t => ['null', 'void', 'any', 'param', 'never'].includes(t.kind)) &&
        def.body.body.length >= 0
      )
        tell(
          c,
          'A3001',
          def.returns ?? def.name,
          `\`${def.name.text}\` is to give ${show(to)}, and it can end without a return`,
        )
      return within.given.length === 0 ? VOID : union([...within.given.map(widen), ...(left ? [] : [NULL])])
    }),
  )
  Object.assign(c, { scope: around, declared, facts })
  return def.returns ? head.returns : gives
}

function declareType(c: Checker, node: TypeDef, aliases: Map<string, Alias>): void {
  const { text } = node.name
  if (aliases.has(text)) tell(c, 'A2002', node.name, `the type \`${text}\` is declared twice`)
  else if (text !== '') aliases.set(text, alias(node, c.declared))
  c.typeNames.set(node.name.start, {
    name: text,
    start: node.name.start,
    end: node.name.end,
    alias: aliases.get(text),
  })
  for (const each of node.schemas) if (each.value) infer(c, each.value)
}

/** Whether a type can only be known where it is known already: `type A = A | string`. */
function leadsTo(of: Alias, t: Ty, seen = new Set<Alias>()): boolean {
  if (t.kind === 'union') return t.of.some(each => leadsTo(of, each, seen))
  if (t.kind !== 'alias') return false
  if (t.def === of) return true
  if (seen.has(t.def)) return false
  return leadsTo(of, t.def.body(), seen.add(t.def))
}

// Modules

function importNames(
  c: Checker,
  s: Extract<Statement, { kind: 'import' }>,
  aliases: Map<string, Alias>,
): void {
  const from = s.from.parts.join('')
  const face =
    from === 'std::thread' ? threadFace() : from.startsWith('std::') ? undefined : c.host.module(from)
  if (!face) {
    const hint = from.startsWith('std::')
      ? 'there is std::thread'
      : from.startsWith('.')
        ? 'a path is relative to this file, and ends in .agency, .ts or .js'
        : 'install it, or write ./ before the name of a file'
    tell(c, 'A4001', s.from, `there is no module ${JSON.stringify(from)}`, hint)
  }
  const one = (local: Name, wanted: string, at: Name): void => {
    const found = face?.names?.get(wanted)
    if (face?.names && !face.loose && !found) {
      const near = nearest(wanted, face.names.keys())
      tell(
        c,
        'A4002',
        at,
        `${JSON.stringify(from)} has no \`${wanted}\``,
        near
          ? `did you mean \`${near}\`?`
          : face.agency
            ? 'only what is exported can be imported'
            : undefined,
      )
    }
    if (found?.alias) {
      aliases.set(local.text, found.alias)
      c.typeNames.set(local.start, {
        name: local.text,
        start: local.start,
        end: local.end,
        alias: found.alias,
      })
      if (!found.sym && found.type() === ANY) return
    }
    const def = found?.sym?.def
    declare(c, local, {
      kind: 'import',
      type: found?.type ?? (() => ANY),
      from: { module: from, name: wanted },
      doc: found?.doc,
      waits: found?.waits ?? true,
      ...(def ? { def } : {}),
    })
  }
  for (const each of s.names ?? []) one(each.as ?? each.name, each.name.text, each.name)
  if (s.default) one(s.default, 'default', s.default)
  if (s.star)
    declare(c, s.star, {
      kind: 'module',
      from: { module: from, name: '*' },
      waits: true,
      type: () =>
        face?.names && !face.loose
          ? {
              kind: 'object',
              fields: new Map([...face.names].map(([k, v]) => [k, { type: v.type(), optional: false }])),
            }
          : ANY,
    })
}

function exportNames(
  c: Checker,
  s: Statement,
  exports: Map<string, Exported>,
  aliases: Map<string, Alias>,
): void {
  const put = (as: string, name: Name): void => {
    const sym = c.scope.names.get(name.text)
    const of = aliases.get(name.text)
    if (!sym && !of) {
      const near = nearest(name.text, c.scope.names.keys())
      tell(c, 'A2001', name, `there is no \`${name.text}\` here`, near && `did you mean \`${near}\`?`)
      return
    }
    if (sym && !sym.uses.includes(name)) {
      sym.uses.push(name)
      c.symbols.set(name, sym)
    }
    exports.set(as, {
      type: sym?.type ?? (() => ANY),
      ...(of ? { alias: of } : {}),
      ...(sym ? { sym, doc: sym.doc } : {}),
    })
  }
  if (s.kind === 'def' && (s.exported || s.node)) put(s.name.text, s.name)
  else if (s.kind === 'typeDef' && s.exported) put(s.name.text, s.name)
  else if (s.kind === 'let' && s.exported && s.pattern.kind === 'name') put(s.pattern.text, s.pattern)
  else if (s.kind === 'export') {
    if (!s.from) for (const each of s.names) put((each.as ?? each.name).text, each.name)
    else {
      const from = s.from.parts.join('')
      const face = from === 'std::thread' ? threadFace() : c.host.module(from)
      if (!face) tell(c, 'A4001', s.from, `there is no module ${JSON.stringify(from)}`)
      for (const each of s.names) {
        const found = face?.names?.get(each.name.text)
        if (face?.names && !face.loose && !found)
          tell(c, 'A4002', each.name, `${JSON.stringify(from)} has no \`${each.name.text}\``)
        exports.set((each.as ?? each.name).text, found ?? { type: () => ANY, waits: true })
      }
    }
  }
}

// What comes with the language

let prelude: Scope | undefined
let threads: ModuleFace | undefined

export function preludeScope(): Scope {
  if (!prelude) {
    prelude = scope(undefined)
    for (const [name, sym] of builtin(PRELUDE)) prelude.names.set(name, sym)
    const llm: FunctionTy = {
      kind: 'function',
      params: [
        { name: 'prompt', type: STRING, optional: false, rest: false, default: false },
        { name: 'options', type: ANY, optional: true, rest: false, default: false },
      ],
      returns: ANY,
      generics: [],
    }
    prelude.names.set('llm', {
      name: 'llm',
      kind: 'prelude',
      declared: undefined,
      uses: [],
      type: () => llm,
      waits: true,
    })
    for (const name of HOST)
      prelude.names.set(name, {
        name,
        kind: 'prelude',
        declared: undefined,
        uses: [],
        type: () => ANY,
        waits: false,
        host: true,
      })
    // What a failure is, so that it may stand for any result.
    const failure = prelude.names.get('failure')!
    const of = failure.type() as FunctionTy
    failure.type = () => ({ ...of, returns: { kind: 'result', of: { kind: 'never' }, state: 'failure' } })
  }
  return prelude
}

function threadFace(): ModuleFace {
  threads ??= {
    agency: true,
    names: new Map(
      [...builtin(THREAD)].map(([name, sym]) => [
        name,
        { type: sym.type, waits: sym.waits === true, doc: sym.doc },
      ]),
    ),
  }
  return threads
}

function builtin(source: string): Map<string, Sym> {
  const { program } = parse(source)
  const types: Types = {
    names: new Map(),
    params: new Map(),
    around: undefined,
    fault: () => {},
    use: () => {},
  }
  for (const s of program.body) if (s.kind === 'typeDef') types.names.set(s.name.text, alias(s, types))
  const names = new Map<string, Sym>()
  const c = { declared: types } as Checker
  for (const def of program.body) {
    if (def.kind !== 'def') continue
    let head: FunctionTy | undefined
    names.set(def.name.text, {
      name: def.name.text,
      kind: 'prelude',
      declared: undefined,
      uses: [],
      waits: WAITS.has(def.name.text),
      type() {
        head ??= headOf(c, def)
        return head
      },
    })
  }
  return names
}
