// Doc comments as keywords: the text is the description, and some tags say more.
import type { TypeFault } from '../faults.ts'
import { placeOf } from '../faults.ts'
import type { Doc, Tag } from '../read/doc.ts'
import type { Schema, Writing } from './schema.ts'

type Kind = 'number' | 'string' | 'array'

/** What a tag becomes: the kind of values it speaks of, and how its text is read. */
const KEYWORDS: Readonly<Record<string, { of: Kind; as: 'number' | 'count' | 'text' }>> = {
  minimum: { of: 'number', as: 'number' },
  maximum: { of: 'number', as: 'number' },
  exclusiveMinimum: { of: 'number', as: 'number' },
  exclusiveMaximum: { of: 'number', as: 'number' },
  multipleOf: { of: 'number', as: 'number' },
  pattern: { of: 'string', as: 'text' },
  format: { of: 'string', as: 'text' },
  minLength: { of: 'string', as: 'count' },
  maxLength: { of: 'string', as: 'count' },
  minItems: { of: 'array', as: 'count' },
  maxItems: { of: 'array', as: 'count' },
}

/** Whether a doc comment says more than a text. */
export function hasKeywords(doc: Doc): boolean {
  return doc.tags.some(tag => Object.hasOwn(KEYWORDS, tag.name) || tag.name === 'integer')
}

/** Whether numbers are whole here. */
export function isInteger(doc: Doc): boolean {
  return doc.tags.some(
    tag => tag.name === 'integer' || (tag.name === 'type' && /^\{?(integer|int)\}?$/.test(tag.text)),
  )
}

/** `schema` with what a doc comment says. */
export function describe(w: Writing, schema: Schema, doc: Doc): Schema {
  if (doc.text === '' && doc.tags.length === 0) return schema
  const out: Schema = { ...schema }
  if (doc.text !== '') out['description'] = doc.text
  const kinds = kindsOf(w, schema)
  for (const tag of doc.tags) {
    const known = Object.hasOwn(KEYWORDS, tag.name) ? KEYWORDS[tag.name] : undefined
    if (known) {
      const value = readAs(tag.text, known.as)
      const wrong =
        value === undefined
          ? `@${tag.name} ${tag.text} is no ${known.as}`
          : known.of === 'string' && tag.name === 'pattern' && !isPattern(tag.text)
            ? `@pattern ${tag.text} is no regular expression`
            : undefined
      if (wrong) w.faults.push(tagFault(w, 'T2107', doc, tag, wrong, 'mend what stands behind the tag'))
      else if (kinds && !kinds.has(known.of) && !(known.of === 'number' && kinds.has('integer')))
        w.faults.push(
          tagFault(
            w,
            'T2107',
            doc,
            tag,
            `@${tag.name} says nothing of this type`,
            `it speaks of ${words[known.of]}`,
          ),
        )
      else out[tag.name] = value
    } else if (tag.name === 'integer') {
      if (kinds && !kinds.has('number') && !kinds.has('integer'))
        w.faults.push(
          tagFault(w, 'T2107', doc, tag, '@integer says nothing of this type', 'it speaks of numbers'),
        )
      else if (out['type'] === undefined && out['anyOf'] === undefined) out['type'] = 'integer'
    } else if (tag.name === 'default' || tag.name === 'defaultValue') {
      const value = defaultOf(tag.text, kinds)
      if (value === undefined)
        w.faults.push(
          tagFault(w, 'T2107', doc, tag, '@default says no value', 'write it as JSON: @default 10'),
        )
      else out['default'] = value
    } else if (tag.name === 'deprecated') {
      out['deprecated'] = true
      if (tag.text !== '' && doc.text === '') out['description'] = `Deprecated: ${tag.text}`
    }
  }
  return out
}

const words: Readonly<Record<Kind, string>> = { number: 'numbers', string: 'texts', array: 'lists' }

/** The kinds that a schema takes; nothing where that is not plain to see. */
function kindsOf(w: Writing, schema: Schema): Set<unknown> | undefined {
  const { type, anyOf, $ref } = schema
  if (typeof $ref === 'string') {
    const def = [...w.defs.values()].find(each => $ref.endsWith(`/${each.name}`))
    return def?.schema && kindsOf(w, def.schema)
  }
  if (Array.isArray(anyOf)) {
    const each = anyOf.map(one => kindsOf(w, one as Schema))
    return each.includes(undefined) ? undefined : new Set(each.flatMap(one => [...one!]))
  }
  return type === undefined ? undefined : new Set(Array.isArray(type) ? type : [type])
}

function readAs(text: string, as: 'number' | 'count' | 'text'): unknown {
  if (as === 'text') return text === '' ? undefined : text.replace(/^`(.*)`$/, '$1')
  const value = text.trim() === '' ? Number.NaN : Number(text.replaceAll('_', ''))
  if (!Number.isFinite(value)) return undefined
  return as === 'count' && (!Number.isInteger(value) || value < 0) ? undefined : value
}

// A default is JSON; what is no JSON is a text where a text may stand.
function defaultOf(text: string, kinds: Set<unknown> | undefined): unknown {
  const said = text.replace(/^`(.*)`$/, '$1')
  if (said === '') return undefined
  const quoted = /^'((?:[^'\\]|\\.)*)'$/.exec(said)
  if (quoted) return quoted[1]!.replace(/\\(.)/g, '$1')
  try {
    const value: unknown = JSON.parse(said)
    if (!kinds?.has('string') || kinds.size > 1 || typeof value === 'string') return value
  } catch {
    // It is no JSON.
  }
  return !kinds || kinds.has('string') ? said : undefined
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text.replace(/^`(.*)`$/, '$1'), 'u')
    return true
  } catch {
    return false
  }
}

function tagFault(w: Writing, code: string, doc: Doc, tag: Tag, problem: string, fix: string): TypeFault {
  const source = w.reader.modules.get(doc.path)?.source ?? ''
  return { code, problem, fix, at: placeOf(doc.path, source, tag.start, tag.end) }
}
