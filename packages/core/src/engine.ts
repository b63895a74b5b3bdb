// The port, for those who write an engine or a door. `@toolwright/core/engine`.
export type { Handed, Inner } from './define/context.ts'
export type { Told } from './define/entries.ts'
export type { Definition } from './define/tool.ts'
export { definition, definitionOf, TOOL, toTool } from './define/tool.ts'
export type { Clock } from './engine/clock.ts'
export { realClock } from './engine/clock.ts'
export { decode, encode } from './engine/codec.ts'
export type {
  Answer,
  Asked,
  Caps,
  Engine,
  Filter,
  Flow,
  RecordKind,
  RunPlace,
  RunRecord,
  Start,
  Status,
  Step,
} from './engine/engine.ts'
export { settledAs } from './engine/engine.ts'
export { fromText, toText } from './engine/journal.ts'
export type { KeeperOptions } from './engine/keeper.ts'
export { keeper } from './engine/keeper.ts'
export type { MemoryRun } from './engine/memory.ts'
export { memory, pathOf } from './engine/memory.ts'
export { memoryStore } from './engine/memory-store.ts'
export type { Ask, Decision, Outcome, Place, Row, StepContext } from './engine/place.ts'
export { Stop } from './engine/stop.ts'
export type { Claimed, Kept, News, State, Store, Wakeable, Watcher, Write } from './engine/store.ts'
export { Lost } from './engine/store.ts'
export type { Beginning } from './loop/begin.ts'
export { begin } from './loop/begin.ts'
export { fromPerson, mend, Thread } from './loop/thread.ts'
export { shapeOf } from './value/shape.ts'
