// The extension for VS Code: it packs without a warning, with all that it needs in it, and starts the language server.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { peer } from './peers.ts'

const source = fileURLToPath(new URL('../vscode', import.meta.url))
const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'agency-vscode-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the extension', () => {
  it('says of each file that it names where it is, and when it begins', () => {
    const { main, contributes, engines, activationEvents, dependencies } = manifest
    const [language] = contributes.languages
    const [grammar] = contributes.grammars
    for (const file of [main, language.configuration, grammar.path, 'README.md', 'LICENSE'])
      expect(readFileSync(join(source, file), 'utf8')).not.toBe('')
    expect(grammar.scopeName).toBe(JSON.parse(readFileSync(join(source, grammar.path), 'utf8')).scopeName)
    expect([language.id, grammar.language]).toEqual(['agency', 'agency'])
    expect(activationEvents).toEqual(['onLanguage:agency'])
    expect(engines.vscode).toMatch(/^\^1\.\d+\.0$/)
    // A pinned version: what is packed today is packed the same tomorrow.
    expect(Object.values(dependencies)).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
  })

  it('starts the language server with the command of the settings, in the folder of the workspace', async () => {
    const started: { server: unknown; options: unknown }[] = []
    let stopped = 0
    class LanguageClient {
      constructor(_id: string, _name: string, server: unknown, options: unknown) {
        started.push({ server, options })
      }
      start(): Promise<void> {
        return Promise.resolve()
      }
      stop(): void {
        stopped++
      }
    }
    const modules: Record<string, unknown> = {
      vscode: {
        workspace: {
          getConfiguration: (section: string) => ({
            get: (name: string) =>
              manifest.contributes.configuration.properties[`${section}.${name}`].default,
          }),
          workspaceFolders: [{ uri: { fsPath: '/work' } }],
        },
      },
      'vscode-languageclient/node': { LanguageClient },
    }
    const exports: { activate?: () => Promise<void>; deactivate?: () => void } = {}
    runInNewContext(readFileSync(join(source, manifest.main), 'utf8'), {
      exports,
      require: (name: string) => modules[name],
      process,
    })
    await exports.activate!()
    expect(started).toEqual([
      {
        server: {
          command: 'npx',
          args: ['toolwright', 'lsp'],
          options: { cwd: '/work', shell: process.platform === 'win32' },
        },
        options: { documentSelector: [{ language: 'agency' }] },
      },
    ])
    exports.deactivate!()
    expect(stopped).toBe(1)
  })
})

/** The names of what is in a ZIP, by its directory at the end. */
function entriesOf(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 46))
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  return names
}

const vsce = peer('@vscode/vsce')
const without = vsce ? '' : ' (left out: peers/ is not installed, which npm test does)'

describe.skipIf(!vsce)(`the extension as it is packed${without}`, () => {
  it('has all its files, and nothing is warned of', { timeout: 60_000 }, async () => {
    const copy = join(folder, 'agency')
    cpSync(source, copy, { recursive: true, filter: path => !path.includes('node_modules') })
    const packed = join(folder, 'agency.vsix')
    // Without what it depends on, which would be fetched first.
    const args = ['package', '--no-dependencies', '--allow-missing-repository', '--out', packed]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(vsce!, 'vsce'), ...args], {
      cwd: copy,
    })
    expect(`${stdout}${stderr}`).not.toMatch(/WARN|ERROR/)
    const names = entriesOf(readFileSync(packed)).filter(name => name.startsWith('extension/'))
    expect(names.sort()).toEqual([
      'extension/LICENSE.txt',
      'extension/extension.js',
      'extension/language-configuration.json',
      'extension/package.json',
      'extension/readme.md',
      'extension/syntaxes/agency.tmLanguage.json',
    ])
  })
})
