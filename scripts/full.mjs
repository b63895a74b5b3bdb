// The full run: the numbers that are promised, in place of the seeded slices of `npm test`.
import { spawnSync } from 'node:child_process'

const env = { ...process.env, TOOLWRIGHT_FULL: '1', TOOLWRIGHT_RUNS: process.env.TOOLWRIGHT_RUNS ?? '3000' }
const args = ['run', '--testTimeout=900000', ...process.argv.slice(2)]
const run = spawnSync('vitest', args, { env, stdio: 'inherit', shell: process.platform === 'win32' })
process.exit(run.status ?? 1)
