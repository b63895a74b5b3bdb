// Nodes as flows: killed anywhere, a program gives the same and does nothing twice; it waits for a person.
import { beforeAll, describe, expect, it } from 'vitest'
import { ran } from './child.ts'
import type { KillResult } from './kills.ts'
import { programs } from './programs.ts'
import type { Waited } from './waits.ts'

describe('a node that is a flow', () => {
  let results: Record<string, KillResult>
  beforeAll(async () => {
    results = await ran('kills.ts')
  }, 60_000)

  for (const [name, program] of Object.entries(programs))
    it(`is the same wherever it is killed: ${name}`, () => {
      const { gave, writes, wrong } = results[name]!
      expect(JSON.parse(gave)).toEqual(program.gives)
      expect(writes).toBeGreaterThan(5)
      expect(wrong).toEqual([])
    })
})

describe('a node in an app', () => {
  let waited: Waited
  beforeAll(async () => {
    waited = await ran('waits.ts')
  }, 60_000)

  it('waits for a person without staying in memory, and goes on in another process of the app', () => {
    expect(waited.asked).toEqual([['tool 1 main/llm 1/ask 1.1', '{"note":"3"}']])
    expect(waited.answer).toBe('said: tidied')
    // The first turn was asked for once, by the process that is gone.
    expect(waited.requests).toEqual([1, 1])
    expect(waited.effects).toEqual(['tidy 3'])
  })

  it('is told what is wrong with its arguments, and how its run failed', () => {
    expect(waited.wrongInput).toContain('place')
    expect(waited.failed).toContain('it broke')
  })

  it('may be started by its name, and be a tool of an agent there', () => {
    expect(waited.byName).toBe('hm')
    expect(waited.byAgent).toBe('the agent is done')
  })
})
