// `@toolwright/core/sqlite`: the engine of an app on one machine. Needs Node.
export type { Seal } from './engine/sealed.ts'
export { sealWith } from './sqlite/seal.ts'
export type { SqliteOptions } from './sqlite/sqlite.ts'
export { sqlite } from './sqlite/sqlite.ts'
