// Who may do what: start a run, be whom a call is made for, answer an ask.
import type { Access, Definition } from '../define/tool.ts'
import type { Ask, Decision } from '../engine/place.ts'

/** Whether a person may answer an ask that is another's; the starter always may. */
export type Approvers = (person: string, ask: Ask & { run: string }) => boolean | Promise<boolean>

/** Whether a person is (still) there. */
export type People = (person: string) => boolean | Promise<boolean>

/** Whether `access` lets `person` in. */
export async function letsIn(access: Access, person: string | undefined): Promise<boolean> {
  if (access === 'anyone') return true
  if (access === 'signedIn') return person !== undefined
  return (await access(person)) === true
}

/** Why no call of `definition` may be made for `person` now; nothing where one may. Looked up anew for each call. */
export function bars(
  person: string | undefined,
  people: People | undefined,
): (definition: Definition) => Promise<string | undefined> {
  return async ({ access }) => {
    try {
      if (person !== undefined && people && (await people(person)) !== true)
        return 'the person who started the run is not there any more.'
      if (access !== undefined && !(await letsIn(access, person)))
        return 'the person who started the run may not use it.'
      return undefined
    } catch {
      // Who cannot be looked up is let in nowhere.
      return 'the person who started the run could not be looked up.'
    }
  }
}

/** What the model is told of a call that nobody agreed to. */
export function notAgreed(tool: string, decision: Decision & { approved: false }): string {
  const why = decision.expired
    ? ' The question expired: nobody answered in time.'
    : decision.nobody
      ? ' Nobody could be asked any more.'
      : decision.why
        ? ` The reason: ${decision.why}`
        : ''
  return `T7111: ${tool} was not carried out: the person did not agree.${why}`
}
