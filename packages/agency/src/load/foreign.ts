// What a TypeScript or JavaScript module gives, read off its text: the types that it states, its docs, and what has to
// be waited for. Nothing of it is executed, and what is not plain to see is `any`.
import { type Doc, disk, docAt, type Host, type Module, parseModule } from '@toolwright/typed/read'
import type { Function as FunctionNode, Statement, VariableDeclarator } from 'oxc-parser'
import type { Exported, ModuleFace } from '../check/checker.ts'
import { type Alias, ANY, type Ty } from '../check/type.ts'
import { functionType, type Names, typeOf, waitsFor } from './foreigntype.ts'

type Face = Map<string, Exported> | undefined

/** Faces of foreign modules, each read once. */
export function foreignFaces(host: Host = disk): (path: string) => ModuleFace['names'] {
  const faces = new Map<string, Face>()
  const face = (path: string): Face => {
    if (faces.has(path)) return faces.get(path)
    // Modules that lead to each other: what the one that is being read gives is not known yet.
    faces.set(path, new Map())
    const source = host.read(path)
    const made = source === undefined ? undefined : faceOf(path, source)
    faces.set(path, made)
    return made
  }
  const faceOf = (path: string, source: string): Face => {
    let module: Module
    try {
      module = parseModule(path, source)
    } catch {
      return undefined
    }
    return new Reading(module, specifier => {
      const found = host.resolve(specifier, path)
      return found === undefined ? undefined : face(found)
    }).face()
  }
  return face
}

/** One module, as it is read. */
class Reading implements Names {
  private readonly module: Module
  private readonly other: (specifier: string) => Face
  private readonly aliases = new Map<string, Alias | undefined>()
  private readonly imports = new Map<string, { from: string; name: string }>()
  private readonly given = new Map<string, Exported>()
  /** It gives what cannot be listed. */
  private open = false

  constructor(module: Module, other: (specifier: string) => Face) {
    this.module = module
    this.other = other
  }

  face(): Face {
    const { body } = this.module.program
    for (const s of body)
      if (s.type === 'ImportDeclaration')
        for (const each of s.specifiers)
          if (each.type === 'ImportSpecifier')
            this.imports.set(each.local.name, { from: s.source.value, name: nameOf(each.imported) })
          else if (each.type === 'ImportDefaultSpecifier')
            this.imports.set(each.local.name, { from: s.source.value, name: 'default' })
    for (const s of body) this.statement(s as Statement)
    return this.open ? undefined : this.given
  }

  private statement(s: Statement): void {
    switch (s.type) {
      case 'ExportNamedDeclaration':
        if (s.declaration) this.declaration(s.declaration as Statement, s.start)
        for (const each of s.specifiers) {
          const name = nameOf(each.exported)
          const local = nameOf(each.local)
          const found = s.source ? this.other(s.source.value)?.get(local) : this.local(local)
          this.given.set(name, found ?? unknown())
        }
        break
      case 'ExportDefaultDeclaration': {
        const of = s.declaration
        const found =
          of.type === 'FunctionDeclaration' || of.type === 'ArrowFunctionExpression'
            ? this.functionOf(of as FunctionNode, s.start)
            : of.type === 'Identifier'
              ? this.local(of.name)
              : undefined
        this.given.set('default', found ?? unknown())
        break
      }
      case 'ExportAllDeclaration': {
        const all = this.other(s.source.value)
        if (s.exported) this.given.set(nameOf(s.exported), unknown())
        else if (!all) this.open = true
        else
          for (const [name, each] of all)
            if (name !== 'default' && !this.given.has(name)) this.given.set(name, each)
        break
      }
      // CommonJS, and TypeScript's names for it.
      case 'TSExportAssignment':
        this.open = true
        break
      case 'ExpressionStatement':
        if (/^(module\.)?exports\b/.test(this.module.source.slice(s.start, s.start + 14))) this.open = true
        break
    }
  }

