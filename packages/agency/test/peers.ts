// Packages among the peers (peers/), which `npm test` installs; a test that needs one is left out where it is not there.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const peers = new URL('../../../peers/', import.meta.url)

/** The folder of a package; nothing where it is not installed. */
export function peer(name: string): string | undefined {
  const folder = fileURLToPath(new URL(`node_modules/${name}`, peers))
  return existsSync(folder) ? folder : undefined
}

export const requirePeer = createRequire(new URL('package.json', peers))
