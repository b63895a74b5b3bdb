// The metaschemas of the two drafts, for references to them and to check the schemas that are handed in. That of
// 2020-12 is written as one schema instead of eight vocabularies; it accepts the same schemas.

import type { JsonSchema } from '../define/records.ts'

export const DRAFT_7 = 'http://json-schema.org/draft-07/schema'
export const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'

type Keywords = { [keyword: string]: JsonSchema }

const texts = { type: 'array', items: { type: 'string' }, uniqueItems: true }
const natural = { type: 'integer', minimum: 0 }
const types = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }

/** The keywords that both drafts have, `one` being the reference to a schema. */
function common(one: JsonSchema): Keywords {
  const list = { type: 'array', minItems: 1, items: one }
  const map = { type: 'object', additionalProperties: one }
  return {
    $schema: { type: 'string', format: 'uri' },
    $ref: { type: 'string', format: 'uri-reference' },
    $comment: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    readOnly: { type: 'boolean' },
    writeOnly: { type: 'boolean' },
    examples: { type: 'array' },
    type: { anyOf: [types, { type: 'array', items: types, minItems: 1, uniqueItems: true }] },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    maximum: { type: 'number' },
    exclusiveMaximum: { type: 'number' },
    minimum: { type: 'number' },
    exclusiveMinimum: { type: 'number' },
    maxLength: natural,
    minLength: natural,
    pattern: { type: 'string', format: 'regex' },
    maxItems: natural,
    minItems: natural,
    uniqueItems: { type: 'boolean' },
    contains: one,
    maxProperties: natural,
    minProperties: natural,
    required: texts,
    additionalProperties: one,
    properties: map,
    patternProperties: { ...map, propertyNames: { format: 'regex' } },
    propertyNames: one,
    enum: { type: 'array' },
    format: { type: 'string' },
    contentMediaType: { type: 'string' },
    contentEncoding: { type: 'string' },
    if: one,
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    then: one,
    else: one,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: one,
    definitions: map,
    dependencies: { type: 'object', additionalProperties: { anyOf: [one, texts] } },
  }
}

const self7 = { $ref: '#' }
const self2020 = { $dynamicRef: '#meta' }
const schemas2020 = { type: 'object', additionalProperties: self2020 }
const name = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' }

const draft7: JsonSchema = {
  $schema: `${DRAFT_7}#`,
  $id: `${DRAFT_7}#`,
  type: ['object', 'boolean'],
  properties: {
    ...common(self7),
    $id: { type: 'string', format: 'uri-reference' },
    items: { anyOf: [self7, { type: 'array', minItems: 1, items: self7 }] },
    additionalItems: self7,
  },
}

const draft2020: JsonSchema = {
  $schema: DRAFT_2020,
  $id: DRAFT_2020,
  $dynamicAnchor: 'meta',
  type: ['object', 'boolean'],
  properties: {
    ...common(self2020),
    $id: { type: 'string', format: 'uri-reference', pattern: '^[^#]*#?$' },
    $anchor: name,
    $dynamicAnchor: name,
    $dynamicRef: { type: 'string', format: 'uri-reference' },
    $vocabulary: { type: 'object', additionalProperties: { type: 'boolean' } },
    $defs: schemas2020,
    deprecated: { type: 'boolean' },
    prefixItems: { type: 'array', minItems: 1, items: self2020 },
    items: self2020,
    minContains: natural,
    maxContains: natural,
    unevaluatedItems: self2020,
    unevaluatedProperties: self2020,
    dependentSchemas: schemas2020,
    dependentRequired: { type: 'object', additionalProperties: texts },
    contentSchema: self2020,
  },
}

/** The metaschema of this URI, or undefined where it is none of the two. */
export function metaschemaOf(uri: string): JsonSchema | undefined {
  if (uri === DRAFT_7) return draft7
  if (uri === DRAFT_2020) return draft2020
  return undefined
}
