// Reads a recipe: every fault of the document at once, or the plan that it is carried out by.
import { below, faults as collect, type Faults, kindOf, type RecipeFault, short } from './faults.ts'
import { inputFaults } from './inputs.ts'
import { choiceAt, type Fields, flagAt, isObject, listAt, objectAt } from './keys.ts'
import { readParams } from './params.ts'
import type { Param, Place, Plan, Ref, Remember, Source } from './plan.ts'
import { placeAt, refAt, type Scope } from './refs.ts'
import { METHODS } from './types.ts'
import { readUrl } from './url.ts'

const KEYS = ['kind', 'announce', 'announce_text', 'sources', 'output', 'about', '$schema']
const SOURCE_KEYS = ['method', 'url', 'for_each_of', 'params']
const OUTPUT_KEYS = ['fields', 'limit', 'remember']
const SOURCE_MENDS = {
  headers: 'headers are stated by the connection: connection(name, { headers })',
  auth: 'secrets are stated by the connection: connection(name, { auth })',
  body: 'write params: with POST, PUT, PATCH and DELETE they make the JSON body',
  query: 'write params: with GET they go into the address',
}

/** The plan of a document, or all its faults. Never throws. */
export function readRecipe(
  document: unknown,
): { ok: true; plan: Plan } | { ok: false; faults: RecipeFault[] } {
  const faults = collect()
  const plan = readDocument(document, faults)
  return plan && faults.all.length === 0 ? { ok: true, plan } : { ok: false, faults: [...faults.all] }
}

function readDocument(document: unknown, faults: Faults): Plan | undefined {
  const stated = objectAt(document, '', KEYS, faults, {
    name: 'the name is given where it is loaded: recipe(document, { name })',
    description: 'write about',
    connection: 'the connection is given where it is loaded: recipe(document, { connection })',
  })
  if (!stated) return undefined
  const kind = choiceAt(stated, 'kind', '', ['fetch', 'action'], faults)
  const announce = flagAt(stated, 'announce', '', false, faults)
  const announceText = stated['announce_text'] === '' ? undefined : textAt(stated, 'announce_text', faults)
  const about = textAt(stated, 'about', faults)
  textAt(stated, '$schema', faults)
  const sources = readSources(stated, faults)
  const output = readOutput(stated, sources.letters, faults)
  if (!kind || !output) return undefined
  return { kind, announce, announceText, about, sources: sources.read, ...output }
}

function textAt(stated: Fields, key: string, faults: Faults): string | undefined {
  const value = stated[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value.trim() !== '') return value
  faults.add(below('', key), 'T4004', `is ${kindOf(value)}`, 'write a text, or leave it out')
  return undefined
}

function readSources(stated: Fields, faults: Faults): { letters: string[]; read: Source[] } {
  const { sources } = stated
  if (!isObject(sources)) {
    if (sources === undefined) faults.add('', 'T4003', 'sources is missing', 'write "sources": { "a": … }')
    else faults.add('/sources', 'T4004', `is ${kindOf(sources)}`, 'write { "a": { "method": …, "url": … } }')
    return { letters: [], read: [] }
  }
  const letters = Object.keys(sources).sort()
  if (letters.length === 0) faults.add('/sources', 'T4005', 'is empty', 'write at least one source, "a"')
  letters.forEach((letter, i) => {
    const expected = String.fromCharCode(97 + i)
    if (letter === expected) return
    const at = below('/sources', letter)
    if (/^[a-z]$/.test(letter))
      faults.add(
        at,
        'T4005',
        `source ${expected} is missing before it`,
        'name the sources a, b, c … without a gap',
      )
    else faults.add(at, 'T4005', `${short(letter)} is no letter`, 'name the sources a, b, c …')
  })
  const read = letters.flatMap(
    (letter, i) => readSource(letter, sources[letter], letters.slice(0, i), faults) ?? [],
  )
  inputFaults(read, faults)
  return { letters, read }
}