  private declaration(s: Statement, start: number): void {
    if (s.type === 'FunctionDeclaration' || s.type === 'TSDeclareFunction') {
      const { name } = (s as FunctionNode).id ?? {}
      // Of several declarations of one function, none says all.
      if (name)
        this.given.set(name, this.given.has(name) ? unknown() : this.functionOf(s as FunctionNode, start))
    } else if (s.type === 'VariableDeclaration')
      for (const each of s.declarations)
        if (each.id.type === 'Identifier') this.given.set(each.id.name, this.variable(each, start))
        else this.open = true
    else if (s.type === 'TSInterfaceDeclaration' || s.type === 'TSTypeAliasDeclaration') {
      const alias = this.alias(s.id.name)
      this.given.set(s.id.name, alias ? { ...unknown(), alias } : unknown())
    } else if ('id' in s && s.id && 'name' in s.id) this.given.set(String(s.id.name), unknown())
  }

  /** What a name of this module stands for. */
  private local(name: string): Exported | undefined {
    const known = this.given.get(name)
    if (known) return known
    const imported = this.imports.get(name)
    if (imported) return this.other(imported.from)?.get(imported.name)
    const declared = this.module.scope.names.get(name)
    const [one] = declared ?? []
    if (declared?.length !== 1 || !one) return undefined
    if (one.kind === 'function') return this.functionOf(one.node, one.start)
    if (one.kind === 'variable') return this.variable(one.node, one.start)
    const alias = this.alias(name)
    return alias && { ...unknown(), alias }
  }

  private functionOf(node: FunctionNode, start: number): Exported {
    // JavaScript says neither what is optional nor what it takes.
    if (/\.[cm]?jsx?$/.test(this.module.path)) return { ...unknown(), doc: this.doc(start) }
    let made: Ty | undefined
    return {
      type: () => {
        made ??= functionType(node, this)
        return made
      },
      waits: waitsFor(node, this),
      doc: this.doc(start),
    }
  }

  private variable(node: VariableDeclarator, start: number): Exported {
    const { init } = node
    const stated = node.id.type === 'Identifier' ? node.id.typeAnnotation?.typeAnnotation : undefined
    if (!stated && (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'))
      return this.functionOf(init as unknown as FunctionNode, start)
    const type = stated ? typeOf(stated, this) : literalType(init)
    return { type: () => type, waits: waitsFor(stated, this), doc: this.doc(start) }
  }

  private doc(start: number): string | undefined {
    const { text }: Doc = docAt(this.module, start)
    return text === '' ? undefined : text
  }

  alias(name: string): Alias | undefined {
    if (this.aliases.has(name)) return this.aliases.get(name)
    // A type that leads to itself finds the alias that is being made.
    const alias: Alias = { name, node: undefined, params: [], body: () => ANY }
    this.aliases.set(name, alias)
    const made = this.aliasOf(name, alias)
    if (!made) this.aliases.set(name, undefined)
    return made
  }

  private aliasOf(name: string, alias: Alias): Alias | undefined {
    const imported = this.imports.get(name)
    if (imported) return this.other(imported.from)?.get(imported.name)?.alias
    const declared = this.module.scope.names.get(name)
    const [one] = declared ?? []
    if (declared?.length !== 1 || !one || (one.kind !== 'interface' && one.kind !== 'alias')) return undefined
    const params = (one.node.typeParameters?.params ?? []).map(each => {
      return { kind: 'param', name: each.name.name, of: each } as const
    })
    alias.params = params
    const inside: Names = {
      alias: each => this.alias(each),
      param: each => params.find(param => param.name === each) ?? this.param(each),
    }
    let body: Ty | undefined
    alias.body = () => {
      body ??= typeOf(one.kind === 'alias' ? one.node.typeAnnotation : one.node, inside)
      return body
    }
    return alias
  }

  param(_name: string): Ty | undefined {
    return undefined
  }
}

const unknown = (): Exported => ({ type: () => ANY, waits: true })

function nameOf(node: { type: string; name?: string; value?: string }): string {
  return node.name ?? node.value ?? ''
}

/** The type of a value that is written out. */
function literalType(init: VariableDeclarator['init']): Ty {
  if (init?.type === 'TemplateLiteral') return { kind: 'string' }
  if (init?.type !== 'Literal') return ANY
  const { value } = init
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? ({ kind: typeof value } as Ty)
    : ANY
}
