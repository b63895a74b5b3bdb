import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['development', 'module', 'default'] },
  ssr: { resolve: { conditions: ['development', 'module', 'default'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'docs/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    environment: 'node',
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 30_000,
  },
})
