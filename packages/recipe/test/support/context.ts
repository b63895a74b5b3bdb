// A context of a call whose steps are kept in a journal, which can die before or after its n-th write.
import type { Inner } from '@toolwright/core/engine'
import { decode, encode } from '@toolwright/core/engine'

export interface Life {
  ctx: Inner
  /** What the journal holds, as bytes. */
  kept: Map<string, string>
  /** Resolves when the process has died. */
  died: Promise<void>
}

/** `dies: 3` dies after its third write, `dies: -3` in place of it. */
export function life(kept = new Map<string, string>(), dies = 0): Life {
  let writes = 0
  let dead = false
  let die = (): void => {}
  const died = new Promise<void>(resolve => {
    die = resolve
  })
  const forever = (): Promise<never> => {
    dead = true
    die()
    return new Promise(() => {})
  }
  const names = new Set<string>()
  const ctx = {
    signal: new AbortController().signal,
    callKey: 'run 1/tool 1.1',
    person: undefined,
    deps: undefined,
    progress() {},
    endTurn() {},
    handBack() {},
    attachToReply() {},
    async step<T>(name: string, fn: () => T | Promise<T>): Promise<T> {
      if (dead) return await forever()
      if (names.has(name)) throw new Error(`the step ${name} is there twice`)
      names.add(name)
      const before = kept.get(name)
      if (before !== undefined) return decode(JSON.parse(before)) as T
      const value = await fn()
      writes++
      if (dead || writes === -dies) return await forever()
      kept.set(name, JSON.stringify(encode(value, name)))
      if (writes === dies) return await forever()
      return decode(JSON.parse(kept.get(name)!)) as T
    },
  } as unknown as Inner
  return { ctx, kept, died }
}
