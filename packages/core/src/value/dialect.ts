// What a provider takes of a tool's schema. Inside there is one full schema, by which arguments are always read; a
// dialect is only what a model is told, so it may say less, and says the rest in descriptions.

import type { JsonSchema } from '../define/records.ts'
import { gemini } from './dialects/gemini.ts'
import { anthropic, openai, plain } from './dialects/loose.ts'
import { type Note, withNotes, wordsFor } from './dialects/notes.ts'
import { fitsStrict, strict } from './dialects/openai.ts'
import { type Root, rootRecord } from './dialects/root.ts'
import { type Takes, tell } from './dialects/tell.ts'
import { type Tree, treeOf, Untellable, type Whole } from './dialects/tree.ts'

/** Whose dialect: 'plain' is that of servers that are compatible with OpenAI's API. */
export type Provider = 'openai' | 'anthropic' | 'gemini' | 'plain'

/** A schema as a provider takes it, or why it cannot be told; the reason follows the words "its input". */
export type Dialect =
  | {
      schema: { [keyword: string]: unknown }
      /**
       * The provider may hold the model to it (OpenAI's `strict: true`): each value of the full schema can be given,
       * with null for a field that is left out, which reading takes as absent.
       */
      strict: boolean
      /** What moved into descriptions, a line each: `place: note`; of the input itself without a place. */
      notes: string[]
      refused?: undefined
    }
  | { refused: string }

/** A dialect with its notes as they are. */
export type Told = { schema: Tree; strict: boolean; notes: readonly Note[] } | { refused: string }

const known = new WeakMap<object, Map<Provider, Told>>()

/**
 * The schema of a tool's input in the dialect of `provider`. The same for the same schema, kept by its object; the
 * schema itself is not changed. Never throws.
 */
export function dialect(schema: JsonSchema, provider: Provider): Dialect {
  const made = dialectOf(schema, provider)
  if ('refused' in made) return made
  const notes = made.notes.map(({ place, text }) => (place === '' ? text : `${place}: ${text}`))
  return { schema: made.schema, strict: made.strict, notes }
}

/** {@link dialect} with its notes as they are. */
export function dialectOf(schema: JsonSchema, provider: Provider): Told {
  if (typeof schema !== 'object') return make(schema, provider)
  let all = known.get(schema)
  if (all === undefined) {
    all = new Map()
    known.set(schema, all)
  }
  let made = all.get(provider)
  if (made === undefined) {
    made = make(schema, provider)
    all.set(provider, made)
  }
  return made
}

function make(schema: JsonSchema, provider: Provider): Told {
  try {
    const whole = treeOf(schema)
    const root = rootRecord(whole.root, whole.defs)
    if (root === undefined) return { refused: 'is no record' }
    if (provider === 'openai' && root.shapes.length > 1) {
      // Closed, it would be strict, and a model would have to give null for the fields of the other shapes.
      delete root.record['additionalProperties']
      delete root.record['unevaluatedProperties']
    } else if (provider === 'openai') {
      const made = toldBy(strict, root, whole)
      if (!made.lost && fitsStrict(made.schema))
        return { schema: made.schema, strict: true, notes: made.notes }
    }
    const { schema: told, notes } = toldBy(loose[provider], root, whole)
    const name = provider === 'anthropic' ? Object.keys(told['properties'] as Tree).find(isNoKey) : undefined
    if (name !== undefined)
      return { refused: `has the field ${JSON.stringify(name)}, a name that is not taken there` }
    return { schema: told, strict: false, notes }
  } catch (error) {
    if (error instanceof Untellable) return { refused: error.message }
    // The engine's own stack can end first where a schema is nested deeply.
    if (error instanceof RangeError) return { refused: 'has a schema that is nested too deeply' }
    throw error
  }
}

const loose: Readonly<Record<Provider, Takes>> = { openai, anthropic, gemini, plain }

const isNoKey = (name: string) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)

function toldBy(takes: Takes, { record, shapes }: Root, { defs }: Whole): ReturnType<typeof tell> {
  const said: string[] = []
  const rest: Tree = {}
  for (const [keyword, value] of Object.entries(record)) {
    if (notAtRoot.has(keyword)) said.push(wordsFor(keyword, value))
    else rest[keyword] = value
  }
  const choices = [...new Set(shapes)]
  if (choices.length > 1) said.push(`give the fields of one of these: ${choices.join(' | ')}`)
  const texts = said.filter(text => text !== '')
  const description = withNotes(rest['description'], texts)
  const made = tell({ ...rest, ...(description !== undefined && { description }) }, defs, takes)
  return { ...made, notes: [...texts.map(text => ({ place: '', text })), ...made.notes] }
}

/** What no provider takes at the root; unions are opened there already. */
const notAtRoot = new Set(['not', 'enum', 'const', 'nullable'])
