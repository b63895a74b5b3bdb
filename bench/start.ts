// Import time: whole processes that import a subject's packages and end, in turn with processes that import nothing.
import { spawnSync } from 'node:child_process'
import { environment } from './environment.ts'

const HERE = new URL('.', import.meta.url)

/**
 * For each list of imports the milliseconds of a whole process, round by round; the first is bare Node's.
 * Nothing is cached between processes but by the operating system, which one round not counted warms up.
 */
export function starts(
  lists: readonly (readonly string[])[],
  rounds: number,
  flags: readonly string[],
): number[][] {
  const all = [[], ...lists]
  const times: number[][] = all.map(() => [])
  for (let round = -1; round < rounds; round++)
    all.forEach((imports, i) => {
      const ms = start(imports, flags)
      if (round >= 0) times[i]!.push(ms)
    })
  return times
}

function start(imports: readonly string[], flags: readonly string[]): number {
  const program = `${imports.map(name => `import '${name}'`).join('\n')}\nprocess.exit(0)`
  const began = performance.now()
  const ended = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    cwd: HERE,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ms = performance.now() - began
  if (ended.status !== 0) throw new Error(`importing ${imports.join(', ')} failed: ${ended.stderr}`)
  return ms
}
