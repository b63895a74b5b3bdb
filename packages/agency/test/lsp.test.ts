// The language server, driven by a real client over stdio, on a file with faults in it.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'

const server = fileURLToPath(new URL('./lspserver.ts', import.meta.url))
const child = spawn(
  process.execPath,
  ['--conditions=development', '--disable-warning=ExperimentalWarning', server],
  { stdio: ['pipe', 'pipe', 'inherit'] },
)
const uri = 'file:///work/orders.agency'
const source = `type Order = { id: string, total: number }

def total(orders: Order[], tax: number = 0): number {
  """
  Adds up orders.
  """
  let sum = 0
  for (order in orders) {
    sum = sum + order.total
  }
  return sum * (1 + tax)
}

node main() {
  const orders: Order[] = [{ id: "a", total: 1 }]
  const all = total(orders, tax: 2)
  const first = orders[0]
  print(first.id)
  return totl(orders)
}
`

let connection: ProtocolConnection
const diagnostics = new Map<string, (found: Diagnostic[]) => void>()

/** The position of the `n`th place where \`text\` stands, so many characters behind its beginning. */
function at(text: string, n = 1, behind = 0): { line: number; character: number } {
  let offset = -1
  for (let i = 0; i < n; i++) offset = source.indexOf(text, offset + 1)
  const before = source.slice(0, offset + behind).split('\n')
  return { line: before.length - 1, character: before.at(-1)!.length }
}
const ask = (method: string, position: { line: number; character: number }, more = {}) =>
  connection.sendRequest<never>(method, { textDocument: { uri }, position, ...more })
const lineOf = (range: { start: { line: number } }): number => range.start.line

