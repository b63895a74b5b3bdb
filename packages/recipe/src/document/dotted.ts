// Dotted names and paths: `address.street`, `items.0.sku`, `a\.b.c` for the key `a.b`.

/** The keys of a dotted text; undefined where one is empty. */
export function dotted(text: string): string[] | undefined {
  const keys = text.split(/(?<!\\)\./).map(key => key.replaceAll('\\.', '.'))
  return keys.includes('') ? undefined : keys
}

/** Whether a key is an index of a list. */
export function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,5})$/.test(key)
}

/** The dotted text of keys. */
export function joined(keys: readonly string[]): string {
  return keys.map(key => key.replaceAll('.', '\\.')).join('.')
}
