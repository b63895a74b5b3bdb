// The port, for those who write an engine or a door. `@toolwright/core/engine`.

export type { Handed, Inner } from './define/context.ts'
export type { Told } from './define/entries.ts'
export type { FlowDefinition } from './define/flow.ts'
export { FLOW } from './define/flow.ts'
export { duration } from './define/limits.ts'
export { unknownOptions } from './define/names.ts'
export type { Served, Serving } from './define/serving.ts'
export { SERVING, servingOf } from './define/serving.ts'
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
export { fromText } from './engine/journal.ts'
export type { KeeperOptions } from './engine/keeper.ts'
export { keeper } from './engine/keeper.ts'
export type { Ask, Decision, Outcome, Place, Row } from './engine/place.ts'
export type { Seal } from './engine/sealed.ts'
export { sealed } from './engine/sealed.ts'
export { listed } from './engine/steps.ts'
export type {
  AskWrite,
  Claimed,
  Kept,
  News,
  RecordWrite,
  RowWrite,
  Shown,
  State,
  StateWrite,
  Store,
  Wakeable,
  Watcher,
  Write,
} from './engine/store.ts'
export { GONE, Lost, THREAD } from './engine/store.ts'
export { refuse } from './errors.ts'
export { current } from './loop/ambient.ts'
export type { Beginning } from './loop/begin.ts'
export { begin } from './loop/begin.ts'
export { logged } from './loop/logfile.ts'
export type { CallOptions } from './loop/once.ts'
export { callOnce } from './loop/once.ts'
export { fromPerson, mend, Thread } from './loop/thread.ts'
export type { Mask } from './mask/mask.ts'
export { mask } from './mask/mask.ts'
export type { Shape } from './value/shape.ts'
export { shape, shapeOf } from './value/shape.ts'
