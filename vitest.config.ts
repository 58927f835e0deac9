import { defaultServerConditions } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import SlowestFiles from './scripts/testing/slowest-files.js'

/** What a package may ask of a bundler, and Node does not have: `module` files without extensions, which only bundlers find. */
const FOR_BUNDLERS = 'module'

/** Workspace packages are tested from their sources: nothing is stale, and a unit test needs no build. */
const resolve = {
  conditions: ['@heyline/source', ...defaultServerConditions.filter((name) => name !== FOR_BUNDLERS)],
}

/** The files of a kind of test, which is the part of the name before `.test`. */
const named = (kind: string): string[] => [
  `packages/*/src/**/${kind}.test.ts`,
  `apps/*/src/**/${kind}.test.{ts,tsx}`,
  `docs/**/${kind}.test.ts`,
  `examples/**/${kind}.test.ts`,
  `attacks/${kind}.test.ts`,
  `scripts/**/${kind}.test.ts`,
]
const INTEGRATION = named('*.integration')
/** Suites that hold on each kind of database. */
const DATABASES = named('*.databases')
const POSTGRES = named('*.postgres')
const PROOFS = named('*.proof')
/** Real parts, on every database, that take too long for the quick run. */
const LONG = named('*.long')
/** What replaces modules: in a process that files share, the real ones may be loaded already. */
const MOCKED = named('*.mocked')

/** Ends what hangs, in milliseconds; a loaded machine takes several times as long as a quiet one. */
const HUNG_MS = 60_000

const BUILT = 'scripts/testing/built.ts'
const CLEAN = 'scripts/testing/left-clean.ts'
const PGLITE = 'scripts/testing/kept-pglite.ts'

type ProjectConfig = NonNullable<TestProjectInlineConfiguration['test']>

/** What opens databases, servers or processes needs the built command and threads. */
const built: ProjectConfig = {
  pool: 'forks',
  globalSetup: [BUILT],
  // Tests open hundreds of databases, each for a short while. V8 takes a third of the time of such a process to optimise
  // WebAssembly that ends right after: it does so later here (by default at 1.8 million bytes executed).
  execArgv: ['--wasm-tiering-budget=30000000'],
  setupFiles: [CLEAN, PGLITE],
  testTimeout: HUNG_MS,
  hookTimeout: HUNG_MS,
}
/** The same with the run's Postgres. */
const withPostgres: ProjectConfig = {
  ...built,
  globalSetup: [BUILT, 'scripts/testing/one-postgres.ts'],
  setupFiles: [CLEAN, PGLITE, 'scripts/testing/left-out.ts'],
}

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    maxWorkers: 2,
    reporters: ['default', new SlowestFiles()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: named('*'),
          exclude: [...MOCKED, ...INTEGRATION, ...DATABASES, ...POSTGRES, ...PROOFS, ...LONG],
          // The page's style is part of its documents: without this it is empty.
          css: true,
          pool: 'threads',
          isolate: false,
          setupFiles: [CLEAN, 'scripts/testing/nothing-outside.ts'],
          testTimeout: HUNG_MS,
        },
      },
      { extends: true, test: { name: 'mocked', include: MOCKED, pool: 'threads', testTimeout: HUNG_MS } },
      {
        extends: true,
        test: {
          ...built,
          name: 'integration',
          include: [...INTEGRATION, ...DATABASES],
          isolate: false,
          env: { HEYLINE_TEST_DATABASE: 'pglite' },
        },
      },
      {
        extends: true,
        test: {
          ...withPostgres,
          name: 'postgres',
          include: [...DATABASES, ...POSTGRES],
          isolate: false,
          env: { HEYLINE_TEST_DATABASE: 'postgres' },
        },
      },
      { extends: true, test: { ...withPostgres, name: 'long', include: LONG, isolate: false } },
      { extends: true, test: { ...withPostgres, name: 'proof', include: PROOFS, testTimeout: 180_000 } },
    ],
  },
})
