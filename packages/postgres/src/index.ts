export type { Moved, MoveOptions } from './move.ts'
export { move } from './move.ts'
export type { PostgresOptions } from './postgres.ts'
export { postgres } from './postgres.ts'