function readSource(letter: string, raw: unknown, earlier: string[], faults: Faults): Source | undefined {
  const pointer = below('/sources', letter)
  const stated = objectAt(raw, pointer, SOURCE_KEYS, faults, SOURCE_MENDS)
  if (!stated) return undefined
  const method = choiceAt(stated, 'method', pointer, METHODS, faults)
  if (stated['url'] === undefined) faults.add(pointer, 'T4003', 'url is missing', 'write a path: "/slots"')
  const url = stated['url'] === undefined ? undefined : readUrl(stated['url'], below(pointer, 'url'), faults)
  const each = eachOf(stated, pointer, earlier, faults)
  const list = listAt(stated, 'params', pointer, faults) ?? []
  const names = list.flatMap(one => (isObject(one) && typeof one['name'] === 'string' ? [one['name']] : []))
  const scope: Scope = { params: names, earlier, each: each?.source }
  const place = { scope, placeholders: url?.names ?? [], method, inside: false }
  const params = readParams(list, below(pointer, 'params'), place, faults)
  const refs = new Map<string, Ref>()
  for (const name of new Set(url?.names)) {
    const ref = refAt(name, below(pointer, 'url'), scope, faults)
    if (ref) refs.set(name, ref)
  }
  if (!method || !url) return undefined
  return { letter, method, path: url.path, query: url.query, params: inPath(params, url.path), refs, each }
}

// Without a value for a placeholder of the path there is no address, so it is required whatever is stated.
function inPath(params: readonly Param[], path: Source['path']): Param[] {
  const names = path.flatMap(part => (typeof part === 'string' ? [] : [part.name]))
  return params.map(param => (names.includes(param.name) ? { ...param, required: true } : param))
}

function eachOf(stated: Fields, pointer: string, earlier: string[], faults: Faults): Place | undefined {
  const value = stated['for_each_of']
  if (value === undefined || value === null || value === '') return undefined
  const at = below(pointer, 'for_each_of')
  if (typeof value === 'string' && earlier.includes(value)) return { source: value, keys: [] }
  const place = placeAt(value, at, earlier, faults)
  if (place && !(value as string).startsWith(`${place.source}.`)) {
    faults.add(
      at,
      'T4010',
      `${short(value as string)} names no earlier source`,
      earlier.length === 0
        ? 'the first source cannot loop'
        : `write one of ${earlier.join(', ')}, or a path: "${earlier[0]}.results"`,
    )
    return undefined
  }
  return place
}

function readOutput(
  stated: Fields,
  letters: string[],
  faults: Faults,
): Pick<Plan, 'fields' | 'limit' | 'remember'> | undefined {
  if (stated['output'] === undefined) {
    faults.add('', 'T4003', 'output is missing', 'write "output": { "fields": [] }')
    return undefined
  }
  const output = objectAt(stated['output'], '/output', OUTPUT_KEYS, faults)
  if (!output) return undefined
  const fields = (listAt(output, 'fields', '/output', faults, true) ?? []).flatMap(
    (path, i) => placeAt(path, below('/output/fields', i), letters, faults) ?? [],
  )
  const limit = output['limit'] ?? null
  if (limit !== null && !(Number.isSafeInteger(limit) && (limit as number) > 0))
    faults.add(
      '/output/limit',
      'T4004',
      `is ${kindOf(limit)}`,
      'write a whole number above 0, or null for all',
    )
  const remember = (listAt(output, 'remember', '/output', faults) ?? []).flatMap(
    (one, i) => rememberAt(one, below('/output/remember', i), letters, faults) ?? [],
  )
  return { fields, limit: limit as number | null, remember }
}

function rememberAt(one: unknown, pointer: string, letters: string[], faults: Faults): Remember | undefined {
  if (typeof one === 'string') {
    const place = placeAt(one, pointer, letters, faults)
    return place && { ...place, as: one }
  }
  const stated = objectAt(one, pointer, ['path', 'as'], faults)
  if (!stated) return undefined
  const place = placeAt(stated['path'], below(pointer, 'path'), letters, faults)
  const { as } = stated
  if (typeof as === 'string' && as.trim() !== '') return place && { ...place, as }
  faults.add(below(pointer, 'as'), 'T4004', `is ${kindOf(as)}`, 'write the name to remember it by')
  return undefined
}
