// Texts with placeholders: `/slots/{{date}}`.

/** A text in parts: as it stands, or what a placeholder names. */
export type Template = readonly (string | { name: string })[]

/** Splits a text at its placeholders. */
export function template(text: string): Template {
  const parts: (string | { name: string })[] = []
  let end = 0
  for (const match of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push({ name: match[1]!.trim() })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The names of a template's placeholders. */
export function namesIn(parts: Template): string[] {
  return parts.flatMap(part => (typeof part === 'string' ? [] : [part.name]))
}

/** The text of a template outside of its placeholders, each of which is shown as `mark`. */
export function plainOf(parts: Template, mark = ''): string {
  return parts.map(part => (typeof part === 'string' ? part : mark)).join('')
}
