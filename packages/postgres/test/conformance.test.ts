// The engine of many machines does what every engine does, on a real PostgreSQL.
import { afterAll, describe, test } from 'vitest'
import { conformance } from '../../core/test/engines/conformance.ts'
import { postgres } from '../src/index.ts'
import { hasPostgres, type Server, startServer, without } from './server.ts'

if (hasPostgres) {
  const server: Server = await startServer(['-c', 'fsync=off'])
  afterAll(() => server.stop())
  const url = await server.database()
  conformance({ name: 'postgres', make: (schema, clock) => postgres(url, { schema, clock }) })
} else describe.skip(`postgres${without}`, () => test('does what every engine does', () => {}))
