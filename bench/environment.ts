// What the processes of the subjects are started with: no telemetry, no tracing, no exporter, for anybody.

/** The environment of every subject's process. */
export const environment: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_ENV: 'production',
  MASTRA_TELEMETRY_DISABLED: '1',
  MASTRA_OFFLINE: '1',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGSMITH_TRACING: 'false',
  LANGCHAIN_TRACING_V2: 'false',
  LANGCHAIN_CALLBACKS_BACKGROUND: 'false',
}
