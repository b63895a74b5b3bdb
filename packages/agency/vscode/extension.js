// Starts the language server of the workspace's own toolwright for .agency files.
const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration('agency').get('command').split(' ')
  const cwd = workspace.workspaceFolders?.[0]?.uri.fsPath
  const server = { command, args, options: { cwd, shell: process.platform === 'win32' } }
  client = new LanguageClient('agency', 'Agency', server, { documentSelector: [{ language: 'agency' }] })
  return client.start()
}

exports.deactivate = () => client?.stop()
