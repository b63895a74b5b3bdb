// Finding tools by words: BM25 over names, descriptions and fields. Ours, because the index is small (a line a tool),
// identifiers must be taken apart (`crm.findCustomer` is four words), and the core stays without dependencies.

/** What is searched: the parts of a tool by weight. */
export interface Document {
  name: string
  about: string
  fields: string
}

const K = 1.2
const B = 0.75
const NAME = 3
const common = new Set(
  'a an the of to for in on at by with and or is are be as it its this that from into your you i me my'.split(
    ' ',
  ),
)

/** An index over the documents: gives the places of those that match, the best first. */
export function search(documents: readonly Document[]): (query: string, most: number) => number[] {
  const postings = new Map<string, Map<number, number>>()
  const lengths = documents.map((document, at) => {
    const counts = new Map<string, number>()
    for (const word of words(document.name)) counts.set(word, (counts.get(word) ?? 0) + NAME)
    for (const word of words(`${document.about} ${document.fields}`))
      counts.set(word, (counts.get(word) ?? 0) + 1)
    let length = 0
    for (const [word, count] of counts) {
      const posting = postings.get(word) ?? new Map<number, number>()
      postings.set(word, posting.set(at, count))
      length += count
    }
    return length
  })
  const average = lengths.reduce((a, b) => a + b, 0) / Math.max(1, lengths.length)
  return (query, most) => {
    const scores = new Map<number, number>()
    for (const word of new Set(words(query)))
      for (const [posting, part] of matching(postings, word)) {
        const rarity = Math.log(1 + (documents.length - posting.size + 0.5) / (posting.size + 0.5))
        for (const [at, count] of posting) {
          const weight = (count * (K + 1)) / (count + K * (1 - B + (B * lengths[at]!) / average))
          scores.set(at, (scores.get(at) ?? 0) + part * rarity * weight)
        }
      }
    return [...scores]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, most)
      .map(([at]) => at)
  }
}

/** The postings of a word; of one that stands nowhere, those of the words that begin with it, or it with them, at half weight. */
function matching(postings: Map<string, Map<number, number>>, word: string): [Map<number, number>, number][] {
  const exact = postings.get(word)
  if (exact) return [[exact, 1]]
  if (word.length < 4) return []
  return [...postings]
    .filter(([other]) => other.length >= 4 && (other.startsWith(word) || word.startsWith(other)))
    .map(([, posting]) => [posting, 0.5])
}

/** The words of a text: identifiers taken apart, lower case, without endings that only inflect. */
export function words(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !common.has(word))
    .map(stem)
}

function stem(word: string): string {
  if (word.length <= 4) return word.length === 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : word
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/(?:ing|ed)$/, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1')
    .replace(/e$/, '')
}
