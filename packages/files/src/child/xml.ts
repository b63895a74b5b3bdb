// XML as a stream of elements and texts. No DTD is read and no entity but XML's own five and numbers is resolved, so
// there is nothing to expand and nothing to fetch.
import { Parser } from 'htmlparser2'

/** What is called as a document is walked. Names come without their prefix: `w:p` is `p`. */
export interface Walker {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

const SLICE = 65_536

/** Walks the XML in `bytes` (UTF-8, or UTF-16 with its mark), a slice at a time. */
export function walkXml(bytes: Buffer, walker: Walker): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => walker.open?.(local(name), attributes),
      ontext: text => walker.text?.(text),
      onclosetag: name => walker.close?.(local(name)),
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder(encodingOf(bytes))
  for (let at = 0; at < bytes.length; at += SLICE)
    parser.write(decoder.decode(bytes.subarray(at, at + SLICE), { stream: true }))
  parser.end(decoder.decode())
}

/** The attribute of that local name, whatever its prefix. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name]
  for (const key of Object.keys(attributes)) if (local(key) === name) return attributes[key]
  return undefined
}

function local(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

function encodingOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
