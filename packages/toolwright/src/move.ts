// `toolwright move`: the runs and threads of a SQLite file, into PostgreSQL.
import { escapeLine } from './escape.ts'
import { jsonLine } from './json.ts'
import type { Terminal } from './terminal.ts'
import { CommandError } from './trouble.ts'

type Move = (file: string, url: string) => Promise<{ runs: number; there: number; file: string }>

export async function moveCommand(
  file: string,
  url: string,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new CommandError(2, 'The second argument is the url of a PostgreSQL database: postgres://…')
  // By a name that no bundler follows: who has no such store needs no such package.
  const name = '@toolwright/postgres'
  const door = (await import(name).catch(() => undefined)) as { move: Move } | undefined
  if (!door) throw new CommandError(2, `The package ${name} is not installed: npm install ${name}`)
  const moved = await door.move(file, url)
  if (json) {
    terminal.out(`${jsonLine(moved)}\n`)
    return
  }
  const { runs, there } = moved
  const before = there === 0 ? '' : ` ${there} were there before, and stay as they are there.`
  terminal.out(
    `Moved ${runs} ${runs === 1 ? 'run' : 'runs'}.${before} The file is ${escapeLine(moved.file)} now.\n`,
  )
}
