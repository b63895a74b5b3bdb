// The engine of a file: what every engine does, and what only a file can suffer.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { sqlite } from '../../src/sqlite.ts'
import { conformance } from './conformance.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

conformance({ name: 'sqlite', make: (store, clock) => sqlite(join(folder, `${store}.db`), { clock }) })
