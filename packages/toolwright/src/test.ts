// Models for tests and examples: `toolwright/test`.
export type { ScriptedTurn, TurnExtras } from '@toolwright/core/test'
export { calls, says, scripted } from '@toolwright/core/test'
