// The server of the tests, over stdio as editors start it.
import { serve } from '../src/lsp/server.ts'

serve(process.stdin, process.stdout)
