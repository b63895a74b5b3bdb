// The language server: speaks to an editor over a stream, and answers from features.ts. It executes nothing.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CompletionItemKind,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  ErrorCodes,
  type Range,
  ResponseError,
  SemanticTokensBuilder,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { check } from '../check/check.ts'
import type { Checked, CheckHost, ModuleFace } from '../check/checker.ts'
import { format } from '../format/format.ts'
import { foreignFaces } from '../load/foreign.ts'
import { foreignModule, RELATIVE } from '../load/host.ts'
import { parse } from '../parse/parse.ts'
import type { Span } from '../syntax/ast.ts'
import {
  completions,
  definition,
  hover,
  meanings,
  outline,
  references,
  rename,
  signatureHelp,
  symbolAt,
} from './features.ts'

const KINDS = {
  function: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  field: CompletionItemKind.Field,
  module: CompletionItemKind.Module,
  keyword: CompletionItemKind.Keyword,
}
const OUTLINE = {
  function: SymbolKind.Function,
  node: SymbolKind.Event,
  type: SymbolKind.Struct,
  variable: SymbolKind.Variable,
}
const MEANINGS = ['function', 'variable', 'parameter', 'type', 'namespace'] as const

/** Serves an editor over the streams until it says `exit`. */
export function serve(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): void {
  const connection = createConnection(input, output)
  const documents = new TextDocuments(TextDocument)
  const known = new Map<string, { version: number; checked: Checked }>()

  /** A file as the editor has it, else as it lies on the disk. */
  const textOf = (path: string): string | undefined => {
    for (const document of documents.all()) if (pathOf(document.uri) === path) return document.getText()
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }
  const checkedOf = (uri: string): { document: TextDocument; checked: Checked } | undefined => {
    const document = documents.get(uri)
    if (!document) return undefined
    const before = known.get(uri)
    if (before?.version === document.version) return { document, checked: before.checked }
    const { program, faults } = parse(document.getText())
    const checked = check(program, hostFor(pathOf(uri), textOf), faults)
    known.set(uri, { version: document.version, checked })
    return { document, checked }
  }

  connection.onInitialize(() => ({
    serverInfo: { name: 'toolwright' },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['.'] },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
      documentSymbolProvider: true,
      signatureHelpProvider: { triggerCharacters: ['(', ','] },
      documentFormattingProvider: true,
      semanticTokensProvider: {
        legend: { tokenTypes: [...MEANINGS], tokenModifiers: ['declaration'] },
        full: true,
      },
    },
  }))

  documents.onDidChangeContent(({ document }) => {
    // What another file imports from this one may have changed.
    known.clear()
    for (const each of documents.all()) {
      const found = checkedOf(each.uri)!
      const diagnostics = found.checked.faults.map(
        (fault): Diagnostic => ({
          range: rangeOf(each, fault),
          severity: DiagnosticSeverity.Error,
          code: fault.code,
          source: 'agency',
          message: fault.hint === undefined ? fault.message : `${fault.message}\n${fault.hint}`,
        }),
      )
      if (each === document || each.languageId === document.languageId)
        void connection.sendDiagnostics({ uri: each.uri, version: each.version, diagnostics })
    }
  })
  documents.onDidClose(({ document }) => {
    known.delete(document.uri)
    void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] })
  })

  /** Answers `give` of the file and the offset that a request names; nothing of a file that is not open. */
  const at = <T>(
    {
      textDocument,
      position,
    }: { textDocument: { uri: string }; position: { line: number; character: number } },
    give: (checked: Checked, offset: number, document: TextDocument) => T,
  ): T | null => {
    const found = checkedOf(textDocument.uri)
    return found ? give(found.checked, found.document.offsetAt(position), found.document) : null
  }

  connection.onCompletion(params =>
    at(params, (checked, offset) =>
      completions(checked, offset).map(({ name, kind, code, doc }) => ({
        label: name,
        kind: KINDS[kind],
        detail: code,
        ...(doc ? { documentation: doc } : {}),
      })),
    ),
  )
  connection.onHover(params =>
    at(params, (checked, offset, document) => {
      const found = hover(checked, offset)
      if (!found) return null
      const value = `\`\`\`agency\n${found.code}\n\`\`\`${found.doc ? `\n\n${found.doc}` : ''}`
      return { contents: { kind: 'markdown' as const, value }, range: rangeOf(document, found.span) }
    }),
  )
  connection.onDefinition(params =>
    at(params, (checked, offset, document) => {
      const span = definition(checked, offset)
      return span ? { uri: document.uri, range: rangeOf(document, span) } : null
    }),
  )
  connection.onReferences(params =>
    at(params, (checked, offset, document) =>
      references(checked, offset).map(span => ({ uri: document.uri, range: rangeOf(document, span) })),
    ),
  )
  connection.onPrepareRename(params =>
    at(params, (checked, offset, document) => {
      const found = symbolAt(checked, offset)
      return found ? rangeOf(document, found.name) : null
    }),
  )
  connection.onRenameRequest(params =>
    at(params, (checked, offset, document) => {
      const spans = rename(checked, offset, params.newName)
      if (typeof spans === 'string') throw new ResponseError(ErrorCodes.InvalidParams, spans)
      const edits = spans.map(span => ({ range: rangeOf(document, span), newText: params.newName }))
      return { changes: { [document.uri]: edits } }
    }),
  )
  connection.onSignatureHelp(params =>
    at(params, (checked, offset) => {
      const help = signatureHelp(checked, offset)
      if (!help) return null
      const { code, params: list, active, doc } = help
      const parameters = list.map(label => ({ label }))
      const one = { label: code, parameters, ...(doc ? { documentation: doc } : {}) }
      return { signatures: [one], activeSignature: 0, activeParameter: active }
    }),
  )
  connection.onDocumentSymbol(({ textDocument }) => {
    const found = checkedOf(textDocument.uri)
    return (found ? outline(found.checked) : []).map(({ name, kind, span, at }) => ({
      name,
      kind: OUTLINE[kind],
      range: rangeOf(found!.document, span),
      selectionRange: rangeOf(found!.document, at),
    }))
  })
  connection.onDocumentFormatting(({ textDocument }) => {
    const document = documents.get(textDocument.uri)
    const formatted = document && format(document.getText())
    if (!document || !formatted || 'faults' in formatted) return []
    const whole = { start: 0, end: document.getText().length }
    return [{ range: rangeOf(document, whole), newText: formatted.text }]
  })
  connection.languages.semanticTokens.on(({ textDocument }) => {
    const builder = new SemanticTokensBuilder()
    const found = checkedOf(textDocument.uri)
    for (const { span, meaning, declares } of found ? meanings(found.checked) : []) {
      const { line, character } = found!.document.positionAt(span.start)
      builder.push(line, character, span.end - span.start, MEANINGS.indexOf(meaning), declares ? 1 : 0)
    }
    return builder.build()
  })

  documents.listen(connection)
  connection.listen()
}

function rangeOf(document: TextDocument, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) }
}

function pathOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri
}

/** Modules as files. Nothing of them is executed. */
function hostFor(
  path: string,
  textOf: (path: string) => string | undefined,
  open: readonly string[] = [],
): CheckHost {
  return {
    module(specifier): ModuleFace | undefined {
      if (!RELATIVE.test(specifier) || !specifier.endsWith('.agency'))
        return foreignModule(specifier, path, foreignFaces())
      const file = resolve(dirname(path), specifier)
      const text = textOf(file)
      if (text === undefined) return undefined
      if (open.includes(file)) return { names: undefined, agency: false }
      return check(parse(text).program, hostFor(file, textOf, [...open, path])).face
    },
  }
}
