// A reader that was taken over, and tells what it could do: write a file, start a process, see a key.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

function tried(work: () => unknown): string {
  try {
    work()
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

const text = [
  tried(() => writeFileSync(new URL('./written', import.meta.url), '')),
  tried(() => spawnSync(process.execPath, ['-e', '0'])),
  String(process.env['SECRET_KEY_OF_THE_TEST']),
].join(' ')
process.stdout.write(JSON.stringify({ words: { type: 'text/plain', text, notes: [] } }))
