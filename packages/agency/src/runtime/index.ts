// The names that the emitter writes.
export { callNamed, def } from './def.ts'
export { llm } from './llm.ts'
export type { Later, Node } from './node.ts'
export { node, runModule } from './node.ts'
export * from './prelude.ts'
export * from './thread.ts'
export {
  each,
  eachLater,
  entries,
  failure,
  isFailure,
  isIn,
  isSuccess,
  moveTo,
  orLater,
  orNow,
  pairs,
  same,
  success,
  text,
  tryLater,
  tryNow,
} from './values.ts' // prettier
