// `toolwright recipe import openapi.json`: a draft of a recipe for each operation of an OpenAPI document.
import { ToolwrightError } from '@toolwright/core'
import { isObject } from '../document/keys.ts'
import { readRecipe } from '../document/read.ts'
import type { Method, ParamDocument, RecipeDocument } from '../document/types.ts'
import { deref, fieldsOfSchema, type Node, nameOf, outputOf, paramOf, typeOf, whole } from './openapi.ts'

/** A draft of a recipe. A person prunes `output.fields`, and gives it a connection. */
export interface Draft {
  /** The name of its file and its tool. */
  name: string
  /** The operation: `GET /pets/{id}`. */
  operation: string
  document: RecipeDocument
  /** What was left out of it, for a person to look at. */
  notes: string[]
}

export interface Imported {
  drafts: Draft[]
  /** Operations that recipes cannot express, each with why. */
  skipped: { operation: string; why: string }[]
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete']
const OTHER_VERBS = ['head', 'options', 'trace', 'query']

/**
 * Drafts of recipes for the operations of an OpenAPI document (2.0, 3.0, 3.1), parsed. `only` names the operationIds to
 * take. Remote references are never loaded. Throws `T4016` where it is no such document.
 */
export function importOpenApi(document: unknown, options: { only?: readonly string[] } = {}): Imported {
  if (!isObject(document) || !isVersion(document))
    throw new ToolwrightError('T4016', 'this is no OpenAPI document of version 2.0, 3.0 or 3.1', {
      fix: 'give the parsed document, an object with openapi or swagger and paths',
    })
  const result: Imported = { drafts: [], skipped: [] }
  const names = new Set<string>()
  const paths = isObject(document['paths']) ? document['paths'] : {}
  for (const [path, stated] of Object.entries(paths)) {
    const item = deref(document, stated)
    if (!item) continue
    for (const verb of [...VERBS, ...OTHER_VERBS]) {
      const operation = deref(document, item[verb])
      if (!operation) continue
      if (options.only && !options.only.includes(String(operation['operationId']))) continue
      const label = `${verb.toUpperCase()} ${path}`
      const notes: string[] = []
      const made = OTHER_VERBS.includes(verb)
        ? `recipes have no method ${verb.toUpperCase()}`
        : draft(document, path, verb, item, operation, notes)
      if (typeof made === 'string') {
        result.skipped.push({ operation: label, why: made })
        continue
      }
      const read = readRecipe(made)
      if (!read.ok)
        result.skipped.push({
          operation: label,
          why: read.faults.map(({ pointer, problem }) => `${pointer}: ${problem}`).join('; '),
        })
      else
        result.drafts.push({
          name: unused(nameFor(operation, verb, path), names),
          operation: label,
          document: made,
          notes,
        })
    }
  }
  return result
}

function isVersion({ openapi, swagger }: Node): boolean {
  return swagger === '2.0' || (typeof openapi === 'string' && /^3\.[01](?:\.|$)/.test(openapi))
}

function nameFor({ operationId }: Node, verb: string, path: string): string {
  const from = typeof operationId === 'string' && operationId.trim() !== '' ? operationId : `${verb}_${path}`
  return (
    from
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60) || verb
  )
}

function unused(name: string, names: Set<string>): string {
  let free = name
  for (let n = 2; names.has(free); n++) free = `${name}_${n}`
  names.add(free)
  return free
}

/** The recipe of one operation, or why there can be none. */
function draft(
  root: Node,
  path: string,
  verb: string,
  item: Node,
  operation: Node,
  notes: string[],
): RecipeDocument | string {
  const params = paramsOf(root, item, operation, verb, notes)
  if (typeof params === 'string') return params
  const body = bodyOf(root, operation, verb, notes)
  if (typeof body === 'string') return body
  for (const field of body) {
    if (!params.some(({ name }) => name === field.name)) params.push(field)
    else if (field.required) return `${field.name}: stands in the address and in the body`
    else notes.push(`left out: ${field.name}: stands in the address too`)
  }
  const url = urlOf(path, params, verb === 'get' ? [] : queryNames(operation, item, root))
  if (url === undefined) return 'its path names a parameter that is not declared'
  const about = [operation['summary'], operation['description']].find(
    one => typeof one === 'string' && one.trim() !== '',
  )
  return {
    about: ((about as string | undefined) ?? `${verb.toUpperCase()} ${path}`).trim().slice(0, 400),
    kind: verb === 'get' ? 'fetch' : 'action',
    sources: { a: { method: verb.toUpperCase() as Method, url, params } },
    output: { fields: fieldsOf(root, operation), limit: null, remember: [] },
  }
}

/** The names of the query's parameters: beside GET they stand as placeholders in the url. */
function queryNames(operation: Node, item: Node, root: Node): string[] {
  return [item['parameters'], operation['parameters']]
    .flatMap(list => (Array.isArray(list) ? list : []))
    .map(one => deref(root, one))
    .flatMap(param => (param?.['in'] === 'query' ? (nameOf(String(param['name'])) ?? []) : []))
}

