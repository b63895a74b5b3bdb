// Models for tests and examples: no network, no key. `@toolwright/core/test`.
export type { ScriptedTurn, TurnExtras } from './model/scripted.ts'
export { calls, says, scripted } from './model/scripted.ts'
