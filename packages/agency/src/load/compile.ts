// A file compiled: its module, or all that is wrong with it.
import { relative } from 'node:path'
import { ToolwrightError } from '@toolwright/core'
import { type EmitOptions, type Emitted, emit } from '../emit/emit.ts'
import { faultText } from '../syntax/fault.ts'
import { type Program, program, type Source } from './host.ts'

/** The files that `path` leads to have faults: each is told, and nothing of them is run. */
export class AgencyError extends ToolwrightError {
  /** How many faults there are. */
  readonly count: number

  constructor(code: string, message: string, count: number) {
    super(code, message)
    this.count = count
    // What went wrong is in the files, not here.
    this.stack = `${this.name}: ${this.message}`
  }
}

/** The faults of a file, as a person reads them. */
export function faultsText({ path, source, checked }: Source, root: string = process.cwd()): string {
  const near = relative(root, path)
  const shown = near.startsWith('..') ? path : near
  return checked.faults.map(fault => faultText(fault, source, shown)).join('\n\n')
}

/** Compiles a file. Throws an {@link AgencyError} where it, or what it imports, has faults. */
export function compileFile(path: string, options: EmitOptions = {}, files: Program = program()): Emitted {
  const file = files.file(path)
  if (!file) throw new ToolwrightError('A4001', `there is no file ${path}`)
  refuseFaulty(files)
  return emit(file.checked, file.source, file.path, options)
}

/** Throws one error with all faults of the files that were read. */
export function refuseFaulty(files: Program): void {
  const faulty = [...files.files.values()].filter(each => each.checked.faults.length > 0)
  const [first] = faulty
  if (!first) return
  const count = faulty.reduce((sum, each) => sum + each.checked.faults.length, 0)
  const many = count === 1 ? 'a fault' : `${count} faults`
  throw new AgencyError(
    first.checked.faults[0]!.code,
    `${many}, and nothing was run\n\n${faulty.map(each => faultsText(each)).join('\n\n')}`,
    count,
  )
}
