import { readFileSync } from 'node:fs'
import { check } from '@toolwright/core/values'
import { describe, expect, it } from 'vitest'
import { readRecipe } from './read.ts'

const good = () => ({
  kind: 'action',
  announce: true,
  announce_text: 'One moment.',
  sources: {
    a: { method: 'GET', url: '/guests/{{guest}}', params: [param({ name: 'guest' })] },
    b: {
      method: 'POST',
      url: '/bookings',
      for_each_of: 'a.rooms',
      params: [
        param({ name: 'room', from: 'fixed', value: '{{item.id}}' }),
        param({ name: 'person.name' }),
        param({ name: 'items', type: 'array', fields: [param({ name: '' })] }),
      ],
    },
  },
  output: { fields: ['id', 'a.name'], limit: 5, remember: ['id', { path: 'a.id', as: 'guest' }] },
})

function param(stated: object) {
  return { from: 'llm', name: 'x', value: 'What is meant', type: 'string', ...stated }
}

// biome-ignore lint/suspicious/noExplicitAny: a document that is about to be wrong has no type
type Doc = Record<string, any>
type Change = (doc: Doc) => void

const one =
  (stated: object): Change =>
  doc => {
    doc['sources'].a.params.push(param(stated))
  }
const inB =
  (stated: object): Change =>
  doc => {
    doc['sources'].b.params.push(param(stated))
  }
const url =
  (text: unknown): Change =>
  doc => {
    doc['sources'].a.url = text
    doc['sources'].a.params = [param({ name: 'guest' })]
  }

