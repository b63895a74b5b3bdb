// Threads: `thread { }`, `subthread { }`, and what `std::thread` brings.
import type { Message } from '@toolwright/core'
import { current, type Inner } from '@toolwright/core/engine'
import { outside } from './llm.ts'
import { text } from './values.ts'

export { attachToReply, endTurn, handBack } from '@toolwright/core'

interface Said {
  role: string
  content: string
}

interface Kept {
  id: string
  messages: () => Said[]
}

/** The threads of a call, the first of which is its own. */
const threads = new WeakMap<Inner, Kept[]>()

function within(what: string): Inner {
  const inner = current()
  if (!inner) throw outside(what)
  return inner
}

function said(messages: readonly Message[]): Said[] {
  return messages.map(({ role, text: content }) => ({ role, content }))
}

function threadsOf(inner: Inner): Kept[] {
  let list = threads.get(inner)
  if (!list) {
    const own = inner.messages
    list = [{ id: 'main', messages: () => said(own) }]
    threads.set(inner, list)
  }
  return list
}

/** Begins a thread: new, or as a copy of the one that is written to. It ends when it is closed. */
export function openThread(sub: boolean): { readonly messages: Said[]; close: () => void } {
  const inner = within(sub ? 'subthread' : 'thread')
  const list = threadsOf(inner)
  const close = inner.aside(sub)
  const { messages } = inner
  list.push({ id: `thread ${list.length}`, messages: () => said(messages) })
  return {
    get messages() {
      return said(messages)
    },
    close,
  }
}

export function systemMessage(content: unknown): void {
  within('systemMessage').say('system', text(content))
}

export function userMessage(content: unknown): void {
  const images = pictures(content)
  within('userMessage').say('user', images.words, images.pictures)
}

export function assistantMessage(content: unknown): void {
  within('assistantMessage').say('assistant', text(content))
}

function pictures(content: unknown): { words: string; pictures: string[] } {
  const parts = Array.isArray(content) ? content : [content]
  const urls = parts.filter(part => typeof part === 'string' && part.startsWith('data:image/'))
  const words = parts.filter(part => !urls.includes(part)).map(text)
  return { words: words.join('\n'), pictures: urls }
}

/** A picture as a data URL: of a file, or of what is one already. */
export async function image(source: string): Promise<string> {
  if (source.startsWith('data:')) return source
  const { readFile } = await import('node:fs/promises')
  const bytes = await readFile(source)
  return `data:${typeOf(bytes)};base64,${bytes.toString('base64')}`
}

function typeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\x89PNG')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF8')) return 'image/gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp'
  throw new TypeError('this is no picture: PNG, JPEG, GIF and WebP are')
}

/** The text of a file. */
export async function file(source: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return await readFile(source, 'utf8')
}

/** Tokens read and written so far. */
export function getTokens(): number {
  const { tokens, input } = within('getTokens').usage
  return tokens + input
}

/** US dollars so far, where they are known. */
export function getCost(): number {
  return within('getCost').usage.cost ?? 0
}

export function listThreads(): { id: string; messages: Said[] }[] {
  return threadsOf(within('listThreads')).map(({ id, messages }) => ({ id, messages: messages() }))
}

/** The messages of the thread that is written to, or of the one called `id`. */
export function getThread(id?: string | null): Said[] {
  const inner = within('getThread')
  if (id == null) return said(inner.messages)
  return (
    threadsOf(inner)
      .find(each => each.id === id)
      ?.messages() ?? []
  )
}
