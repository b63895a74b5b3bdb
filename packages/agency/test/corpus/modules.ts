// Programs of several files, in Agency and TypeScript.
import { createHash } from 'node:crypto'
import { type Case, program } from './case.ts'

export const modules: Case[] = [
  program('shop', {
    args: [['tea', 'cup', 'car']],
    gives: {
      lines: ['tea: 3.00 EUR', 'cup: 5.00 EUR'],
      total: '8.80 USD',
      names: ['tea', 'cup'],
      limit: 3,
    },
    printed: 'there is no car\n',
  }),
  program('host', {
    gives: {
      stack: ['b', 1],
      later: 50,
      bad: true,
      fallback: {},
      sum: 3,
      limits: true,
      seen: ['0x', '1y'],
      hash: createHash('sha256').update('tea').digest('hex').slice(0, 8),
      path: 'b/c.txt',
      mapped: [10, 20],
    },
  }),
  program('options', {
    gives: { bosses: ['Bob', 'nobody', 'nobody'], lengths: 5, all: [1, 2], notAll: null },
    same: () => {
      const users: Record<string, { name: string; boss?: string }> = {
        ada: { name: 'Ada', boss: 'bob' },
        bob: { name: 'Bob' },
      }
      const boss = (id: string): string => users[users[id]?.boss ?? '']?.name ?? 'nobody'
      return { bosses: ['ada', 'bob', 'cy'].map(boss), lengths: 'four'.length + 1, all: [1, 2], notAll: null }
    },
  }),
]
