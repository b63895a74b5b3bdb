// A seal from a key: AES-256-GCM, a nonce of its own for each text.
import type { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from '../engine/sealed.ts'
import { ToolwrightError } from '../errors.ts'

interface Crypto {
  createCipheriv: typeof createCipheriv
  createDecipheriv: typeof createDecipheriv
  randomBytes: typeof randomBytes
}

/**
 * A seal from a key of 32 bytes, or their 64 hexadecimal digits (`openssl rand -hex 32`). Throws `T1001` where it is
 * no such key. Who loses the key loses what was sealed with it.
 */
export function sealWith(key: Uint8Array | string): Seal {
  const bytes =
    typeof key === 'string' ? Buffer.from(/^[0-9a-f]{64}$/i.test(key) ? key : '', 'hex') : Buffer.from(key)
  if (bytes.length !== 32)
    throw new ToolwrightError('T1001', `the key of a seal has ${bytes.length} bytes, and not 32`, {
      fix: 'make one with `openssl rand -hex 32`, and keep it where secrets are kept',
    })
  const { createCipheriv, createDecipheriv, randomBytes } = process.getBuiltinModule('node:crypto') as Crypto
  return {
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), closed]).toString('base64')
    },
    open(sealed) {
      const all = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', bytes, all.subarray(0, 12))
      decipher.setAuthTag(all.subarray(12, 28))
      return Buffer.concat([decipher.update(all.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}
