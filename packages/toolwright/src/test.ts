// Models for tests and examples: `toolwright/test`.
export { calls, says, scripted } from '@toolwright/core/test'
