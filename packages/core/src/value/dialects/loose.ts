// Providers that take JSON Schema nearly as it is.

import type { Takes } from './tell.ts'
import type { Tree } from './tree.ts'

/** Every keyword that says something to a model. */
const keywords = new Set(
  (
    'type enum const title default examples deprecated readOnly writeOnly format contentEncoding contentMediaType ' +
    'pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf properties required ' +
    'additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired ' +
    'dependentSchemas unevaluatedProperties items prefixItems contains minContains maxContains minItems maxItems ' +
    'uniqueItems unevaluatedItems anyOf oneOf allOf not if then else'
  ).split(' '),
)

/** OpenAI's functions that are not strict. A list without `items` is refused there, and taken by nobody amiss. */
export const openai: Takes = { keywords, refs: 'all', finish: withItems }

/** Compatible servers: many show a model only what stands in its place, so a reference stays only where it must. */
export const plain: Takes = { keywords, refs: 'recursive', finish: withItems }

/** Anthropic's tools: some servers that speak its API refuse references. */
export const anthropic: Takes = { keywords, refs: 'none', finish: withItems }

function withItems(told: Tree): Tree {
  const list = [told['type'] ?? []].flat().includes('array')
  return list && told['items'] === undefined ? { ...told, items: {} } : told
}
