// Installs the real parts that tests run against (peers/), where they are missing or older than their lock.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'peers')
const mark = join(folder, 'node_modules', '.toolwright')
const lock = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
  console.log('Installing the peers that the tests run against (peers/, once) …')
  const run = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (run.status === 0) writeFileSync(mark, lock)
  else {
    // Without them the tests that need one are skipped, each by its name; CI must not pass like that.
    console.error('The peers could not be installed: tests that need one are skipped.')
    if (process.env.CI) process.exit(1)
  }
}
