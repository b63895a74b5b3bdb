// The value words, and reading by them: `toolwright/values`.
export type {
  AnyWord,
  Fields,
  Infer,
  InferGiven,
  ListOptions,
  NumberOptions,
  Read,
  ReadOptions,
  RecordOptions,
  TextOptions,
  Word,
  WordOptions,
} from '@toolwright/core/values'
export {
  anything,
  check,
  choice,
  date,
  flag,
  integer,
  list,
  number,
  optional,
  read,
  record,
  text,
} from '@toolwright/core/values'
