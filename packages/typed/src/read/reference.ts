// Names of types: declared here, in another file, or TypeScript's own.
import type { TSType, TSTypeName } from 'oxc-parser'
import { builtin } from './builtin.ts'
import { enumOf, memberOfEnum } from './enums.ts'
import { thunkOf } from './evaluate.ts'
import { type Found, findName, withOwn } from './find.ts'
import { docAt } from './module.ts'
import { fault, type Reader, refused } from './reader.ts'
import { interfaceOf } from './record.ts'
import { bound, type Declaration, type Scope } from './scope.ts'
import { once, type Thunk, type Type } from './types.ts'

type Span = { start: number; end: number }
type Parameters_ = Extract<Declaration, { kind: 'alias' }>['node']['typeParameters']

/** The type that a name with type arguments means. */
export function reference(
  r: Reader,
  name: TSTypeName,
  args: readonly TSType[],
  scope: Scope,
  node: Span,
): Type {
  const text = textOf(name)
  const found = findName(r, scope, name)
  if (found || name.type !== 'TSQualifiedName') return referenceTo(r, found, text, args, scope, node)
  return (
    memberOfEnum(r, findName(r, scope, name.left), name.right.name) ??
    referenceTo(r, undefined, text, args, scope, node)
  )
}

/** The same, where what the name means was found already. */
export function referenceTo(
  r: Reader,
  there: Found | undefined,
  name: string,
  args: readonly TSType[],
  scope: Scope,
  node: Span,
): Type {
  const no = (code: string, problem: string, fix: string): Type => refused(code, problem, fix, scope, node)
  const found = withOwn(r, there)
  if (!found) {
    const known = builtin(r, name, args, scope, node)
    return known ?? no('T2105', `the type ${name} is not declared`, 'import it, or declare it in this file')
  }
  switch (found.kind) {
    case 'parameter':
      return (
        found.type?.() ??
        no('T2106', `the type parameter ${name} is bound to nothing`, 'write the type that is meant')
      )
    case 'module':
      return no('T2105', `${name} is a whole module, no type`, `write ${name}.Type`)
    case 'unresolved': {
      const problem = `${name} comes from ${JSON.stringify(found.source)}, which has no types that can be found`
      const fix = 'mend the path, install the package, or declare the type here'
      return { kind: 'refused', fault: fault('T2105', problem, fix, found.scope, found) }
    }
    case 'own':
    case 'unexported': {
      const problem = `${JSON.stringify(found.source)} exports no ${found.name}`
      return { kind: 'refused', fault: fault('T2105', problem, 'mend the name', found.scope, found) }
    }
  }
  const { declarations } = found
  const alias = declarations.find(each => each.kind === 'alias')
  if (alias) {
    const inner = boundTo(r, alias.node.typeParameters, args, alias.scope, scope)
    const thunk = thunkOf(r, alias.node.typeAnnotation, inner)
    return { kind: 'named', name, doc: docAt(alias.scope.module, alias.start), type: thunk }
  }
  const enums = declarations.filter(each => each.kind === 'enum')
  if (enums.length > 0) return enumOf(r, enums, name)
  const klass = declarations.find(each => each.kind === 'class')
  if (klass)
    return no(
      'T2101',
      `the class ${name} has no form in JSON`,
      'write an interface with the fields that are meant',
    )
  const interfaces = declarations.filter(each => each.kind === 'interface')
  if (interfaces.length > 0) {
    const first = interfaces[0]!
    const scopes = interfaces.map(each => boundTo(r, each.node.typeParameters, args, each.scope, scope))
    const key = `${first.scope.module.path}:${first.start}@${scopes[0]!.key}`
    let thunk = r.thunks.get(`interface ${key}`)
    if (!thunk) {
      thunk = once(`interface ${key}`, () => interfaceOf(r, interfaces, scopes))
      r.thunks.set(thunk.key, thunk)
    }
    const docs = interfaces.map(each => docAt(each.scope.module, each.start))
    return { kind: 'named', name, doc: docs.find(each => each.text !== '') ?? docs[0]!, type: thunk }
  }
  return no('T2105', `${name} is a value, no type`, `write typeof ${name}`)
}

/**
 * What names a reference: the thunk that a type parameter is bound to; a key that is the same wherever the same
 * declaration is meant with the same arguments; nothing for what is TypeScript's own or is not found.
 */
export function keyOfReference(
  r: Reader,
  name: TSTypeName,
  args: readonly TSType[],
  scope: Scope,
): Thunk | string | undefined {
  const found = findName(r, scope, name)
  if (found?.kind === 'parameter') return found.type
  const first = found?.kind === 'declared' ? found.declarations[0] : undefined
  if (!first || (first.kind !== 'alias' && first.kind !== 'interface')) return undefined
  const parameters = first.node.typeParameters
  const inner = boundTo(r, parameters, args, first.scope, scope)
  return `${first.scope.module.path}:${first.start} ${textOf(name)}@${inner.key}`
}

/** The scope of a declaration with its type parameters bound to `args` of `scope`, or to their defaults. */
function boundTo(
  r: Reader,
  parameters: Parameters_ | undefined,
  args: readonly TSType[],
  declared: Scope,
  scope: Scope,
): Scope {
  if (!parameters || parameters.params.length === 0) return declared
  const types = new Map<string, Thunk>()
  for (const [i, { name, default: fallback }] of parameters.params.entries()) {
    const arg = args[i]
    if (arg) types.set(name.name, thunkOf(r, arg, scope))
    else if (fallback) types.set(name.name, thunkOf(r, fallback, bound(declared, types)))
  }
  const missing = parameters.params
    .filter(each => !types.has(each.name.name))
    .map(each => [each.name.name, undefined] as const)
  const inner = bound(declared, types)
  return missing.length === 0 ? inner : { ...inner, outer: declared, types: new Map([...types, ...missing]) }
}

function textOf(name: TSTypeName): string {
  if (name.type === 'Identifier') return name.name
  return name.type === 'TSQualifiedName' ? `${textOf(name.left)}.${name.right.name}` : 'this'
}
