// The value words: `toolwright/values`.
export {
  anything,
  choice,
  date,
  flag,
  integer,
  list,
  number,
  optional,
  record,
  text,
} from '@toolwright/core/values'
