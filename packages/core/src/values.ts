// The value words, reading by them, and what a model is told of them. `@toolwright/core/values`.
export type { Dialect, Provider } from './value/dialect.ts'
export { dialect } from './value/dialect.ts'
export type { Offer, ToldFunction } from './value/offer.ts'
export { toolsFor } from './value/offer.ts'
export type { Read, ReadOptions } from './value/read.ts'
export { check, read } from './value/read.ts'
export type { StandardSchema } from './value/standard.ts'
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
