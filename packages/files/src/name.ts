// Names of files as a model is told them: one line, nothing invisible, and no two alike in a conversation.

const LONGEST = 120

/** The name on one line, without folders, control characters and marks that turn the direction of writing. */
export function tidied(name: string): string {
  const last = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/["<>]/g, "'")
    .trim()
  if (last.length <= LONGEST) return last === '' ? 'file' : last
  const suffix = /\.[^.\s]{1,10}$/.exec(last)?.[0] ?? ''
  return `${[...last.slice(0, LONGEST - suffix.length - 1)].join('').trimEnd()}…${suffix}`
}

/** The name itself, or `report (2).pdf` where it is taken; it is taken from now on. */
export function distinct(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, suffix] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${stem} (${n})${suffix}`
  taken.add(free)
  return free
}
