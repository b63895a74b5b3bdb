// Pages, the list of codes, and the places that throw or tell a code agree, in every direction.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
// Each package lists its own.
const lists = globSync('packages/*/src/errors.ts', { cwd: root }).map(path => import(join(root, path)))
const listed = (await Promise.all(lists)).flatMap(list => Object.keys(list.codes ?? {}))
const pages = globSync('docs/errors/*.md', { cwd: root }).map(path => path.replace(/^.*[/\\]|\.md$/g, ''))

/** Where each code stands in the sources, in code: comments, tests and the list itself name codes without using them. */
const places = new Map<string, string[]>()
for (const path of globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
  const source = readFileSync(join(root, path), 'utf8').replace(
    /^export const codes = \{$[\s\S]*?^\}/m,
    list => list.replace(/[^\n]/g, ''),
  )
  for (const [i, line] of source.split('\n').entries()) {
    const code = line.replace(/^\s*(\/\*\*|\*|\/\/).*$|\s\/\/ .*$/, '')
    for (const [found] of code.matchAll(/\b[TA]\d{4}\b/g))
      places.set(found, [...(places.get(found) ?? []), `${path}:${i + 1}`])
  }
}

describe('the error codes', () => {
  it('each have a page, and each page has a code', () => {
    expect(pages.sort()).toEqual(listed.toSorted())
  })

  it('are each thrown or told somewhere', () => {
    expect(listed.filter(code => !places.has(code))).toEqual([])
  })

  it('are listed, wherever one is thrown or told', () => {
    const strange = [...places].filter(([code]) => !listed.includes(code))
    expect(strange.map(([code, where]) => `${code} at ${where.join(', ')}`)).toEqual([])
  })

  for (const page of pages)
    it(`${page} has a page that says what happened, why, and the mend, with an example`, () => {
      const text = readFileSync(join(root, `docs/errors/${page}.md`), 'utf8')
      expect(text).toMatch(new RegExp(`^# ${page}: \\S`))
      const sections = [...text.matchAll(/^## (.*)$/gm)].map(match => match[1])
      expect(sections).toEqual(['What happened', 'Why', 'The mend', 'Example'])
      const bodies = text.split(/^## .*$/m).slice(1)
      expect(bodies.filter(body => body.trim() === '')).toEqual([])
    })
})