/** One change of a good document each, and the faults it must give. */
const changes: Record<string, Change> = {
  'no kind': doc => delete doc['kind'],
  'another kind': doc => (doc['kind'] = 'read'),
  'announce is a text': doc => (doc['announce'] = 'yes'),
  'announce_text is a number': doc => (doc['announce_text'] = 5),
  'about is no text': doc => (doc['about'] = []),
  'an unknown key': doc => (doc['source'] = {}),
  'a key with other letters': doc => (doc['announceText'] = 'x'),
  'a name in the document': doc => (doc['name'] = 'x'),
  'a connection in the document': doc => (doc['connection'] = 'x'),
  'no sources': doc => delete doc['sources'],
  'sources is a list': doc => (doc['sources'] = []),
  'sources is empty': doc => (doc['sources'] = {}),
  'a letter is left out': doc => ((doc['sources'].d = doc['sources'].b), delete doc['sources'].b),
  'a source with a word': doc => (doc['sources'].first = doc['sources'].a),
  'a source is null': doc => (doc['sources'].a = null),
  'headers in a source': doc => (doc['sources'].a.headers = { cookie: 'x' }),
  'auth in a source': doc => (doc['sources'].a.auth = 'x'),
  'a body in a source': doc => (doc['sources'].b.body = {}),
  'no method': doc => delete doc['sources'].a.method,
  'a method in small letters': doc => (doc['sources'].a.method = 'get'),
  'no url': doc => delete doc['sources'].a.url,
  'url is a number': url(7),
  'url is empty': url(''),
  'url has a scheme': url('https://evil.example/x'),
  'url has a placeholder for the scheme': url('{{guest}}://x'),
  'url has two slashes': url('//evil.example/{{guest}}'),
  'url has a backslash': url('/a\\{{guest}}'),
  'url has a fragment': url('/a#{{guest}}'),
  'url has a space': url('/a b/{{guest}}'),
  'url has dots': url('/../admin/{{guest}}'),
  'url has encoded dots': url('/%2e%2E/{{guest}}'),
  'url has a broken code': url('/100%/{{guest}}'),
  'url has an open placeholder': url('/{{guest}}/{{guest'),
  'url names an unknown placeholder': url('/{{guest}}/{{gust}}'),
  'url reads a later source': url('/{{guest}}/{{b.id}}'),
  'url reads an entry without a loop': url('/{{guest}}/{{item.id}}'),
  'url has an empty placeholder': url('/{{guest}}/{{}}'),
  'a loop over itself': doc => (doc['sources'].a.for_each_of = 'a'),
  'a loop over a later source': doc => (doc['sources'].a.for_each_of = 'b.results'),
  'a loop over nothing that is there': doc => (doc['sources'].b.for_each_of = 'rooms'),
  'a loop with a broken path': doc => (doc['sources'].b.for_each_of = 'a..rooms'),
  'params is an object': doc => (doc['sources'].a.params = {}),
  'a parameter is a text': doc => (doc['sources'].b.params[0] = 'room'),
  'a parameter of another origin': inB({ from: 'model' }),
  'a parameter of another type': inB({ type: 'date' }),
  'a parameter without a name': inB({ name: undefined }),
  'a parameter whose name is a number': inB({ name: 5 }),
  'a parameter whose name is empty': inB({ name: '' }),
  'a parameter with a description': inB({ description: 'x' }),
  'a parameter with an enum': inB({ enum: ['x'] }),
  'a name with an empty part': inB({ name: 'a..b' }),
  'a name of the language': inB({ name: '__proto__.x' }),
  'a name of the language, deep': inB({ name: 'a.constructor' }),
  'a name twice': inB({ name: 'room' }),
  'a value and an object of one name': inB({ name: 'person' }),
  'an object under a value': inB({ name: 'room.id' }),
  'a list and an object of one name': doc => (inB({ name: 'rows.0.x' })(doc), inB({ name: 'rows.x' })(doc)),
  'a list with a gap': doc => (inB({ name: 'rows.0' })(doc), inB({ name: 'rows.2' })(doc)),
  'a list that begins at 1': inB({ name: 'rows.1' }),
  'llm without a value': inB({ value: undefined }),
  'llm with an empty value': inB({ value: ' ' }),
  'fixed without a value': inB({ from: 'fixed', value: undefined }),
  'fixed with null': inB({ from: 'fixed', value: null }),
  'fixed of another type': inB({ from: 'fixed', value: 'seven', type: 'integer' }),
  'fixed with a value that is not allowed': inB({ from: 'fixed', value: 'c', values: ['a', 'b'] }),
  'fixed that reads nothing': inB({ from: 'fixed', value: 'for {{c.id}}' }),
  'variable without a name': inB({ from: 'variable', value: undefined }),
  'variable with a number': inB({ from: 'variable', value: 5 }),
  'required is a text': inB({ required: 'yes' }),
  'values is no list': inB({ values: 'a' }),
  'values of another type': inB({ values: ['1', 2], type: 'integer' }),
  'an object without fields': inB({ type: 'object' }),
  'an array without fields': inB({ type: 'array' }),
  'a text with fields': inB({ fields: [param({})] }),
  'fields is empty': inB({ type: 'object', fields: [] }),
  'about is empty': doc => (doc['about'] = ' '),
  'fields is no list': inB({ type: 'object', fields: {} }),
  'a fault in a field': inB({ type: 'object', fields: [param({ type: 'object' })] }),
  'a field of an object without a name': inB({ type: 'object', fields: [param({ name: '' })] }),
  'fields with and without names': inB({
    type: 'array',
    fields: [param({ name: '' }), param({ name: 'y' })],
  }),
  'a list of which nothing says how long': inB({
    type: 'array',
    fields: [param({ from: 'fixed', value: 'z' })],
  }),
  'value and fields': inB({ from: 'fixed', type: 'object', value: {}, fields: [param({})] }),
  'an object in the address of a GET': one({ type: 'object', fields: [param({})] }),
  'a list of objects in the address of a GET': one({ type: 'array', fields: [param({ name: 'y' })] }),
  'an object as a placeholder': doc =>
    (doc['sources'].a.params = [param({ name: 'guest', type: 'object', fields: [param({})] })]),
  'the same input with another type': inB({ name: 'ref', type: 'integer' }),
  'no output': doc => delete doc['output'],
  'output is a list': doc => (doc['output'] = []),
  'no fields': doc => delete doc['output'].fields,
  'fields is a text': doc => (doc['output'].fields = 'id'),
  'a field that is a number': doc => (doc['output'].fields = [5]),
  'a field with an empty part': doc => (doc['output'].fields = ['a.']),
  'limit is 0': doc => (doc['output'].limit = 0),
  'limit is a text': doc => (doc['output'].limit = '5'),
  'remember is a text': doc => (doc['output'].remember = 'id'),
  'remember without a name': doc => (doc['output'].remember = [{ path: 'id' }]),
  'remember with another key': doc => (doc['output'].remember = [{ path: 'id', as: 'x', name: 'y' }]),
  'an unknown key of output': doc => (doc['output'].max = 5),
}
const whole: Record<string, unknown> = {
  'the document is null': null,
  'the document is a list': [],
  'the document is a text': '{}',
}

