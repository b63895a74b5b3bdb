// A fetch that reaches public addresses only. `@toolwright/core/fetch`.
export type { Reach } from './fetch/address.ts'
export { reachOf } from './fetch/address.ts'
export type { Connect, Resolve, Target } from './fetch/door.ts'
export type { GuardedFetch, GuardedRequest, GuardOptions, Reply } from './fetch/fetch.ts'
export { guardedFetch } from './fetch/fetch.ts'
