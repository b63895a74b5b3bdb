// What went wrong, in words for whoever typed the command.
import { escapeText } from './escape.ts'

/** Something that the person who typed the command can mend. `code` is what the command exits with. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: 1 | 2

  constructor(code: 1 | 2, message: string) {
    super(message)
    this.code = code
  }
}

/** Any error in words, escaped; one with a code names the command that explains it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return escapeText(String(error))
  // By its name, for the error may come from another copy of the core, which the agent's file brought.
  const code = error.name === 'ToolwrightError' && 'code' in error ? String(error.code) : ''
  return `${escapeText(error.message)}${code ? `\n  toolwright explain ${escapeText(code)}` : ''}`
}
