// Fresh projects: a folder with a few files, which finds the packages of this repository, and programs run in it.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** The sources that each fresh project begins with. */
export const project = fileURLToPath(new URL('../project', import.meta.url))

/** What `src/print.ts` of a fresh project prints. */
export const expected = 'Done.\n2 of tea\n11\n4\nmilk\n1 of rye\n5\nthing,count\nnoted nuts'

const print = `import { lines } from './agent.ts'\nconsole.log(lines)\n`
const failing = `import { fail } from './agent.ts'\nfail()\n`

export interface Projects {
  /** A folder `name` with the project in it, and with `files`. */
  fresh(name: string, files?: Record<string, string>): string
  remove(): void
}

export function projects(): Projects {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-typed-')))
  return {
    fresh(name, files = {}) {
      const folder = join(base, name)
      mkdirSync(folder)
      cpSync(project, join(folder, 'src'), { recursive: true })
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', private: true }))
      writeFileSync(join(folder, 'src/print.ts'), print)
      writeFileSync(join(folder, 'src/failing.ts'), failing)
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), text)
      }
      return folder
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs Node in a folder. */
export function node(cwd: string, ...args: string[]): Promise<Ended> {
  return runIn(cwd, process.execPath, '--disable-warning=ExperimentalWarning', ...args)
}

/** Runs a program in a folder, which takes the sources of this repository in place of what is built of them. */
export function runIn(cwd: string, program: string, ...args: string[]): Promise<Ended> {
  // What the test runner sets for itself is not meant for those that run inside of it.
  const outer = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|VITE|NODE_ENV|FORCE_COLOR|TEST$)/.test(name),
  )
  const env = { ...Object.fromEntries(outer), NODE_OPTIONS: '--conditions=development', NO_COLOR: '1' }
  return new Promise(done =>
    execFile(program, ['--conditions=development', ...args], { cwd, env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )
}

/** A package among the peers; nothing where they are not installed. */
export function peer(name: string): string | undefined {
  const folder = join(root, 'peers/node_modules', name)
  return existsSync(folder) ? folder : undefined
}

/** Where a text begins in a file, counted from 1. */
export function placeOf(file: string, text: string): { line: number; column: number } {
  const before = readFileSync(file, 'utf8').split(text)[0]!
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
}
