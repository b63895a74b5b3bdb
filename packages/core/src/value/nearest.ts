// The name that was probably meant.

const longest = 64
const most = 500

/** The known name nearest to a wrong one, or undefined where none is near. Long names and long lists are cut. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const wanted = plain(name)
  let best: string | undefined
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const one of known.slice(0, most)) {
    if (one.length > longest) continue
    const distance = edits(wanted, plain(one))
    // A name that shares nothing is not near, however short it is.
    if (distance < least && distance < wanted.length) [best, least] = [one, distance]
  }
  return best
}

// city_name, cityName and City-Name are one name.
function plain(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, '')
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