describe('the language server', () => {
  let faults: Diagnostic[] = []
  beforeAll(async () => {
    connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    )
    connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics: found }) =>
      diagnostics.get(uri)?.(found),
    )
    connection.listen()
    const { capabilities } = await connection.sendRequest<{ capabilities: object }>('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
    })
    expect(Object.keys(capabilities)).toContain('renameProvider')
    await connection.sendNotification('initialized', {})
    const told = new Promise<Diagnostic[]>(resolve => diagnostics.set(uri, resolve))
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'agency', version: 1, text: source },
    })
    faults = await told
  }, 30_000)
  afterAll(async () => {
    await connection.sendRequest('shutdown')
    await connection.sendNotification('exit')
    connection.dispose()
  })

  it('tells faults with their codes, places and hints', () => {
    expect(faults).toMatchObject([
      { code: 'A2001', range: { start: at('totl'), end: at('totl', 1, 4) }, source: 'agency' },
    ])
    expect(faults[0]!.message).toContain('did you mean `total`?')
  })

  it('completes names and fields', async () => {
    const fields = (await ask('textDocument/completion', at('first.id', 1, 6))) as { label: string }[]
    expect(fields.map(each => each.label).sort()).toEqual(['id', 'total'])
    const names = (await ask('textDocument/completion', at('print(first'))) as {
      label: string
      detail: string
    }[]
    expect(names.map(each => each.label)).toEqual(
      expect.arrayContaining(['first', 'all', 'orders', 'total', 'print', 'return']),
    )
    expect(names.find(each => each.label === 'all')!.detail).toBe('const all: number')
  })

  it('shows types and docs', async () => {
    const shown = (await ask('textDocument/hover', at('total(orders, tax', 1, 2))) as {
      contents: { value: string }
    }
    expect(shown.contents.value).toContain('def total')
    expect(shown.contents.value).toContain('Adds up orders.')
    const first = (await ask('textDocument/hover', at('first.id', 1, 1))) as { contents: { value: string } }
    expect(first.contents.value).toContain('const first: Order')
  })

  it('finds where a name is declared and used, types among them', async () => {
    const declared = (await ask('textDocument/definition', at('total(orders, tax'))) as never as {
      range: never
    }
    expect(lineOf(declared.range)).toBe(at('def total').line)
    const used = (await ask('textDocument/references', at('sum', 2), {
      context: { includeDeclaration: true },
    })) as never as {
      range: { start: { line: number } }
    }[]
    expect(used.map(each => each.range.start.line)).toEqual([6, 8, 8, 10])
    const types = (await ask('textDocument/references', at('Order[]'), {
      context: { includeDeclaration: true },
    })) as never as {
      range: never
    }[]
    expect(types.map(each => lineOf(each.range)).sort((a, b) => a - b)).toEqual([0, 2, 14])
  })

  it('renames what this file declares, and says why not otherwise', async () => {
    const edit = (await ask('textDocument/rename', at('sum = 0'), { newName: 'amount' })) as never as {
      changes: { [uri: string]: { newText: string }[] }
    }
    expect(edit.changes[uri]).toHaveLength(4)
    await expect(ask('textDocument/rename', at('print'), { newName: 'say' })).rejects.toThrow(
      'not declared in this file',
    )
    await expect(ask('textDocument/rename', at('sum = 0'), { newName: 'order s' })).rejects.toThrow(
      'is no name',
    )
    await expect(ask('textDocument/rename', at('sum = 0'), { newName: 'tax' })).rejects.toThrow('already')
  })

  it('helps with a call while it is written', async () => {
    const help = (await ask('textDocument/signatureHelp', at('tax: 2', 1, 5))) as never as {
      signatures: { label: string }[]
      activeParameter: number
    }
    expect(help.signatures[0]!.label).toMatch(/^total\(orders: Order\[\], tax: number\) -> number$/)
    expect(help.activeParameter).toBe(1)
  })

  it('lists what a file declares, lays it out, and tells what names mean', async () => {
    const symbols = (await connection.sendRequest('textDocument/documentSymbol', {
      textDocument: { uri },
    })) as {
      name: string
    }[]
    expect(symbols.map(each => each.name)).toEqual(['Order', 'total', 'main'])
    const options = { tabSize: 2, insertSpaces: true }
    const [edit] = (await connection.sendRequest('textDocument/formatting', {
      textDocument: { uri },
      options,
    })) as {
      newText: string
    }[]
    expect(edit!.newText).toContain('type Order = {\n  id: string;\n  total: number;\n}\n')
    const tokens = (await connection.sendRequest('textDocument/semanticTokens/full', {
      textDocument: { uri },
    })) as {
      data: number[]
    }
    expect(tokens.data.length % 5).toBe(0)
    // The first name is the type \`Order\`, where it is declared.
    expect(tokens.data.slice(0, 5)).toEqual([0, 5, 5, 3, 1])
  })

  it('answers from what is written now', async () => {
    const told = new Promise<Diagnostic[]>(resolve => diagnostics.set(uri, resolve))
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: at('totl'), end: at('totl', 1, 4) }, text: 'total' }],
    })
    expect(await told).toEqual([])
  })

  it('knows what TypeScript gives that is imported, and runs none of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agency-lsp-'))
    try {
      writeFileSync(
        join(folder, 'host.ts'),
        `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')
/** Halves it. */
export function half(n: number): number { return n / 2 }
`,
      )
      writeFileSync(join(folder, 'other.agency'), 'print("ran")\nexport def one(): number { return 1 }\n')
      const uri = pathToFileURL(join(folder, 'main.agency')).href
      const text =
        'import { half } from "./host.ts"\nimport { one } from "./other.agency"\nnode main() {\n  return half("x") + one(1)\n}\n'
      const told = new Promise<Diagnostic[]>(resolve => diagnostics.set(uri, resolve))
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'agency', version: 1, text },
      })
      expect((await told).map(each => [each.code, each.range.start])).toEqual([
        ['A3001', { line: 3, character: 14 }],
        ['A2003', { line: 3, character: 25 }],
      ])
      const hover = await connection.sendRequest<{ contents: { value: string } }>('textDocument/hover', {
        textDocument: { uri },
        position: { line: 3, character: 10 },
      })
      expect(hover.contents.value).toContain('def half(n: number): number')
      expect(hover.contents.value).toContain('Halves it.')
      const laid = await connection.sendRequest<unknown>('textDocument/formatting', {
        textDocument: { uri },
        options: { tabSize: 2, insertSpaces: true },
      })
      expect(laid).toBeDefined()
      expect(existsSync(join(folder, 'ran'))).toBe(false)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
