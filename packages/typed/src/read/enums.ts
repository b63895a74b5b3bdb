// Enums, and their members as types.
import type { Found } from './find.ts'
import { docAt } from './module.ts'
import { type Reader, refused } from './reader.ts'
import type { Declaration } from './scope.ts'
import { type Literal, literal, ready, type Type, unionOf } from './types.ts'
import { constantOf } from './value.ts'

type EnumDeclaration = Extract<Declaration, { kind: 'enum' }>

/** The union of an enum's values. */
export function enumOf(r: Reader, declarations: readonly EnumDeclaration[], name: string): Type {
  const values = valuesOf(r, declarations)
  const first = declarations[0]!
  const type = unionOf([...values.values()])
  const key = `enum ${first.scope.module.path}:${first.start}`
  return { kind: 'named', name, doc: docAt(first.scope.module, first.start), type: ready(type, key) }
}

/** The value of one member; nothing where `found` is no enum that has it. */
export function memberOfEnum(r: Reader, found: Found | undefined, name: string): Type | undefined {
  if (found?.kind !== 'declared') return undefined
  const enums = found.declarations.filter(each => each.kind === 'enum')
  return enums.length > 0 ? valuesOf(r, enums).get(name) : undefined
}

function valuesOf(r: Reader, declarations: readonly EnumDeclaration[]): Map<string, Type> {
  const values = new Map<string, Type>()
  const known = new Map<string, Literal>()
  for (const { node, scope } of declarations) {
    let next: number | undefined = 0
    for (const member of node.body.members) {
      const name =
        member.id.type === 'Identifier' ? member.id.name : 'value' in member.id ? String(member.id.value) : ''
      const value: Literal | undefined = member.initializer
        ? constantOf(r, member.initializer, scope, known)
        : next
      next = typeof value === 'number' ? value + 1 : undefined
      if (value === undefined)
        values.set(
          name,
          refused('T2102', 'this value of an enum is computed', 'write a text or a number', scope, member),
        )
      else {
        known.set(name, value)
        values.set(name, literal(value))
      }
    }
  }
  return values
}
