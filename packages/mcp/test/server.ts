// A server over stdio, by hand, for the tests of what a process can do: its argument says how it behaves.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [how = '', canary = ''] = process.argv.slice(2)
if (canary !== '') appendFileSync(canary, `started ${process.pid}\n`)
if (how === 'dies at once') {
  process.stderr.write('no such database\n')
  process.exit(3)
}

const say = (message: unknown): void => void process.stdout.write(`${JSON.stringify(message)}\n`)
const tool = (name: string) => ({ name, description: `Does ${name}`, inputSchema: { type: 'object' } })

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (how === 'silent' || id === undefined) return
  const answer = (result: unknown): void => say({ jsonrpc: '2.0', id, result })
  if (method === 'initialize')
    answer({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'hand', version: '1' },
    })
  else if (method === 'tools/list') answer({ tools: ['get', 'die', 'big', 'count', 'environment'].map(tool) })
  else if (method === 'tools/call') {
    const text = (said: string): void => answer({ content: [{ type: 'text', text: said }] })
    if (canary !== '')
      appendFileSync(canary, `called ${params.name} ${params._meta?.['toolwright/callKey']}\n`)
    if (params.name === 'die') {
      process.stderr.write(`the disk is full, and so is ${process.env['SECRET'] ?? 'everything'}\n`, () =>
        process.exit(7),
      )
    } else if (params.name === 'big') text('x'.repeat(10_000_000))
    else if (params.name === 'environment') text(Object.keys(process.env).sort().join(' '))
    else text(`${params.name} ran in ${process.pid}`)
  } else say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'there is no such method' } })
})