function faultsOf(document: unknown) {
  const read = readRecipe(document)
  return read.ok ? [] : read.faults
}

function changed(change: Change): unknown {
  const doc: Doc = structuredClone(good())
  if (change === changes['the same input with another type']) one({ name: 'ref' })(doc)
  change(doc)
  return doc
}

describe('a document', () => {
  it('without faults gives a plan', () => {
    expect(faultsOf(good())).toEqual([])
  })

  it('may hold what is empty, as editors write it', () => {
    const doc: Doc = structuredClone(good())
    Object.assign(doc, { announce: false, announce_text: '' })
    Object.assign(doc['sources'].a, { for_each_of: null })
    Object.assign(doc['sources'].a.params[0], { fields: [], values: [], required: false })
    Object.assign(doc['output'], { limit: null, remember: null })
    expect(faultsOf(doc)).toEqual([])
  })

  it('tells each kind of fault with its place, a code and the mend', () => {
    const told = Object.fromEntries([
      ...Object.entries(whole).map(([what, document]) => [what, faultsOf(document)] as const),
      ...Object.entries(changes).map(([what, change]) => [what, faultsOf(changed(change))] as const),
    ])
    expect(Object.entries(told).filter(([, faults]) => faults.length === 0)).toEqual([])
    for (const fault of Object.values(told).flat()) {
      expect(fault.code).toMatch(/^T40\d\d$/)
      expect(fault.fix).not.toBe('')
    }
    expect(Object.keys(told).length).toBeGreaterThanOrEqual(60)
    const lines = Object.entries(told).map(([what, faults]) => [
      what,
      faults.map(({ pointer, code, problem, fix }) => `${code} ${pointer || '(all)'}: ${problem} -> ${fix}`),
    ])
    expect(Object.fromEntries(lines)).toMatchSnapshot()
  })

  it('has a pointer that leads to the place, or to where it is missing', () => {
    for (const change of Object.values(changes)) {
      const document = changed(change)
      for (const { pointer } of faultsOf(document)) {
        const keys = pointer.split('/').slice(1)
        let now = document as Doc
        for (const key of keys.slice(0, -1)) now = now[key.replaceAll('~1', '/').replaceAll('~0', '~')]
        expect(typeof now, pointer).toBe('object')
      }
    }
  })

  it('tells all its faults at once', () => {
    const doc: Doc = structuredClone(good())
    doc['kind'] = 'x'
    doc['extra'] = 1
    doc['sources'].a.url = '//x'
    doc['sources'].b.params[0].type = 'y'
    doc['output'].limit = -1
    expect(faultsOf(doc).map(({ pointer }) => pointer)).toEqual([
      '/extra',
      '/kind',
      '/sources/a/url',
      '/sources/b/params/0/type',
      '/output/limit',
    ])
  })

  it('that the published schema refuses is refused, and a good one fits the schema', () => {
    const schema = JSON.parse(readFileSync(new URL('../../recipe.schema.json', import.meta.url), 'utf8'))
    expect(check(schema, good())).toMatchObject({ ok: true })
    const documents = [...Object.values(whole), ...Object.values(changes).map(changed)]
    const refused = documents.filter(document => !check(schema, document).ok)
    expect(refused.length).toBeGreaterThan(40)
    expect(refused.filter(document => faultsOf(document).length === 0)).toEqual([])
  })
})
