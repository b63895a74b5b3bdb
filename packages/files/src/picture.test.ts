import { describe, expect, test } from 'vitest'
import { gif, jpeg, png, webp } from '../test/support/pictures.ts'
import { pictureUrl } from './picture.ts'

const pictures = { 'image/png': png, 'image/jpeg': jpeg, 'image/gif': gif, 'image/webp': webp }

describe.each(Object.entries(pictures))('a picture of %s', (type, bytes) => {
  test('is given as it is, under the type of its bytes', () => {
    expect(pictureUrl(bytes, type)).toBe(`data:${type};base64,${bytes.toString('base64')}`)
  })

  test('is refused where it breaks off', () => {
    for (const length of [12, Math.floor(bytes.length / 2)])
      expect(() => pictureUrl(bytes.subarray(0, length), type)).toThrow(/damaged picture/)
  })
})
