#!/usr/bin/env node
// Says what is missing before anything fails in a way nobody can read; then the command itself. In a checkout that is
// not built it runs from source, which needs a Node of its own with the conditions that the sources are found by.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`toolwright needs Node 22.19 or newer, and this is ${process.versions.node}.`)
  process.exit(1)
}
const args = process.argv.slice(2)
const [command, file = ''] = args
const name = command === 'run' && file.endsWith('.agency') ? 'quick' : 'main'
const built = new URL(`../dist/${name}.js`, import.meta.url)
if (existsSync(built)) await import(built.href)
else {
  const source = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))
  const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
  // A child gets ctrl-C as this process does; what is typed ends the child, and its code ends this.
  process.on('SIGINT', () => {})
  const { status } = spawnSync(process.execPath, [...flags, source, ...args], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
