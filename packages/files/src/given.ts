// What is handed in as an attachment, and its bytes: from a path, from memory, out of a data URL, or from a public https
// address. Nothing else is opened, and this is the one place where anything is.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolwrightError } from '@toolwright/core'
import type { GuardedFetch } from '@toolwright/core/fetch'
import { base64, dataUrl } from './dataurl.ts'
import { Refusal, tooLarge } from './errors.ts'

interface Named {
  name: string
  /** The declared media type. The bytes decide; it only tells kinds of text apart (CSV, Markdown, HTML). */
  type?: string
}

/** A file to read: the core's Attachment, bytes (or their base64), or an address: a data URL or https. */
export type Given =
  | (Named & { path: string })
  | (Named & { bytes: Uint8Array | ArrayBuffer | string })
  | (Named & { url: string })

/** How the bytes of a file are had. */
export interface Getting {
  /** At most so many bytes. */
  most: number
  /** Fetches https addresses; absent: nothing does, and they are refused. */
  fetch?: GuardedFetch | undefined
  /** ms that an address has. */
  time: number
  signal?: AbortSignal | undefined
}

/** The bytes of a file. Throws a {@link Refusal}. */
export async function bytesOf(given: Given, getting: Getting): Promise<Uint8Array> {
  const { most, fetch, signal } = getting
  if ('bytes' in given) return ofMemory(given.bytes, most)
  const address = 'url' in given ? given.url : given.path
  if (typeof address !== 'string' || address === '') throw unstated()
  // Two letters at least: C:\notes.txt is a path.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme === 'data') return dataUrl(address, most)
  if ((scheme === 'https' || scheme === 'http') && fetch) return await fetched(address, fetch, getting)
  if (scheme !== undefined || 'url' in given) throw noPath(scheme)
  return await ofPath(address, most, signal)
}

/** The fault of a thing that is no attachment at all; undefined where it is one. */
export function misstated(given: unknown): Refusal | undefined {
  if (typeof given !== 'object' || given === null) return unstated()
  const { name, type } = given as Record<string, unknown>
  if (typeof name !== 'string' || name.trim() === '')
    return new Refusal('T9001', 'has no name', "write { name: 'report.pdf', path: … }")
  if (type !== undefined && typeof type !== 'string')
    return new Refusal(
      'T9001',
      `has a type that is ${typeof type}`,
      "write type: 'application/pdf', or leave it out",
    )
  const sources = ['path', 'bytes', 'url'].filter(key => key in given)
  return sources.length === 1 ? undefined : unstated()
}

function unstated(): Refusal {
  return new Refusal(
    'T9001',
    'is not stated as an attachment',
    'write { name, path }, { name, bytes } or { name, url }, with exactly one of the three',
  )
}

function noPath(scheme: string | undefined): Refusal {
  const fix =
    scheme === 'http' || scheme === 'https'
      ? 'addresses are not fetched here: attach the bytes, { name, bytes }'
      : scheme === 'file'
        ? 'write the path itself: fileURLToPath(url)'
        : 'write a path (./a:b where a colon is part of it), bytes, or a data URL'
  return new Refusal('T9003', `is ${scheme === undefined ? 'no data URL' : `a ${scheme}: address`}`, fix)
}

/** Up to three redirects, to wherever the guard lets: there is no secret that could go along. */
async function fetched(address: string, fetch: GuardedFetch, getting: Getting): Promise<Uint8Array> {
  const { most, time, signal } = getting
  const fix = 'see that it is a public https address, or attach the bytes: { name, bytes }'
  if (!URL.canParse(address)) throw new Refusal('T9016', 'has an address that is none', fix)
  try {
    const { status, bytes, url } = await fetch({
      url: address,
      headers: { accept: '*/*' },
      largest: most,
      timeout: time,
      redirects: 3,
      otherOrigins: true,
      ...(signal ? { signal } : {}),
    })
    if (status === 200) return bytes
    throw new Refusal('T9016', `was not to be had: ${new URL(url).host} answered ${status}`, fix)
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof ToolwrightError)) throw error
    if (error.code === 'T4023') throw tooLarge(undefined, most)
    throw new Refusal('T9016', `was not fetched: ${error.problem} (${error.code})`, fix, error)
  }
}

function ofMemory(bytes: unknown, most: number): Uint8Array {
  if (typeof bytes === 'string') return bytes.startsWith('data:') ? dataUrl(bytes, most) : base64(bytes, most)
  const view =
    bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes instanceof Uint8Array ? bytes : undefined
  if (view === undefined)
    throw new Refusal('T9001', 'has bytes that are none', 'write a Uint8Array, a Buffer, or base64')
  if (view.length > most) throw tooLarge(view.length, most)
  return view
}

async function ofPath(path: string, most: number, signal?: AbortSignal): Promise<Uint8Array> {
  try {
    // Before it is opened: opening a pipe that nobody writes to waits for ever.
    const found = await stat(path)
    if (!found.isFile()) throw new Refusal('T9002', 'is no file', 'attach a file, not a folder or a device')
    if (found.size > most) throw tooLarge(found.size, most)
    const parts: Buffer[] = []
    let size = 0
    for await (const part of createReadStream(path, { end: most, ...(signal ? { signal } : {}) })) {
      parts.push(part as Buffer)
      size += (part as Buffer).length
    }
    if (size > most) throw tooLarge(size, most)
    return Buffer.concat(parts)
  } catch (error) {
    if (error instanceof Refusal || signal?.aborted) throw error
    const code = (error as NodeJS.ErrnoException).code
    const problem =
      code === 'ENOENT'
        ? 'is not there'
        : code === 'EACCES' || code === 'EPERM'
          ? 'may not be read'
          : `cannot be opened (${code ?? String(error)})`
    throw new Refusal('T9002', problem, `look at ${shown(path)}`, error)
  }
}

function shown(path: string): string {
  return path.includes('\0') ? 'the path: it holds a zero byte' : resolve(path)
}
