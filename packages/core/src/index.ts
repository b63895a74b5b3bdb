// The public surface. Anything named here is public; nothing else is.
export type { App, AppStated, Service } from './app/app.ts'
export { app, memory } from './app/app.ts'
export type { Approvers, People } from './app/people.ts'
export type { AgentStart, Answered, RunOrId, RunResult, Runs, StartOptions } from './app/runs.ts'
export type { Agent, AgentStated, Sequence } from './define/agent.ts'
export { agent, isAgent } from './define/agent.ts'
export type { Context, Llm, LlmOptions, Variables } from './define/context.ts'
export type { Entry } from './define/entries.ts'
export type { FileRead, FileReader, FilesRead, GivenFile } from './define/files.ts'
export { useFiles } from './define/files.ts'
export type { Flow, FlowContext, FlowStated, FlowTyped, StepHands, StepOptions } from './define/flow.ts'
export { flow, isFlow } from './define/flow.ts'
export type { Duration, LimitName, LimitsStated, Size } from './define/limits.ts'
export type {
  Attachment,
  Call,
  FunctionObject,
  Json,
  JsonSchema,
  Message,
  Model,
  Origin,
  Piece,
  Price,
  Request,
  Settings,
  Turn,
  TurnPiece,
  Usage,
} from './define/records.ts'
export { ANSWER, DECLINED, READ_FILE } from './define/records.ts'
export type { ResultPart, ToolResult } from './define/result.ts'
export { result } from './define/result.ts'
export type { Access, Danger, Line, Tool, ToolStated, Usable } from './define/tool.ts'
export { tool } from './define/tool.ts'
export type { Expanded, Plain, PlainTool, Typed } from './define/typed.ts'
export { schema } from './define/typed.ts'
export type { Around } from './define/wrap.ts'
export { wrapTool } from './define/wrap.ts'
export type { Clock } from './engine/clock.ts'
export type { Asked, Engine, Filter, RunRecord, Start, Status, Step } from './engine/engine.ts'
export type { Ask, Decision } from './engine/place.ts'
export type { Code, Fault } from './errors.ts'
export { codes, ToolwrightError } from './errors.ts'
export { attachToReply, endTurn, handBack, llm } from './loop/ambient.ts'
export type { Result, Run } from './loop/handle.ts'
export type { Log, LogEvent } from './loop/log.ts'
export { logTo } from './loop/logfile.ts'
export type { ModelStated } from './loop/model.ts'
export { model } from './loop/model.ts'
export type { Partially } from './loop/partial.ts'
export type { Approver, RunOptions } from './loop/run.ts'
export { ask, run } from './loop/run.ts'
export type { Thread } from './loop/thread.ts'
export { thread } from './loop/thread.ts'
export type { AiSdkOptions } from './model/aisdk/model.ts'
export { fromAiSdk } from './model/aisdk/model.ts'
export type { AiSdkModel } from './model/aisdk/spec.ts'
export type { AiSdkTool } from './model/aisdk/tools.ts'
export { fromAiSdkTools } from './model/aisdk/tools.ts'
export type { Api } from './model/api.ts'
export type { ApiClock } from './model/clock.ts'
export type { EndpointOptions } from './model/endpoint.ts'
export { endpoint, served } from './model/endpoint.ts'
export { fallback } from './model/fallback.ts'
export { costOf } from './model/price.ts'
export { streamed } from './model/streamed.ts'
export { title } from './model/title.ts'
export type { ModelError } from './model/trouble.ts'
export { windowOf } from './model/window.ts'
export type { InferArguments, InferInput, Read, Shape, Statement } from './value/shape.ts'
export type { StandardSchema } from './value/standard.ts'
