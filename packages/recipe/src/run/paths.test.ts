import fc from 'fast-check'
import { query as queryRfc } from 'jsonpath-rfc9535'
import { describe, expect, it } from 'vitest'
import { part, reached } from './paths.ts'

const keys = ['a', 'b', 'c', 'results', 'id']
const { value: json } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(fc.integer(), fc.constantFrom('x', '', true, null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
  ),
}))
const path = fc.array(fc.oneof(fc.constantFrom(...keys), fc.constantFrom('0', '1')), {
  minLength: 1,
  maxLength: 4,
})

/** The same path for RFC 9535 in this very document: where it meets a list, a name goes through all its entries. */
function inRfc(document: unknown, [key, ...rest]: string[]): string[] {
  if (key === undefined) return ['']
  if (Array.isArray(document)) {
    if (/^\d+$/.test(key)) return inRfc(document[Number(key)], rest).map(tail => `[${key}]${tail}`)
    return document.flatMap((entry, i) => inRfc(entry, [key, ...rest]).map(tail => `[${i}]${tail}`))
  }
  const inner =
    typeof document === 'object' && document !== null ? (document as Record<string, unknown>)[key] : undefined
  return inRfc(inner, rest).map(tail => `['${key}']${tail}`)
}

const query = (text: string, document: unknown): unknown[] => queryRfc(document as never, text)

describe('a dot path', () => {
  it('reaches what the same path of RFC 9535 reaches', () => {
    let found = 0
    fc.assert(
      fc.property(json, path, (document, way) => {
        const peer = inRfc(document, way).flatMap(text => query(`$${text}`, document))
        expect(reached(document, way)).toEqual(peer)
        if (peer.length > 0) found++
      }),
      { numRuns: 3000 },
    )
    expect(found).toBeGreaterThan(100)
  })

  it('through one list reaches what a wildcard reaches', () => {
    const list = fc.array(fc.dictionary(fc.constantFrom(...keys), json, { maxKeys: 3 }), { maxLength: 5 })
    fc.assert(
      fc.property(list, fc.constantFrom(...keys), (results, key) => {
        expect(reached({ results }, ['results', key])).toEqual(query(`$.results[*].${key}`, { results }))
      }),
    )
  })

  it('reaches the same in the part that it cut out, with places kept', () => {
    fc.assert(
      fc.property(json, fc.array(path, { minLength: 1, maxLength: 3 }), (document, ways) => {
        const cut = part(document, ways, true)
        for (const way of ways) expect(reached(cut, way)).toEqual(reached(document, way))
      }),
      { numRuns: 2000 },
    )
  })

  it('shows nothing that no path reaches', () => {
    fc.assert(
      fc.property(json, path, (document, way) => {
        const values = new Set(reached(document, way).flatMap(leaves))
        for (const leaf of leaves(part(document, [way]))) expect(values.has(leaf)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

function leaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [value]
  return Object.values(value).flatMap(leaves)
}
