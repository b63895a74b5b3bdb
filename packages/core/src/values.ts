// The value words. `@toolwright/core/values`.
export { anything, choice, date, flag, integer, list, number, optional, record, text } from './value/words.ts'
