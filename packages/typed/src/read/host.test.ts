// Where an import leads: files beside, the `paths` of a tsconfig, packages and their conditions.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { disk } from './host.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-host-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const files: Record<string, string> = {
  'app/package.json': '{ "type": "module", "imports": { "#own/*": "./src/own/*.ts" } }',
  'app/tsconfig.json':
    '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "~types": ["./src/types.ts"] } } }',
  'app/src/main.ts': '',
  'app/src/types.ts': '',
  'app/src/own/one.ts': '',
  'app/src/folder/index.ts': '',
  'app/src/both.ts': '',
  'app/src/both.js': '',
  'app/node_modules/typed/package.json':
    '{ "exports": { ".": { "types": "./index.d.ts", "default": "./index.js" } } }',
  'app/node_modules/typed/index.d.ts': '',
  'app/node_modules/typed/index.js': '',
  'app/node_modules/plain/index.js': '',
  'app/node_modules/plain/package.json': '{ "main": "index.js" }',
  'app/node_modules/@types/plain/index.d.ts': '',
  'app/node_modules/@types/plain/package.json': '{ "types": "index.d.ts" }',
  'shared/package.json':
    '{ "exports": { ".": { "development": "./src/index.ts", "types": "./dist/index.d.ts", "default": "./dist/index.js" } } }',
  'shared/src/index.ts': '',
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(base, file)), { recursive: true })
  writeFileSync(join(base, file), text)
}
symlinkSync(join(base, 'shared'), join(base, 'app/node_modules/shared'), 'junction')

describe('an import', () => {
  const led: Record<string, string | undefined> = {
    './types.ts': 'app/src/types.ts',
    './types': 'app/src/types.ts',
    './types.js': 'app/src/types.ts',
    './both.js': 'app/src/both.ts',
    './folder': 'app/src/folder/index.ts',
    './missing.ts': undefined,
    '@/types': 'app/src/types.ts',
    '@/types.ts': 'app/src/types.ts',
    '@/types.js': 'app/src/types.ts',
    '@/folder': 'app/src/folder/index.ts',
    '~types': 'app/src/types.ts',
    '#own/one': 'app/src/own/one.ts',
    typed: 'app/node_modules/typed/index.d.ts',
    plain: 'app/node_modules/@types/plain/index.d.ts',
    // A package of the same repository that was not built.
    shared: 'shared/src/index.ts',
    nowhere: undefined,
    'node:fs': undefined,
  }
  for (const [specifier, to] of Object.entries(led))
    it(`of ${specifier} leads ${to ? `to ${to}` : 'nowhere'}`, () => {
      expect(disk.resolve(specifier, join(base, 'app/src/main.ts'))).toBe(to && join(base, to))
    })
})
