// Whether a picture is whole. Providers answer 400 to one that is cut off, so it is refused before it is sent.
import { Refusal } from './errors.ts'

/** The data URL of a picture, under the type that its bytes have. Throws a {@link Refusal} where it is cut off. */
export function pictureUrl(bytes: Uint8Array, type: string): string {
  if (!whole(bytes, type))
    throw new Refusal('T9010', 'is a damaged picture: it ends too early', 'attach the whole picture again')
  return `data:${type};base64,${view(bytes).toString('base64')}`
}

function whole(bytes: Uint8Array, type: string): boolean {
  const data = view(bytes)
  if (type === 'image/png') return wholePng(data)
  if (type === 'image/jpeg') return wholeJpeg(data)
  // 13 bytes of header, one of data at least, and the mark of the end (some writers leave zeros behind it).
  if (type === 'image/gif') return data.length > 14 && data.subarray(13).includes(0x3b)
  return data.length > 20 && data.readUInt32LE(4) + 8 <= data.length + 1
}

/** Chunks of a length, a name, the data and a check sum, from IHDR to IEND. */
function wholePng(data: Buffer): boolean {
  for (let at = 8, n = 0; at + 12 <= data.length; n++) {
    const name = data.toString('latin1', at + 4, at + 8)
    if (n === 0 && name !== 'IHDR') return false
    at += data.readUInt32BE(at) + 12
    if (name === 'IEND') return at <= data.length
  }
  return false
}

/** Segments up to the scan, one of them the frame's. The scan itself may lack its end: decoders show what is there. */
function wholeJpeg(data: Buffer): boolean {
  let framed = false
  for (let at = 2; at + 4 <= data.length; ) {
    if (data[at] !== 0xff) return false
    const mark = data[at + 1]!
    if (mark === 0xff) {
      at++
      continue
    }
    if (mark === 0xda) return framed && at + 2 + data.readUInt16BE(at + 2) < data.length
    if (mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc) framed = true
    at += 2 + data.readUInt16BE(at + 2)
  }
  return false
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
