// Attachments that are given by an address: through the guard, and nothing else.
import net from 'node:net'
import { agent, run, useFiles } from '@toolwright/core'
import { type GuardOptions, guardedFetch } from '@toolwright/core/fetch'
import { says, scripted } from '@toolwright/core/test'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, type Recorder, recorder, reply } from '../../core/test/support/server.ts'
import { attachments, readFiles } from '../src/index.ts'

const open: Recorder[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

/** A fetch for which every public host is in truth a server here; it records where sockets go. */
async function internet(answer: Answer, names: Record<string, string> = {}) {
  const server = await recorder(answer)
  open.push(server)
  const port = Number(new URL(server.url).port)
  const targets: string[] = []
  const options: GuardOptions = {
    resolve: async name => [names[name] ?? '93.184.216.34'],
    connect: target => {
      targets.push(target.address)
      return net.connect({ host: '127.0.0.1', port })
    },
  }
  return { server, targets, fetch: guardedFetch(options) }
}

const at = (url: string) => [{ name: 'a.txt', url }]

describe('an attachment that is given by an https address', () => {
  it('is fetched, whether it stands as url or as path, and joins the message', async () => {
    const { fetch, server } = await internet((_, response) => reply(response, 200, 'the words'))
    useFiles(attachments({ fetch }))
    const reader = agent(scripted([says('yes')]), 'You read.')
    const files = [{ name: 'a.txt', type: 'text/plain', path: 'https://files.example/a?x=1' }]
    await run(reader, 'Read it.', { files })
    expect(reader.history[0]!.text).toContain('the words')
    expect(server.arrived).toMatchObject([{ method: 'GET', url: '/a?x=1', headers: { accept: '*/*' } }])
    const [read] = await readFiles(at('HTTPS://files.example/b'), { fetch })
    expect(read).toMatchObject({ kind: 'words', text: 'the words' })
  })

  it('follows redirects to other public hosts, and to no inner one', async () => {
    const { fetch, targets } = await internet(
      ({ url }, response) =>
        url === '/out'
          ? reply(response, 302, '', { location: 'https://other.example/file' })
          : url === '/in'
            ? reply(response, 302, '', { location: 'https://inner.example/latest' })
            : url === '/plain'
              ? reply(response, 302, '', { location: 'http://other.example/file' })
              : reply(response, 200, 'far'),
      { 'inner.example': '169.254.169.254' },
    )
    expect(await readFiles(at('https://a.example/out'), { fetch })).toMatchObject([{ text: 'far' }])
    const before = targets.length
    for (const path of ['in', 'plain'])
      await expect(readFiles(at(`https://a.example/${path}`), { fetch })).rejects.toMatchObject({
        code: 'T9016',
        problem: expect.stringContaining('T4021'),
      })
    expect(targets.slice(before)).toEqual(['93.184.216.34', '93.184.216.34'])
  })

  it.each([
    'https://169.254.169.254/latest',
    'https://[::ffff:7f00:1]/',
    'https://0x7f.1/',
    'https://localhost./',
    'http://files.example/a',
    'https://me:secret@files.example/a',
  ])('is not fetched from %s', async url => {
    const { fetch, targets } = await internet(() => ({}), { 'localhost.': '127.0.0.1' })
    await expect(readFiles(at(url), { fetch })).rejects.toMatchObject({ code: 'T9016' })
    await expect(readFiles(at(url))).rejects.toMatchObject({ code: 'T9016' })
    expect(targets).toEqual([])
  })

  it('is refused with its reason where the server has no such file, gives too much, or nothing in time', async () => {
    const { fetch } = await internet(({ url }, response) =>
      url === '/404'
        ? reply(response, 404, 'no')
        : url === '/big'
          ? reply(response, 200, 'x'.repeat(2_000))
          : undefined,
    )
    const error = await readFiles(
      ['404', 'big', 'slow'].map(path => ({ name: `${path}.txt`, url: `https://a.example/${path}` })),
      { fetch, limits: { size: 1_000, time: 150 } },
    ).catch(cause => cause)
    expect(error.code).toBe('T9016')
    expect(error.problem).toMatch(/404\.txt: was not to be had: a\.example answered 404 \(T9016/)
    expect(error.problem).toMatch(/big\.txt: has too many bytes, and at most 1,000 are read \(T9006/)
    expect(error.problem).toMatch(/slow\.txt: was not fetched: .*within 150 ms \(T4024\)/)
  })

  it('is refused without a look where fetching is switched off, and files of other schemes always', async () => {
    await expect(readFiles(at('https://a.example/'), { fetch: false })).rejects.toMatchObject({
      code: 'T9003',
    })
    const { fetch, targets } = await internet(() => ({}))
    for (const url of ['file:///etc/passwd', 'ftp://a.example/', 'blob:https://a.example/1', 'gopher://x/'])
      await expect(readFiles(at(url), { fetch })).rejects.toMatchObject({ code: 'T9003' })
    expect(targets).toEqual([])
  })
})