function urlOf(path: string, params: readonly ParamDocument[], query: readonly string[]): string | undefined {
  let known = true
  const url = path.split('#')[0]!.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const written = nameOf(name)
    known &&= written !== undefined && params.some(param => param.name === written)
    return `{{${written}}}`
  })
  if (!known) return undefined
  const pairs = params.flatMap(({ name }) =>
    query.includes(name) ? `${encodeURIComponent(name.replaceAll('\\.', '.'))}={{${name}}}` : [],
  )
  return pairs.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${[...new Set(pairs)].join('&')}`
}

function paramsOf(
  root: Node,
  item: Node,
  operation: Node,
  verb: string,
  notes: string[],
): ParamDocument[] | string {
  const stated = [item['parameters'], operation['parameters']].flatMap(list =>
    Array.isArray(list) ? list : [],
  )
  const byPlace = new Map<string, Node>()
  for (const one of stated) {
    const param = deref(root, one)
    if (!param) return 'a parameter is remote or missing'
    byPlace.set(`${param['in']} ${param['name']}`, param)
  }
  const params: ParamDocument[] = []
  for (const param of byPlace.values()) {
    const { in: place, name } = param
    if (place === 'body' || place === 'formData') continue
    const required = place === 'path' || param['required'] === true
    const made =
      place === 'path' || place === 'query' ? oneParam(root, param, required, verb, notes) : elsewhere(param)
    if (typeof made !== 'string') {
      if (!params.some(other => other.name === made.name)) params.push(made)
      else if (required) return `${name}: is there twice`
    } else if (required) return made
    else notes.push(`left out: ${made}`)
  }
  return params
}

function elsewhere({ in: place, name }: Node): string {
  return `${name}: is a ${String(place)}, which the connection states`
}

function oneParam(
  root: Node,
  param: Node,
  required: boolean,
  verb: string,
  notes: string[],
): ParamDocument | string {
  const name = nameOf(String(param['name']))
  if (name === undefined) return `${String(param['name'])}: no parameter can be called so`
  const content = isObject(param['content']) ? Object.values(param['content'])[0] : undefined
  if (content !== undefined) return `${name}: is JSON inside of an address`
  // In 2.0 the schema is the parameter itself.
  const { required: _, description, ...rest } = param
  const schema = param['schema'] ?? rest
  const made = paramOf(root, name, schema, { required, about: description }, notes)
  if (typeof made === 'string') return made
  const bare =
    verb === 'get' &&
    made.type === 'array' &&
    made.fields?.length === 1 &&
    made.fields[0]!.name === '' &&
    param['in'] === 'query'
  return made.fields && !bare ? `${name}: is an ${made.type}, which an address cannot hold` : made
}

/** The fields of the JSON body, or why there can be none. */
function bodyOf(root: Node, operation: Node, verb: string, notes: string[]): ParamDocument[] | string {
  const old = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).map(
    one => deref(root, one) ?? {},
  )
  if (old.some(one => one['in'] === 'formData')) return 'its body is a form, not JSON'
  const body = deref(root, operation['requestBody'])
  const inBody = old.find(one => one['in'] === 'body')
  if (!body && !inBody) return []
  const required = (body ?? inBody!)['required'] === true
  const schema = body ? jsonSchemaOf(body) : inBody!['schema']
  const made =
    verb === 'get'
      ? 'a GET has no body'
      : schema === undefined
        ? 'its body is not JSON'
        : fieldsOfBody(root, schema, notes)
  if (typeof made !== 'string') return made
  if (required || verb !== 'get') return made
  notes.push(`left out: the body: ${made}`)
  return []
}

function fieldsOfBody(root: Node, schema: unknown, notes: string[]): ParamDocument[] | string {
  const joined = whole(root, schema)
  if (!joined) return 'the schema of its body is remote, missing or without end'
  const type = typeOf(joined)
  if (type !== 'object')
    return type
      ? `its body is no object but ${type === 'array' ? 'a list' : `a ${type}`}`
      : 'the schema of its body has no single type'
  return fieldsOfSchema(root, joined, '', notes)
}

function jsonSchemaOf(body: Node): unknown {
  const content = isObject(body['content']) ? body['content'] : {}
  const type = Object.keys(content).find(one => /^(?:application\/(?:[\w.+-]+\+)?json|\*\/\*)/i.test(one))
  const media = type === undefined ? undefined : content[type]
  return isObject(media) ? media['schema'] : undefined
}

/** The fields of the first answer that is a success. */
function fieldsOf(root: Node, operation: Node): string[] {
  const responses = isObject(operation['responses']) ? operation['responses'] : {}
  const status = Object.keys(responses).find(one => /^2/.test(one)) ?? 'default'
  const response = deref(root, responses[status])
  if (!response) return []
  return outputOf(root, response['schema'] ?? jsonSchemaOf(response))
}
