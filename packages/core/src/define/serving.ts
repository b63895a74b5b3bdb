// An outside server in a list of tools: one entry that stands for several definitions, which may come and go.
import type { Definition } from './tool.ts'

/** The key under which an outside server carries its {@link Serving}. */
export const SERVING: unique symbol = Symbol.for('toolwright.serving') as never

/** What an outside server offers. */
export interface Serving {
  /** The service that `trust` may name. */
  readonly name: string
  /** The tools that it stands for; each may say by `offered` that it is not to be told now. */
  readonly definitions: readonly Definition[]
  /** Is waited for before each turn of a model that is told these tools; rejects where no run may begin. */
  ready?(warn: (text: string) => void): void | Promise<void>
}

/** Something that stands for several tools in a list. */
export interface Served {
  readonly [SERVING]: Serving
}

/** What `value` stands for, if it stands for several tools. */
export function servingOf(value: unknown): Serving | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return (value as Partial<Served>)[SERVING]
}
