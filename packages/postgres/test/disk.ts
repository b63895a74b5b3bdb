// A disk that is soon full, where the system lets a test have one.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  /** A folder on it for PostgreSQL. */
  folder: string
  /** Leaves no room. */
  fill(): void
  empty(): void
  remove(): void
}

export function smallDisk(): SmallDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const mount = mkdtempSync(join(tmpdir(), 'toolwright-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount]).status !== 0) {
    rmSync(mount, { recursive: true })
    return undefined
  }
  const folder = join(mount, 'space')
  const filler = join(mount, 'filler')
  chmodSync(mount, 0o755)
  mkdirSync(folder)
  spawnSync('chown', ['postgres', folder])
  return {
    folder,
    fill() {
      for (let size = 1 << 20; size >= 4096; size /= 2)
        try {
          writeFileSync(filler, 'x'.repeat(size), { flag: 'a' })
        } catch {
          // Less may still fit.
        }
    },
    empty: () => rmSync(filler),
    remove() {
      spawnSync('umount', [mount])
      rmSync(mount, { recursive: true, force: true })
    },
  }
}
