// What is published: builds, packs, and passes the checks of the ecosystem. Only in the full run, because it builds.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const full = process.env['TOOLWRIGHT_FULL'] === '1'

describe.skipIf(!full)('the packages (full run only: it builds them)', () => {
  test('pass publint and attw, and core stays under 3 MB', { timeout: 240_000 }, () => {
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'pipe' })
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-pack-'))
    try {
      for (const name of ['core', 'files', 'typed', 'recipe', 'toolwright']) {
        const cwd = join(root, 'packages', name)
        execFileSync('npm', ['pack', '--pack-destination', folder], { cwd, stdio: 'pipe' })
        const tarball = readdirSync(folder).find(file =>
          file.startsWith(name === 'toolwright' ? 'toolwright-0' : `toolwright-${name}-`),
        )!
        execFileSync('publint', ['run', join(folder, tarball), '--strict'], { stdio: 'pipe' })
        execFileSync('attw', [join(folder, tarball), '--profile', 'esm-only'], { stdio: 'pipe' })
      }
      const listing = execFileSync('npm', ['pack', '--dry-run', '--json'], {
        cwd: join(root, 'packages/core'),
        encoding: 'utf8',
      })
      const [packed] = JSON.parse(listing) as [{ unpackedSize: number; files: { path: string }[] }]
      expect(packed.unpackedSize).toBeLessThan(3_000_000)
      expect(packed.files.filter(f => /\.test\.|tsbuildinfo/.test(f.path))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    expect(existsSync(join(root, 'packages/core/dist/index.js'))).toBe(true)
  })
})
