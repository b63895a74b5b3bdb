// Dates of spreadsheets: numbers of days, told from other numbers only by the format of their cell (ECMA-376, 18.8.30).
import { attribute, walkXml } from './xml.ts'

const DAY = 86_400_000

/** For each cell style of a styles part: whether it shows a number as a date or a time. */
export function dateStyles(bytes: Buffer): boolean[] {
  const own = new Map<string, boolean>()
  const styles: boolean[] = []
  let inStyles = false
  walkXml(bytes, {
    open(name, attributes) {
      if (name === 'numFmt')
        own.set(attribute(attributes, 'numFmtId') ?? '', isDate(attribute(attributes, 'formatCode') ?? ''))
      else if (name === 'cellXfs') inStyles = true
      else if (name === 'xf' && inStyles) {
        const id = attribute(attributes, 'numFmtId') ?? '0'
        styles.push(own.get(id) ?? builtIn(Number(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') inStyles = false
    },
  })
  return styles
}

function builtIn(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
}

/** Letters of a date that are neither quoted nor escaped; `[Red]` and `[$-409]` are none, `[h]` is one. */
function isDate(format: string): boolean {
  const bare = format
    .slice(0, 1000)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return !/general/i.test(bare) && /[ymdhs]/i.test(bare)
}

/** 2026-03-09, 2026-03-09 14:30:00, or 14:30:00 of a number of days; undefined where it is none. */
export function shownDate(days: number, late: boolean): string | undefined {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return undefined
  // The count of 1900 has a 29th of February that never was, so days before it are one off.
  const start = late ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days >= 60 ? 30 : 31)
  const time = new Date(start + Math.round(days * 86_400) * 1000).toISOString()
  if (days < 1 && !late) return time.slice(11, 19)
  const date = time.slice(0, 10)
  return Math.round(days * DAY) % DAY === 0 ? date : `${date} ${time.slice(11, 19)}`
}
