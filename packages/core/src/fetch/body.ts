// The body of an answer: decompressed as it comes, and given up when it grows too large.
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { ToolwrightError } from '../errors.ts'

/** What is asked for as `accept-encoding`: exactly what {@link bodyOf} reads. */
export const ENCODINGS = 'gzip, deflate, br'

/** The bytes of an answer, at most `most` of them after decompression: `T4023` beyond, as soon as that is seen. */
export function bodyOf(answer: IncomingMessage, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    const fail = (error: unknown): void => {
      // In this order: what is destroyed tells that it broke off.
      reject(error)
      answer.destroy()
    }
    let plain: NodeJS.ReadableStream = answer
    try {
      for (const unpack of unpackers(answer.headers['content-encoding'])) {
        unpack.on('error', cause => fail(broken('its compressed answer is damaged', cause)))
        plain = plain.pipe(unpack)
      }
    } catch (error) {
      fail(error)
      return
    }
    answer.on('error', cause => fail(broken('the connection broke', cause)))
    answer.on('aborted', () => fail(broken('the answer broke off')))
    plain.on('data', (part: Buffer) => {
      size += part.length
      if (size > most) fail(tooLarge(most))
      else parts.push(part)
    })
    plain.on('end', () => resolve(Buffer.concat(parts)))
  })
}

function unpackers(header: string | undefined): Transform[] {
  const named = (header ?? '')
    .toLowerCase()
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '' && one !== 'identity')
  // One is what servers send. Each more would multiply what a small answer can cost.
  if (named.length > 1) throw broken(`its answer is packed ${named.length} times`)
  return named.map(unpacker)
}

function unpacker(encoding: string): Transform {
  // An empty body comes with an encoding too, and no bytes are no fault.
  const flush = { finishFlush: zlib.constants.Z_SYNC_FLUSH }
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip(flush)
  if (encoding === 'deflate') return zlib.createInflate(flush)
  if (encoding === 'br')
    return zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })
  throw broken(`its answer is packed as ${JSON.stringify(encoding.slice(0, 20))}`)
}

function tooLarge(most: number): ToolwrightError {
  return new ToolwrightError('T4023', `the answer is larger than ${most} bytes`, {
    fix: 'ask for less (a page, a filter), or raise the limit',
  })
}

export function broken(why: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('T4026', why, {
    fix: 'it may have arrived: look before you send it again',
    ...(cause === undefined ? {} : { cause }),
  })
}
