import { expect, test } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { html } from './html.ts'

const words = (page: string, most = defaultLimits.words): string =>
  html(page, { kind: 'html', limits: { ...defaultLimits, words: most } }).text

test('a page is told as a reader sees it', () => {
  const page = `<!doctype html><title>A page</title><style>p { color: red }</style>
    <h1>Head &amp; shoulders</h1><p>One <b>bold</b>ly
    said.<br>Next</p><ul><li>a<li>b</ul>
    <table><tr><th>k<th>v<tr><td>1<td>2</table><img src=x alt="A cat"><pre>x\n  y</pre>
    <script>evil()</script><template>no</template>`
  expect(words(page)).toBe(
    'A page\n\n# Head & shoulders\n\nOne boldly said.\nNext\n\n- a\n- b\n\n| k | v\n| 1 | 2\n\n[picture: A cat]\n\nx\n  y',
  )
})

test('what is hidden is not told', () => {
  const page =
    '<div hidden>a<p>b</div><p style="x:1; DISPLAY : none">c<i>d</i></p><p style="visibility:hidden">e</p><p>shown'
  expect(words(page)).toBe('shown')
})

test('a page that is deep, or broken off, is told too', () => {
  expect(words(`${'<div>'.repeat(10_000)}deep`)).toBe('deep')
  expect(words('<p>one</div></p></p><p>two<!-- <b')).toBe('one\n\ntwo')
})

test('a page of a script says that it has no words', () => {
  expect(html('<body><script>x()</script>', { kind: 'html', limits: defaultLimits })).toMatchObject({
    text: '',
    notes: [expect.stringContaining('no words')],
  })
})

test('words over the limit are dropped, and noted', () => {
  const told = html('<p>abcdefgh', { kind: 'html', limits: { ...defaultLimits, words: 4 } })
  expect(told).toMatchObject({ text: 'abcd', notes: ['Only its first 4 characters were read.'] })
})
