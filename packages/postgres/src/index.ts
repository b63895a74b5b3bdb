export type { PostgresOptions } from './postgres.ts'
export { postgres } from './postgres.ts'
