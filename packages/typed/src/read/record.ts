// Records: the members of interfaces and of types in braces.
import type { TSSignature } from 'oxc-parser'
import { thunkOf } from './evaluate.ts'
import { intersectRecords } from './intersect.ts'
import { docAt } from './module.ts'
import { fault, type Reader, refused } from './reader.ts'
import { reference } from './reference.ts'
import type { Declaration, Scope } from './scope.ts'
import { type Field, type Index, membersOf, plain, type RecordType, ready, type Type } from './types.ts'
import { literalNamed } from './value.ts'

type Key = Extract<TSSignature, { type: 'TSPropertySignature' }>['key']

/** The record of members in braces. */
export function recordOf(r: Reader, members: readonly TSSignature[], scope: Scope): RecordType {
  const fields = new Map<string, Field>()
  let index: Index | undefined
  const refuse = (node: TSSignature, name: string, problem: string, fix: string): void => {
    const type = refused('T2101', problem, fix, scope, node)
    const thunk = ready(type, `${scope.module.path}:${node.start}`)
    fields.set(name, { type: thunk, optional: false, doc: docAt(scope.module, node.start) })
  }
  for (const node of members) {
    switch (node.type) {
      case 'TSPropertySignature': {
        const name = fieldName(r, node.key, node.computed, scope)
        if (name === undefined) {
          const written = scope.module.source.slice(node.key.start, node.key.end)
          refuse(node, `[${written}]`, `the field [${written}] has no name in JSON`, 'write a plain name')
          break
        }
        const doc = docAt(scope.module, node.start)
        const annotation = node.typeAnnotation?.typeAnnotation
        if (annotation) {
          fields.set(name, { type: thunkOf(r, annotation, scope), optional: node.optional, doc })
          break
        }
        const warning = fault(
          'T2111',
          'a field without a type lets every value through',
          'write its type',
          scope,
          node,
        )
        const type = ready({ kind: 'loose', warning }, `${scope.module.path}:${node.start}`)
        fields.set(name, { type, optional: node.optional, doc })
        break
      }
      case 'TSMethodSignature': {
        const name = fieldName(r, node.key, node.computed, scope) ?? '[]'
        const result = node.kind === 'get' ? node.returnType?.typeAnnotation : undefined
        if (result)
          fields.set(name, {
            type: thunkOf(r, result, scope),
            optional: false,
            doc: docAt(scope.module, node.start),
          })
        else if (node.kind !== 'set')
          refuse(node, name, `the method ${name} has no form in JSON`, `leave it out: Omit<T, '${name}'>`)
        break
      }
      case 'TSIndexSignature': {
        const parameter = node.parameters[0]?.typeAnnotation?.typeAnnotation
        const key = parameter && plain(thunkOf(r, parameter, scope)())
        const pattern = key?.kind === 'template' ? key.pattern : undefined
        if (key?.kind === 'refused' || parameter?.type === 'TSSymbolKeyword')
          refuse(node, '[]', 'a symbol is no name in JSON', 'write [name: string]')
        else index = { pattern, value: thunkOf(r, node.typeAnnotation.typeAnnotation, scope) }
        break
      }
      default:
        refuse(node, '()', 'a function has no form in JSON', 'write the fields alone')
    }
  }
  return { kind: 'record', fields, index }
}

/** The record of an interface: what it extends, and what each of its declarations says. */
export function interfaceOf(
  r: Reader,
  declarations: readonly Extract<Declaration, { kind: 'interface' }>[],
  scopes: readonly Scope[],
): Type {
  let all: RecordType = { kind: 'record', fields: new Map(), index: undefined }
  for (const [i, { node }] of declarations.entries()) {
    const scope = scopes[i]!
    for (const parent of node.extends) {
      const name = parent.expression
      if (name.type !== 'Identifier' && name.type !== 'MemberExpression') continue
      const base = plain(reference(r, dotted(name), parent.typeArguments?.params ?? [], scope, parent))
      if (base.kind === 'refused') return base
      // A name for a list: `interface Names extends Array<string> {}`, by which a list may hold itself.
      if (base.kind === 'array' && isAlone(declarations)) return base
      if (base.kind !== 'record')
        return refused(
          'T2102',
          'what is extended here is no record',
          'extend a record, or write the fields themselves',
          scope,
          parent,
        )
      all = merged(all, base)
    }
  }
  for (const [i, { node }] of declarations.entries())
    all = merged(all, recordOf(r, node.body.body, scopes[i]!))
  return all
}

/** Whether an interface says nothing but the one type that it extends. */
function isAlone(declarations: readonly Extract<Declaration, { kind: 'interface' }>[]): boolean {
  const [first] = declarations
  return declarations.length === 1 && first?.node.extends.length === 1 && first.node.body.body.length === 0
}

// What comes later says more precisely what comes before.
function merged(a: RecordType, b: RecordType): RecordType {
  return { kind: 'record', fields: new Map([...a.fields, ...b.fields]), index: b.index ?? a.index }
}

/** One record that has the fields which all members of a type have; nothing where a member is no record. */
export function viewOf(type: Type): RecordType | undefined {
  const members = membersOf(type).map(plain)
  const records = members.filter(each => each.kind === 'record')
  if (records.length < members.length || records.length === 0) return undefined
  return records.reduce((a, b) => intersectRecords(a, b, 'either'))
}

/** The name of a field; nothing for one that is computed and not known. */
export function fieldName(r: Reader, key: Key, computed: boolean, scope: Scope): string | undefined {
  if (key.type === 'Literal' && 'value' in key && key.value !== null) return String(key.value)
  if (!computed) return key.type === 'Identifier' ? key.name : undefined
  if (key.type !== 'Identifier') return undefined
  const value = literalNamed(r, key, scope)
  return value === undefined ? undefined : String(value)
}

// `A.B` of an extends clause is written as an expression.
function dotted(node: unknown): Parameters<typeof reference>[1] {
  const each = node as {
    type: string
    object?: unknown
    property?: { name: string }
    start: number
    end: number
  }
  if (each.type === 'Identifier') return each as never
  return {
    type: 'TSQualifiedName',
    left: dotted(each.object),
    right: each.property,
    start: each.start,
    end: each.end,
  } as never
}
