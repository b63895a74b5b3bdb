// The contexts that this package hands to functions: what has such a type is not told to a model. A name for one of
// them, made in any file (`type Ctx = Context<Deps>`), is that context too.
import type { Expression, TSType, TSTypeName } from 'oxc-parser'
import { type Found, find, findName, member } from '../read/find.ts'
import type { Reader } from '../read/reader.ts'
import type { Scope } from '../read/scope.ts'

/** Where a type names a context of this package, and with which arguments. */
export interface Named {
  args: readonly TSType[]
  scope: Scope
}

/** The place where `written` comes down to this package's type `name`; nothing where it is any other type. */
export function namedContext(
  r: Reader,
  name: 'Context' | 'FlowContext',
  written: TSType | undefined,
  scope: Scope,
  depth = 0,
): Named | undefined {
  if (depth > 20) return undefined
  const next = (type: TSType, at: Scope): Named | undefined => namedContext(r, name, type, at, depth + 1)
  if (written?.type === 'TSParenthesizedType') return next(written.typeAnnotation, scope)
  if (written?.type === 'TSIntersectionType') return firstOf(written.types, each => next(each, scope))
  if (written?.type !== 'TSTypeReference') return undefined
  const args = written.typeArguments?.params ?? []
  return follow(r, name, findName(r, scope, written.typeName), { args, scope }, next)
}

function follow(
  r: Reader,
  name: string,
  found: Found | undefined,
  here: Named,
  next: (type: TSType, at: Scope) => Named | undefined,
): Named | undefined {
  if (found?.kind === 'own') return found.name === name ? here : undefined
  if (found?.kind !== 'declared') return undefined
  return firstOf(found.declarations, each => {
    if (each.kind === 'alias') return next(each.node.typeAnnotation, each.scope)
    if (each.kind !== 'interface') return undefined
    return firstOf(each.node.extends, ({ expression, typeArguments }) =>
      follow(
        r,
        name,
        parentOf(r, expression, each.scope),
        { args: typeArguments?.params ?? [], scope: each.scope },
        next,
      ),
    )
  })
}

function parentOf(r: Reader, node: Expression, scope: Scope): Found | undefined {
  if (node.type === 'Identifier') return findName(r, scope, node as TSTypeName)
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'Identifier') return undefined
  const whole = find(r, scope, node.object.name)
  return whole && node.property.type === 'Identifier' ? member(r, whole, node.property.name) : undefined
}

function firstOf<T, R>(list: readonly T[], of: (each: T) => R | undefined): R | undefined {
  for (const each of list) {
    const found = of(each)
    if (found !== undefined) return found
  }
  return undefined
}
