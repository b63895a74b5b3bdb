// Template literal types: all their texts where these are few, else a pattern.
import type { TSTemplateLiteralType } from 'oxc-parser'
import { thunkOf } from './evaluate.ts'
import { type Reader, refused } from './reader.ts'
import type { Scope } from './scope.ts'
import { literal, membersOf, plain, type Type, unionOf } from './types.ts'

const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?'
/** The most texts that are listed. */
const MOST = 200

export function templateOf(r: Reader, node: TSTemplateLiteralType, scope: Scope): Type {
  const parts: (readonly Type[])[] = []
  for (const [i, quasi] of node.quasis.entries()) {
    parts.push([literal(quasi.value.cooked ?? quasi.value.raw)])
    const hole = node.types[i]
    if (!hole) continue
    const members = membersOf(thunkOf(r, hole, scope)()).map(plain)
    for (const each of members) {
      if (each.kind === 'refused') return each
      if (!fits(each))
        return refused(
          'T2102',
          'this part of a template is no text',
          'write string, number or texts',
          scope,
          hole,
        )
    }
    parts.push(members)
  }
  const texts = listed(parts)
  if (texts) return unionOf(texts.map(literal))
  return { kind: 'template', pattern: `^${parts.map(alternatives).join('')}$` }
}

function fits(type: Type): boolean {
  return ['string', 'number', 'boolean', 'literal', 'template', 'null', 'undefined'].includes(type.kind)
}

function listed(parts: readonly (readonly Type[])[]): string[] | undefined {
  let texts = ['']
  for (const part of parts) {
    const values = part.flatMap(valuesOf)
    if (values.some(each => each === undefined) || texts.length * values.length > MOST) return undefined
    texts = texts.flatMap(text => values.map(value => text + value))
  }
  return texts
}

function valuesOf(type: Type): (string | undefined)[] {
  if (type.kind === 'literal') return [String(type.value)]
  if (type.kind === 'boolean') return ['true', 'false']
  return type.kind === 'null' || type.kind === 'undefined' ? [type.kind] : [undefined]
}

function alternatives(part: readonly Type[]): string {
  const patterns = part.map(patternOf)
  return patterns.length === 1 ? patterns[0]! : `(?:${patterns.join('|')})`
}

function patternOf(type: Type): string {
  if (type.kind === 'string') return '[\\s\\S]*'
  if (type.kind === 'number') return NUMBER
  if (type.kind === 'template') return `(?:${type.pattern.slice(1, -1)})`
  return valuesOf(type)
    .map(value => escaped(value ?? ''))
    .join('|')
    .replace(/^(.*\|.*)$/, '(?:$1)')
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
