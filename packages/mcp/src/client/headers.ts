// `x-mcp-header`: a server may ask that a value is sent as a header too. A definition that asks wrongly is left out
// (specification 2026-07-28, Streamable HTTP, custom headers).
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const KEY = 'x-mcp-header'

/** Why a definition asks wrongly for headers; nothing where it does not. */
export function headerFault(schema: unknown): string | undefined {
  const taken = new Set<string>()
  const visit = (node: unknown, reachable: boolean, root: boolean): string | undefined => {
    if (typeof node !== 'object' || node === null) return undefined
    if (Array.isArray(node)) return first(node, each => visit(each, false, false))
    const record = node as Record<string, unknown>
    if (Object.hasOwn(record, KEY)) {
      const name = record[KEY]
      if (!reachable || root) return `${KEY} stands where no plain field is`
      if (typeof name !== 'string' || !TOKEN.test(name))
        return `${KEY} is ${JSON.stringify(name)}, which is no header`
      if (!['string', 'integer', 'boolean'].includes(String(record['type'])))
        return `${KEY} ${name} is of a field that is no text, integer or flag`
      if (taken.has(name.toLowerCase())) return `${KEY} ${name} stands there twice`
      taken.add(name.toLowerCase())
    }
    return first(Object.entries(record), ([key, value]) => {
      if (key === 'properties' && typeof value === 'object' && value !== null)
        return first(Object.values(value), each => visit(each, reachable, false))
      return DATA.has(key) ? undefined : visit(value, false, false)
    })
  }
  return visit(schema, true, true)
}

/** Keywords that hold values and no schemas. */
const DATA = new Set(['default', 'const', 'enum', 'examples', 'example', 'required', KEY])

function first<T>(list: readonly T[], fault: (each: T) => string | undefined): string | undefined {
  for (const each of list) {
    const found = fault(each)
    if (found !== undefined) return found
  }
  return undefined
}
