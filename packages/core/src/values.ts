// The value words, and reading by them. `@toolwright/core/values`.
export type { Read, ReadOptions } from './value/read.ts'
export { check, read } from './value/read.ts'
export type {
  AnyWord,
  Fields,
  Infer,
  InferGiven,
  ListOptions,
  NumberOptions,
  RecordOptions,
  TextOptions,
  Word,
  WordOptions,
} from './value/words.ts'
export { anything, choice, date, flag, integer, list, number, optional, record, text } from './value/words.ts'
