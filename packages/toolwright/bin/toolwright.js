#!/usr/bin/env node
// Says what is missing before anything fails in a way nobody can read; then the command itself.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`toolwright needs Node 22.19 or newer, and this is ${process.versions.node}.`)
  process.exit(1)
}
const [command, file = ''] = process.argv.slice(2)
await import(command === 'run' && file.endsWith('.agency') ? '../dist/quick.js' : '../dist/main.js')
