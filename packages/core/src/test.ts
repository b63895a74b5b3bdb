// Models for tests and examples: no network, no key. `@toolwright/core/test`.
export { calls, says, scripted } from './model/scripted.ts'
