// The public surface. Anything named here is public; nothing else is.

export { check } from './check/check.ts'
export type { Checked, CheckHost, Exported, ModuleFace } from './check/checker.ts'
export type { AgencyCode } from './errors.ts'
export { codes } from './errors.ts'
export type { Parsed } from './parse/parse.ts'
export { parse } from './parse/parse.ts'
export type * as ast from './syntax/ast.ts'
export type { AgencyFault, Position } from './syntax/fault.ts'
export { faultText, lineStarts, positionOf } from './syntax/fault.ts'
export type { PrintOptions } from './syntax/print.ts'
export { print } from './syntax/print.ts'
