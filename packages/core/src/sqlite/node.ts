// SQLite as Node has it: had when the first store is opened, so that importing this package costs and warns of nothing.
import type { DatabaseSync } from 'node:sqlite'
import { ToolwrightError } from '../errors.ts'

type Sqlite = { DatabaseSync: typeof DatabaseSync }

/** Opens a database. Throws `T6003` where this platform has no SQLite. */
export function database(...args: ConstructorParameters<typeof DatabaseSync>): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined
  if (!sqlite)
    throw new ToolwrightError('T6003', 'this platform has no node:sqlite', {
      fix: 'use Node 22.19 or newer, or another store',
    })
  return new sqlite.DatabaseSync(...args)
}
