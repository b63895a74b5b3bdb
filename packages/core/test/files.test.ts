// Files with a message, by a reader that a test makes: what joins, who may name them, what is taken back.
import { afterEach, describe, expect, test } from 'vitest'
import type { Attachment, Model } from '../src/define/records.ts'
import { agent, type FileReader, type FilesRead, run, tool, useFiles } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { text } from '../src/values.ts'

const picture = 'data:image/png;base64,AAAA'
const reader: FileReader = {
  again: files => show(files as never),
  async read(files) {
    if (files.some(f => f.name === 'bad')) throw new Error('bad cannot be read: it is empty')
    return show(files)
  },
}

function show(files: readonly { name: string; type?: string }[]): FilesRead {
  return {
    text: files.map(f => `<${f.name}>words</${f.name}>`).join(' '),
    images: files.filter(f => f.type?.startsWith('image/')).map(() => picture),
    files,
    tool: tool('read_file', {
      about: 'reads on',
      readOnly: true,
      input: { name: text() },
      run: ({ name }) => `more of ${name}`,
    }),
  }
}

const file = (name: string, type = 'text/plain'): Attachment => ({ name, type, path: `/tmp/${name}` })

afterEach(() => useFiles(undefined))

describe('files of a message', () => {
  test('without a reader it is an error that says how to get one', async () => {
    await expect(
      run(agent(scripted([says('x')]), '', []), 'go', undefined, [file('a')]),
    ).rejects.toMatchObject({ code: 'T7011' })
  })

  test('their words join the message, pictures go with it, and read_file is offered, in later runs too', async () => {
    useFiles(reader)
    const offered: string[][] = []
    const inner = scripted([calls([['read_file', '{"name":"a"}']]), says('one'), says('two')])
    const model: Model = {
      ...inner,
      turn: (r, each, signal) => (
        offered.push(r.tools.map(t => t.function.name)), inner.turn(r, each, signal)
      ),
    }
    const a = agent(model, '', [])
    a.approve = () => Promise.reject(new Error('read_file never asks'))
    expect(await run(a, 'look', { files: [file('a'), file('p', 'image/png')] })).toBe('one')
    expect(a.history[0]).toMatchObject({
      text: 'look\n\n<a>words</a> <p>words</p>',
      images: [picture],
      origin: { from: 'person' },
    })
    expect(a.history[2]!.text).toBe('more of a')
    expect(await run(a, 'and?')).toBe('two')
    expect(offered).toEqual([['read_file'], ['read_file'], ['read_file']])
  })

  test('what cannot be read is refused before the first request, and leaves no trace', async () => {
    useFiles(reader)
    const a = agent(scripted([says('fine')]), '', [])
    const handle = run(a, 'look', { files: [file('bad')] })
    await expect(handle).rejects.toThrow('bad cannot be read')
    const kinds: string[] = []
    for await (const piece of handle) kinds.push(piece.kind)
    expect(kinds).toEqual(['error'])
    expect(a.history).toEqual([])
    expect(await run(a, 'again')).toBe('fine')
  })

  test('an agent is handed attachments of its caller’s thread, by name, and no others', async () => {
    useFiles(reader)
    const seen: string[] = []
    const child = agent('child', {
      model: { name: 'c', turn: async r => (seen.push(r.messages[0]!.text), says('read')) },
      instructions: '',
      tools: [],
    })
    const turn = calls([
      ['child', '{"message":"sum up","files":["a"]}'],
      ['child', '{"message":"sum up","files":["/etc/passwd"]}'],
    ])
    const a = agent('main', { model: scripted([turn, says('end')]), instructions: '', tools: [child] })
    await run(a, 'go', { files: [file('a'), file('b')] })
    expect(seen).toEqual(['sum up\n\n<a>words</a>'])
    expect(a.history.filter(m => m.role === 'tool').map(m => m.text)).toEqual([
      'read',
      'T7008: there is no attachment "/etc/passwd" on this thread: there are "a", "b"',
    ])
  })

  test('a server that refuses the picture does not spoil the conversation', async () => {
    useFiles(reader)
    const refusing: Model = {
      name: 'm',
      turn: async r => {
        if (r.messages.some(m => m.images))
          throw Object.assign(new Error('400: no images please'), { status: 400 })
        return says('went on')
      },
    }
    const a = agent(refusing, '', [])
    await expect(run(a, 'look', { files: [file('p', 'image/png')] })).rejects.toThrow('no images')
    expect(a.history[0]!.images).toBeUndefined()
    expect(a.history[0]!.text).toContain(
      "[Left out, because the model's server refused the request: image/png]",
    )
    expect(await run(a, 'go on')).toBe('went on')
  })
})
