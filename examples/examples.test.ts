// Each example is run as a person would run it: it ends by itself with exit code 0 and prints what it is about.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
/** What another example is made of. */
const parts = ['desk.ts', 'desk.d.agency.ts']
const files = readdirSync(here).filter(
  file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !parts.includes(file),
)

/** A line of what each prints. */
const key: Record<string, string> = {
  'agency-app.ts': 'tool 1 main/llm 2/ask 1.1 asks: tidy {"note":"an old bill"}',
  'approvals.ts': 'pay {"to":"Landlord","euros":1200}: its own rule asks. Yes.',
  'ask.ts': 'invoice 2026-114: 192.50 EUR, due 2026-05-01',
  'demo.ts': '    approved by the demo: 24.50 euros are not more than 50',
  'first-agent.ts': 'Take an umbrella: it rains at 14 degrees.',
  'handoff.ts': 'The tea tasting is on Friday at six. (ended by: turn)',
  'limits.ts': 'Nothing on the first two pages; I had to stop there. (limit: steps)',
  'llm-in-a-tool.ts': "4 turns of models in all; the agent's own thread has 4 messages",
  'nested-agents.ts': '▼ toolExecution librarian',
  'notes.ts': 'nightly removed 2 notes; 1 is left',
  'outside-server.ts': '  T5005: library.search was not run: it is not what was approved any more',
  'recipes.ts':
    'the model sees {"a":{"name":"Seaview"},"c":[{"room":"r1","price":90},{"room":"r2","price":120}]}',
  'stop.ts': 'stopped: Once upon a time there was a teapot,',
  'streaming.ts': 'answer, 1 call',
}

async function play(file: string, env: Record<string, string> = {}) {
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AI_|FORCE_COLOR)/.test(name)),
  )
  const args = ['--conditions=development', '--disable-warning=ExperimentalWarning', `${here}${file}`]
  const options = { env: { ...own, ...env }, timeout: 10_000 }
  return await promisify(execFile)(process.execPath, args, options).then(
    done => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number | null }) => failed,
  )
}

describe('the examples', () => {
  it('are all here', () => {
    expect(files).toEqual(Object.keys(key))
  })

  for (const file of files)
    it(`${file} runs`, async () => {
      const { code, stdout, stderr } = await play(file)
      expect(stderr).toBe('')
      expect(code).toBe(0)
      expect(stdout.split('\n')).toContain(key[file])
    })
})

describe('the demo', () => {
  it('fits 80 columns, shows no colour where nobody looks, and ends with the tree', async () => {
    const { stdout } = await play('demo.ts')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.filter(line => line.length > 80)).toEqual([])
    expect(stdout).not.toContain('\x1b')
    expect(lines.at(-2)).toMatch(/^\[assistant\] /)
  })

  it('says in a sentence what is missing where an endpoint is set up by half', async () => {
    const { code, stderr } = await play('demo.ts', { AI_URL: 'http://127.0.0.1:9/v1' })
    expect(code).toBe(1)
    expect(stderr).toContain('T3001: no model is named')
    expect(stderr).toContain('Set AI_MODEL')
    expect(stderr).not.toContain(' at ')
  })
})
