// Threads, as TypeScript beside a program begins them: by the same doors as the runtime of the language.
import type { Message } from '@toolwright/core'
import { current } from '@toolwright/core/engine'

async function aside<T>(copied: boolean, work: () => Promise<T>): Promise<T> {
  const close = current()!.aside(copied)
  try {
    return await work()
  } finally {
    close()
  }
}

/** `thread { }` */
export const thread = <T>(work: () => Promise<T>): Promise<T> => aside(false, work)
/** `subthread { }` */
export const subthread = <T>(work: () => Promise<T>): Promise<T> => aside(true, work)
/** `goto`: the other node has a thread of its own. */
export const moved = <T>(work: () => Promise<T>): Promise<T> => aside(false, work)

export function say(role: 'system' | 'user' | 'assistant', words: string, pictures: string[] = []): void {
  current()!.say(role, words, pictures)
}

/** The messages of the thread that is written to. */
export function said(): readonly Message[] {
  return current()!.messages
}
