import { describe, expect, test } from 'vitest'
import type { Job } from './child/answer.ts'
import { defaultLimits } from './limits.ts'
import { inChild } from './start.ts'

const MB = 1_048_576
const child = (name: string): URL => new URL(`../test/children/${name}.ts`, import.meta.url)
const job = (limits: Partial<Job['limits']> = {}): Job => ({
  kind: 'html',
  limits: { ...defaultLimits, ...limits },
})
const nothing = new Uint8Array()

describe('a child', () => {
  test('answers', async () => {
    const answer = await inChild(job(), Buffer.from('<p>Hi'))
    expect(answer.words?.text).toBe('Hi')
  })

  test('that loops is ended in time', async () => {
    await expect(inChild(job({ time: 250 }), nothing, undefined, child('hang'))).rejects.toMatchObject({
      code: 'T9011',
      problem: 'was not read within 250 ms',
    })
  })

  test('that does not read what it is given is ended all the same', async () => {
    const bytes = Buffer.alloc(5 * MB)
    await expect(inChild(job({ time: 250 }), bytes, undefined, child('hang'))).rejects.toMatchObject({
      code: 'T9011',
    })
  })

  test('that takes buffers is ended by its watch', async () => {
    await expect(inChild(job({ memory: 100 * MB }), nothing, undefined, child('eat'))).rejects.toMatchObject({
      code: 'T9012',
      problem: 'took more than 100 MB to read',
    })
  })

  test('that takes heap is ended by V8', async () => {
    await expect(inChild(job({ memory: 32 * MB }), nothing, undefined, child('heap'))).rejects.toMatchObject({
      code: 'T9012',
    })
  })

  test('that says too much is ended', async () => {
    await expect(inChild(job({ words: 1_000 }), nothing, undefined, child('chatter'))).rejects.toMatchObject({
      code: 'T9014',
      problem: expect.stringContaining('more than a document can hold'),
    })
  })

  test('that crashes is told with its reason', async () => {
    await expect(inChild(job(), nothing, undefined, child('die'))).rejects.toMatchObject({
      code: 'T9014',
      cause: expect.stringContaining('the reader fell over'),
    })
  })

  test('that is not there is told', async () => {
    await expect(inChild(job(), nothing, undefined, child('none'))).rejects.toMatchObject({ code: 'T9014' })
  })

  test('that is taken over can neither write nor start anything, and sees no key', async () => {
    process.env['SECRET_KEY_OF_THE_TEST'] = 'secret'
    const answer = await inChild(job(), nothing, undefined, child('reach'))
    delete process.env['SECRET_KEY_OF_THE_TEST']
    expect(answer.words?.text).toBe('ERR_ACCESS_DENIED ERR_ACCESS_DENIED undefined')
  })

  test('is ended when the signal aborts, and not begun where it has', async () => {
    const stop = new AbortController()
    const reading = inChild(job(), nothing, stop.signal, child('hang'))
    stop.abort(new Error('no longer wanted'))
    await expect(reading).rejects.toThrow('no longer wanted')
    await expect(inChild(job(), nothing, stop.signal, child('hang'))).rejects.toThrow('no longer wanted')
  })
})
