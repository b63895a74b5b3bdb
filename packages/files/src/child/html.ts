// The words of an HTML page, as a reader sees them: without scripts, styles and what is hidden.
import { Parser } from 'htmlparser2'
import type { Job, Told } from './answer.ts'
import { Sheaf } from './sheaf.ts'

const unseen = new Set(
  'script style template noscript svg math iframe object canvas audio video select datalist'.split(' '),
)
const blocks = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead title tr ul'.split(
    ' ',
  ),
)

/** The words of a page that is already decoded. */
export function html(page: string, { limits }: Job): Told {
  const words = new Sheaf(limits.words)
  words.fill(() => walk(page, words))
  const text = words.text().trim()
  if (text === '') words.notes.unshift('It holds no words: a page that a script fills has none in its file.')
  return { type: 'text/html', text, notes: words.notes }
}

const SLICE = 65_536

function walk(page: string, words: Sheaf): void {
  // What is inside of an unseen element is unseen, however deep.
  const open: boolean[] = []
  let hidden = 0
  let kept = 0
  // How the words so far end: nothing may follow a break but words, and a space is told when words follow it.
  let breaks = 2
  let space = false
  const say = (text: string): void => {
    if (text === '') return
    words.add(space && breaks === 0 ? ` ${text}` : text)
    space = false
    breaks = 0
  }
  const rest = (lines: number): void => {
    space = false
    if (breaks >= lines) return
    words.add('\n'.repeat(lines - breaks))
    breaks = lines
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const unshown = unseen.has(name) || 'hidden' in attributes || isHidden(attributes['style'])
        open.push(unshown)
        if (unshown) hidden++
        if (hidden > 0) return
        if (name === 'pre') kept++
        if (name === 'br') rest(1)
        else if (name === 'td' || name === 'th') say(breaks > 0 ? '| ' : ' | ')
        else if (name === 'img') {
          const alt = attributes['alt']?.trim()
          if (alt) say(`[picture: ${alt}]`)
        } else if (blocks.has(name)) rest(name === 'li' || name === 'tr' ? 1 : 2)
        if (name === 'li') say('- ')
        else if (/^h[1-6]$/.test(name)) say(`${'#'.repeat(Number(name[1]))} `)
      },
      ontext(text) {
        if (hidden > 0) return
        if (kept > 0) return say(text)
        if (/^\s/.test(text)) space = true
        const parts = text.trim().replace(/\s+/g, ' ')
        say(parts)
        if (parts !== '' && /\s$/.test(text)) space = true
      },
      onclosetag(name) {
        if (open.pop()) hidden--
        if (hidden > 0) return
        if (name === 'pre' && kept > 0) kept--
        if (blocks.has(name)) rest(name === 'li' || name === 'tr' ? 1 : 2)
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  for (let at = 0; at < page.length; at += SLICE) parser.write(page.slice(at, at + SLICE))
  parser.end()
}

function isHidden(style: string | undefined): boolean {
  return style !== undefined && /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style)
}
