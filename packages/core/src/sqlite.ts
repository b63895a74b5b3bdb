// `@toolwright/core/sqlite`: the engine of an app on one machine. Needs Node.
export type { Seal } from './engine/sealed.ts'
export { isStore } from './sqlite/base.ts'
export type { ContentAsk, ContentRun, Contents } from './sqlite/contents.ts'
export { contents } from './sqlite/contents.ts'
export { sealWith } from './sqlite/seal.ts'
export type { SqliteOptions } from './sqlite/sqlite.ts'
export { sqlite } from './sqlite/sqlite.ts'
