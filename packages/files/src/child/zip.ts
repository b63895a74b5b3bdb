// A reader of zip archives by their list at the end (APPNOTE 6.3). Node inflates; every part counts against one limit,
// sizes that the archive states are not believed, and check sums are checked. Archives in it are not opened.
import { crc32, inflateRawSync } from 'node:zlib'
import { Refusal } from '../errors.ts'

/** An archive that is open: the names of its parts, and their bytes on demand. */
export interface Zip {
  readonly names: readonly string[]
  has(name: string): boolean
  /** The bytes of a part. Throws a {@link Refusal} where it is not there, encrypted, damaged, or too much. */
  read(name: string): Buffer
}

interface Part {
  flags: number
  method: number
  sum: number
  packed: number
  at: number
}

const MOST_PARTS = 20_000

/** Opens an archive of which at most `most` bytes are unpacked in all. */
export function openZip(bytes: Buffer, most: number): Zip {
  const parts = list(bytes)
  let left = most
  return {
    names: [...parts.keys()],
    has: name => parts.has(name),
    read(name) {
      const part = parts.get(name)
      if (!part) throw damaged(`it has no part ${name}`)
      if (part.flags & 1)
        throw new Refusal('T9009', 'is encrypted', 'save it without a password and attach that')
      const inflated = unpacked(bytes, part, name, left, most)
      left -= inflated.length
      return inflated
    },
  }
}

function list(bytes: Buffer): Map<string, Part> {
  const end = bytes.lastIndexOf('PK\x05\x06', bytes.length - 22, 'latin1')
  if (end < 0 || end < bytes.length - 22 - 0xffff) throw damaged('its end is missing')
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (at === 0xffffffff || count > MOST_PARTS)
    throw new Refusal(
      'T9008',
      'is an archive of more parts than are read',
      'save it anew in an office program',
    )
  const parts = new Map<string, Part>()
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged('its list of parts breaks off')
    const [name, extra, comment] = [28, 30, 32].map(field => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const part = {
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      sum: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    }
    // Some writers put a leading slash or backslashes into names.
    const path = bytes
      .toString('utf8', at + 46, at + 46 + name)
      .replaceAll('\\', '/')
      .replace(/^\//, '')
    parts.set(path, part)
    at += 46 + name + extra + comment
  }
  return parts
}

function unpacked(bytes: Buffer, part: Part, name: string, left: number, most: number): Buffer {
  const { at, packed, method } = part
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== 0x04034b50)
    throw damaged(`its part ${name} is not where its list says`)
  const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  if (from + packed > bytes.length) throw damaged(`its part ${name} breaks off`)
  const data = bytes.subarray(from, from + packed)
  if (method !== 0 && method !== 8)
    throw new Refusal(
      'T9008',
      'is packed in a way that is not read',
      'save it anew in an office program and attach that',
    )
  const inflated = method === 0 ? stored(data, left, most) : inflate(data, name, left, most)
  if (crc32(inflated) !== part.sum) throw damaged(`its part ${name} is not what it was`)
  return inflated
}

function stored(data: Buffer, left: number, most: number): Buffer {
  if (data.length > left) throw tooMuch(most)
  return data
}

function inflate(data: Buffer, name: string, left: number, most: number): Buffer {
  if (left < 1) throw tooMuch(most)
  try {
    return inflateRawSync(data, { maxOutputLength: left })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooMuch(most)
    throw damaged(`its part ${name} does not unpack`)
  }
}

function tooMuch(most: number): Refusal {
  return new Refusal(
    'T9013',
    `unpacks to more than ${most.toLocaleString('en')} bytes`,
    'attach the part of it that matters, or raise the limit `inflated`',
  )
}

/** The refusal of an archive or a part of it that is not as it should be. */
export function damaged(why: string): Refusal {
  return new Refusal('T9010', `is damaged: ${why}`, 'open it, save it anew, and attach that')
}
