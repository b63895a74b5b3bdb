import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { bytesOf, type Given, misstated } from './given.ts'

const getting = { most: 100, time: 5_000 }
const folder = mkdtempSync(join(tmpdir(), 'toolwright-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'a.txt')
writeFileSync(path, 'on disk')

const read = async (given: Given, most = 1_000): Promise<string> =>
  Buffer.from(await bytesOf(given, { most, time: 5_000 })).toString('latin1')
const url = (address: string): Given => ({ name: 'a', url: address })

describe('the bytes of an attachment', () => {
  test('come from a path', async () => {
    expect(await read({ name: 'a', type: 'text/plain', path })).toBe('on disk')
  })

  test('are the same from a Uint8Array, a Buffer, an ArrayBuffer, base64 and a data URL', async () => {
    const bytes = Uint8Array.from([0, 1, 250, 251, 252, 253, 254, 255])
    const base64 = Buffer.from(bytes).toString('base64')
    const ways: Given[] = [
      { name: 'a', bytes },
      { name: 'a', bytes: Buffer.from(bytes) },
      { name: 'a', bytes: bytes.slice().buffer },
      { name: 'a', bytes: base64 },
      { name: 'a', bytes: base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') },
      { name: 'a', bytes: `${base64.slice(0, 3)}\n${base64.slice(3)}` },
      { name: 'a', bytes: `data:application/x;base64,${base64}` },
      { name: 'a', url: `data:image/png;base64,${base64}` },
      { name: 'a', path: `data:;base64,${encodeURIComponent(base64)}` },
    ]
    for (const way of ways) expect(new Uint8Array(await bytesOf(way, getting))).toEqual(bytes)
  })

  test.each([
    ['percent-encoded', 'data:text/plain,Gr%C3%BC%c3%9fe%20%41', Buffer.from('Grüße A').toString('latin1')],
    ['without a media type', 'data:,hello', 'hello'],
    ['with parameters and upper case', 'DATA:Text/Plain;charset=UTF-8;BASE64,aGk=', 'hi'],
    ['with a comma and a stray % in it', 'data:,a,b 100%', 'a,b 100%'],
  ])('come out of a data URL %s', async (_, address, text) => {
    expect(await read(url(address))).toBe(text)
  })

  test('come out of a data URL of 10 MB', async () => {
    const bytes = Buffer.alloc(10_000_000, 'x')
    const address = `data:text/plain;base64,${bytes.toString('base64')}`
    expect((await bytesOf(url(address), { most: 11_000_000, time: 5_000 })).length).toBe(bytes.length)
  })

  test.each([
    ['http', 'http://169.254.169.254/latest'],
    ['https', 'HTTPS://example.com/a.png'],
    ['file', pathToFileURL(path).href],
    ['ftp', 'ftp://example.com/a'],
    ['blob', 'blob:x'],
  ])(
    'are not fetched from an address of %s where nothing fetches, wherever it stands',
    async (scheme, address) => {
      for (const given of [url(address), { name: 'a', path: address }])
        await expect(bytesOf(given, getting)).rejects.toMatchObject({
          code: 'T9003',
          problem: `is a ${scheme}: address`,
        })
    },
  )

  test.each([
    ['a comma is missing', 'data:text/plain'],
    ['a letter is strange', 'data:;base64,a$b='],
    ['a letter is left over', 'data:;base64,abcde'],
  ])('are refused where %s in a data URL', async (_, address) => {
    await expect(bytesOf(url(address), getting)).rejects.toMatchObject({ code: 'T9004' })
  })

  test('are refused where there are too many, before they are decoded or read', async () => {
    const big = join(folder, 'big')
    writeFileSync(big, Buffer.alloc(101))
    const ways: Given[] = [
      { name: 'a', path: big },
      { name: 'a', bytes: new Uint8Array(101) },
      { name: 'a', bytes: Buffer.alloc(101).toString('base64') },
      { name: 'a', bytes: 'A'.repeat(10_000) },
      url(`data:,${'a'.repeat(101)}`),
      url(`data:,${'a'.repeat(1_000)}`),
    ]
    for (const way of ways) await expect(bytesOf(way, getting)).rejects.toMatchObject({ code: 'T9006' })
  })

  test('are refused where the path is no file that can be opened', async () => {
    mkdirSync(join(folder, 'inner'))
    for (const wrong of [join(folder, 'none'), join(folder, 'inner'), `${path}\0.png`])
      await expect(bytesOf({ name: 'a', path: wrong }, getting)).rejects.toMatchObject({ code: 'T9002' })
  })

  test.skipIf(process.platform === 'win32')(
    'are refused at once where the path is a pipe or a device',
    async () => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      for (const wrong of [pipe, '/dev/zero'])
        await expect(bytesOf({ name: 'a', path: wrong }, getting)).rejects.toMatchObject({ code: 'T9002' })
    },
  )
})

test.each([
  ['nothing', undefined],
  ['no name', { path: 'a' }],
  ['an empty name', { name: ' ', path: 'a' }],
  ['no source', { name: 'a' }],
  ['two sources', { name: 'a', path: 'a', bytes: '' }],
  ['a type that is no text', { name: 'a', type: 3, path: 'a' }],
])('an attachment of %s is refused', (_, given) => {
  expect(misstated(given)).toMatchObject({ code: 'T9001' })
})
