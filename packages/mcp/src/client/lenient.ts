// The official client, which takes the answers of tools as they come: what one of them got wrong is no reason to lose it.
import { Client, type ClientOptions, type RequestOptions } from '@modelcontextprotocol/client'

/** Lets every value through. */
export const ANYTHING = {
  '~standard': { version: 1, vendor: 'toolwright', validate: (value: unknown) => ({ value }) },
} as const

class Lenient extends Client {
  override request(asked: { method: string }, second?: unknown, third?: unknown): Promise<never> {
    const all = super.request as (...given: unknown[]) => Promise<never>
    const typed = typeof second === 'object' && second !== null && '~standard' in second
    if (typed || asked.method !== 'tools/call') return all.call(this, asked, second, third)
    return all.call(this, asked, ANYTHING, second as RequestOptions)
  }
}

/** A client under our name. */
export function lenient(options: ClientOptions): Client {
  return new Lenient({ name: 'toolwright', version: '1' }, options)
}
