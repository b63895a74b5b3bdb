// For the commands that people give: what a server offers beside its lock. `@toolwright/mcp/people`.
export type { ServerNews, ToolNews, Whereabouts } from './people/lock.ts'
export {
  agreeToStart,
  approve,
  differsFromLock,
  insideOf,
  isMcpService,
  look,
  written,
} from './people/lock.ts'
