// The one error class, and the list of codes. Each code has a page in docs/errors/, which a test holds together
// with this list. A code is chosen once and never reused.

/** Every code that this package throws or tells, with one line on what happened. */
export const codes = {
  T1001: 'a definition has faults',
  T1009: 'a tool is told under a reserved name',
  T2001: 'the input of a tool that code called does not read',
  T2002: 'a value word has faults',
  T2003: 'a statement is neither value words nor a JSON Schema',
  T2004: 'a keyword of a JSON Schema is wrong',
  T2005: 'a reference of a JSON Schema leads nowhere',
  T2006: 'a pattern of a JSON Schema cannot be used',
  T2007: 'a schema of another library gives no JSON Schema',
  T2008: 'a schema of another library answers later',
  T2009: 'a tool cannot be told to a provider',
  T2101: 'a type has no form in JSON',
  T2102: 'a kind of type is not read',
  T2103: 'an input has no type',
  T2104: 'an input is no record',
  T2105: 'a type cannot be found',
  T2106: 'a type parameter is bound to nothing',
  T2107: 'a tag of a doc comment is wrong',
  T2108: 'the types of a file were not read',
  T2109: 'a file does not parse',
  T2110: 'a type has no end',
  T2111: 'a type lets every value through',
  T2112: 'a function cannot be told as it stands',
  T2113: 'no doc comment says what a tool does',
  T3001: 'no model is named',
  T3002: 'a model API needs a key, and there is none',
  T3003: 'the address of a model API is no http(s) address',
  T3004: 'a model API could not be reached',
  T3005: 'a model API refused the request',
  T3006: 'a model API cannot answer now: too many requests, or a fault of its own',
  T3007: 'a model API answered with something that is no answer of a chat API',
  T3008: 'an answer broke off before it was whole',
  T3009: 'a model API reported an error in its answer',
  T3010: 'a model API was silent for too long',
  T3011: 'a scripted model was asked for more turns than it has',
  T3012: 'two tools cannot be told apart under the names that a provider takes',
  T3013: 'the API of a served model could not be had',
  T3014: 'what was given as a model is none',
  T3015: 'none of several models could be had',
  T3016: 'a model took longer than it may',
  T6001: 'another process owns the store',
  T6002: 'another process took a store over',
  T6003: 'a store cannot be used now',
  T6004: 'a store was written by a newer version',
  T6005: 'a store is damaged',
  T6006: 'a run no longer follows its journal',
  T6007: 'a name twice in one place',
  T6008: 'there is no such run',
  T6009: 'a run is parked',
  T6010: 'what a store keeps was sealed with something else',
  T6011: 'a file is the database of another program',
  T4001: 'a recipe is no JSON object',
  T4002: 'a recipe has a key that is none',
  T4003: 'something of a recipe is missing',
  T4004: 'a key of a recipe holds something of another kind',
  T4005: 'the sources of a recipe are not named a, b, c and so on',
  T4006: 'the url of a source cannot be used',
  T4007: 'a placeholder of a recipe leads nowhere',
  T4008: 'the name of a parameter cannot be used',
  T4009: 'the parts of a parameter do not fit together',
  T4010: 'a path of a recipe cannot be read',
  T4012: 'a connection has faults',
  T4013: 'a secret of a connection is not there',
  T4014: 'a connection needs somebody to sign in',
  T4015: 'a folder of recipes cannot be loaded',
  T4016: 'an OpenAPI document cannot be imported',
  T4021: 'an address may not be reached',
  T4022: 'a redirect was not followed',
  T4023: 'an answer is too large',
  T4024: 'an answer did not come in time',
  T4025: 'a server could not be reached',
  T4026: 'a connection broke',
  T5001: 'nothing of an outside server is approved',
  T5002: 'a lock of outside servers cannot be used',
  T5003: 'a lock is of another server',
  T5004: 'an approved tool of an outside server is gone',
  T5005: 'a tool of an outside server is not what was approved',
  T5006: 'a command was not started, because nobody agreed to it',
  T5007: 'an outside server could not be reached',
  T5008: 'an outside server went away in the middle of a call',
  T5009: 'an outside server needs somebody to sign in',
  T5010: 'an outside server did not answer in time',
  T5011: 'the statement of an outside server has faults',
  T5012: 'what is to be offered as a server has faults',
  T7001: 'a model gave no answer that reads',
  T7002: 'a limit of a run is spent, and there is no answer',
  T7003: 'something of a run was used outside of a run',
  T7004: 'a step gave what a journal cannot keep',
  T7005: 'two steps of one place at the same time',
  T7006: 'agents stand deeper in agents than the limit allows',
  T7007: 'the work inside of a call was stopped',
  T7013: 'something was asked for from inside of itself, and would wait for itself',
  T7014: 'a model gave what is no turn',
  T7009: 'a flow that is a tool does not state about, input and output',
  T7012: "a flow that is a tool does not state as: 'starter'",
  T7015: 'a flow gave what its output does not allow',
  T7016: 'a step of a flow took too long',
  T7017: 'a flow waits for a signal outside of an app',
  T7018: 'a call that the code of a flow made failed',
  T7019: 'a run may not be started from outside by this person',
  T7020: 'a person may not answer an ask',
  T7021: 'a run has ended, and hears nothing any more',
  T7022: 'a run ended without an answer',
  T7023: 'a run has no such step',
  T7024: 'an app has no such agent or flow',
  T7111: 'a call that a person was asked about and did not agree to',
  T7011: 'files were given, and nothing is there to read them',
  T7010: 'a picture was attached that is none',
  T7008: 'an attachment is not there',
} as const

/** A stable code of an error: a key of {@link codes}, or a code of another package. */
export type Code = keyof typeof codes | (string & {})

/**
 * An error for people: what happened (`message`), its stable `code`, and the mend (`fix`).
 * The message begins with the code and ends with the mend. It never holds a secret.
 */
export class ToolwrightError extends Error {
  override readonly name = 'ToolwrightError'
  readonly code: Code
  /** What happened, without the code and the mend: short enough to tell a model. */
  readonly problem: string
  /** What to do about it, one sentence; empty where nothing can be said. */
  readonly fix: string

  constructor(code: Code, message: string, options: { fix?: string; cause?: unknown } = {}) {
    const fix = options.fix ?? ''
    super(
      `${code}: ${message}${fix ? `\n  ${fix}` : ''}`,
      'cause' in options ? { cause: options.cause } : undefined,
    )
    this.code = code
    this.problem = message
    this.fix = fix
  }
}

/** One fault of a definition: the option it is in, what is wrong, and the mend. */
export interface Fault {
  option: string
  problem: string
  fix?: string
  code?: Code
}

/**
 * Throws one error that lists every fault of the definition `what`, or does nothing where there are none. Its code is
 * the one that all faults share, else T1001; a fault with another code names it in its line.
 */
export function refuse(what: string, faults: readonly Fault[]): void {
  const [first] = faults
  if (!first) return
  const code = faults.every(f => f.code === first.code) ? (first.code ?? 'T1001') : 'T1001'
  const lines = faults.map(f => {
    const own = f.code && f.code !== code ? `${f.code}: ` : ''
    return `  ${f.option}: ${own}${f.problem}${f.fix ? ` (${f.fix})` : ''}`
  })
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  throw new ToolwrightError(code, `${what} has ${count}:\n${lines.join('\n')}`)
}
