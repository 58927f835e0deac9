import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.{ts,tsx}',
      'docs/**/*.test.ts',
      'examples/*.test.ts',
    ],
    // The page's style is part of its documents: without this it is empty.
    css: true,
    pool: 'forks',
    // Tests open hundreds of databases, each for a short while. V8 takes a third of the time of such a process to optimise
    // WebAssembly that ends right after: it does so later here (by default at 1.8 million bytes executed).
    execArgv: ['--wasm-tiering-budget=30000000'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
