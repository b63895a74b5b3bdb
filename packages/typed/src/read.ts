// `@toolwright/typed/read`: how a TypeScript file is found and parsed, for other readers of types. Nothing is executed.
export type { Doc } from './read/doc.ts'
export type { Host } from './read/host.ts'
export { disk } from './read/host.ts'
export type { Module } from './read/module.ts'
export { docAt, parseModule } from './read/module.ts'
