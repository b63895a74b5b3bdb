// Parts of a long text, none of which ends inside of a character, and rather between lines than in one.

/** The end of the part of `text` that begins at `from` and has at most `most` UTF-16 units. */
export function endOfPart(text: string, from: number, most: number): number {
  let end = from + most
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end - 1) + 1
  if (line > from + most * 0.9) return line
  const unit = text.charCodeAt(end)
  // Never between the two halves of a character; a part of one unit must still go on.
  if (unit >= 0xdc00 && unit <= 0xdfff && end - 1 > from) end--
  return end
}

/** The page, from 1, that stands at `at`; 0 before the first. */
export function pageAt(pages: readonly number[], at: number): number {
  let low = 0
  let high = pages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pages[middle]! <= at) low = middle + 1
    else high = middle
  }
  return low
}
