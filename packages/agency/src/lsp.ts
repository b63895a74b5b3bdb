// `@toolwright/agency/lsp`: the language server. Needs Node.
export { serve } from './lsp/server.ts'
