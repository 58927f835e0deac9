// The tests in tiers. `npm test`: format and lint, types, unit and integration tests on PGlite, and one browser pass through every main
// path. `--all`: everything. `--beyond`: what `--all` has beyond `npm test`.
// The last line counts them: a check that has no tests of its own counts as one.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from './chromium.mjs'
import { printSlowest } from './testing/slowest.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped?: number }} Count
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number }} VitestReport
 * @typedef {{ file: string, specs: { tests: { results: { duration: number }[] }[] }[], suites?: Suite[] }} Suite
 * @typedef {{ stats: { expected: number, flaky: number, unexpected: number, skipped: number }, suites: Suite[] }} PlaywrightReport
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = mkdtempSync(join(inMemory() ?? tmpdir(), 'heyline-test-'))
chmodSync(reports, 0o755) // a temporary Postgres is another user's
process.env.TMPDIR = reports
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
const total = { passed: 0, failed: 0, skipped: 0 }

const only = process.argv[2]
if (only !== undefined && only !== '--all' && only !== '--beyond') {
  console.error(`There is no ${only}: say --all, --beyond or nothing`)
  process.exit(1)
}
/** What `npm test` runs, and what only `npm run test:all` does. */
const QUICK = { vitest: ['unit', 'mocked', 'integration'], browser: ['main'] }
const BEYOND = { vitest: ['postgres', 'proof'], browser: ['page', 'calls'] }

// Side by side: each takes one core.
const [built] = await Promise.all([
  check('Build', 'node', ['scripts/build.mjs']),
  ...(only === '--beyond'
    ? []
    : [
        check('Format and lint', 'npm', ['run', '--silent', 'lint']),
        check('Types of tests', 'tsc', ['-p', 'tsconfig.tests.json']),
      ]),
])
if (built) {
  for (const { vitest, browser } of [...(only === '--beyond' ? [] : [QUICK]), ...(only ? [BEYOND] : [])]) {
    await units(vitest)
    await browsers(browser)
  }
}
if (!only)
  console.log(
    '\nLeft to `npm run test:all`: Postgres, kills and durability, attacks and floods, packed packages, the other browser tests',
  )
if (total.skipped > 0)
  console.log(
    `\n${total.skipped} skipped: they need Postgres or strace, which are not installed here, or not allowed (Debian: apt-get install postgresql strace)`,
  )
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

/**
 * Where the tests' files lie in memory, if there is room: hundreds of databases are made and put on disk, file by file, only to be
 * removed again. What is proven about syncing is which calls are made.
 */
function inMemory() {
  const place = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize > 4e9 ? place : undefined
  } catch {
    return undefined
  }
}

/** What it says is printed at its end: others run beside it. @param {string} title @param {string} command @param {string[]} words */
async function check(title, command, words) {
  const { ok, said } = await run(command, words, { quiet: true })
  heading(title)
  process.stdout.write(said)
  add(ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
  return ok
}

/** @param {string[]} projects of vitest.config.ts */
async function units(projects) {
  heading(`Tests: ${projects.join(', ')}`)
  const file = join(reports, 'vitest.json')
  const reporters = ['default', './scripts/testing/slowest-files.ts', 'json'].map(
    (name) => `--reporter=${name}`,
  )
  const { ok } = await run('vitest', [
    ...['run', ...projects.map((name) => `--project=${name}`)],
    ...[...reporters, `--outputFile.json=${file}`],
  ])
  counted(ok, file, (/** @type {VitestReport} */ report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
  }))
}

/** One after the other. @param {string[]} projects of playwright.config.ts */
async function browsers(projects) {
  let executable
  try {
    executable = chromium()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return add({ passed: 0, failed: 1 })
  }
  for (const project of projects) {
    heading(`Browser tests: ${project}`)
    const file = join(reports, `playwright-${project}.json`)
    const env = { CHROME_PATH: executable, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    const { ok } = await run('playwright', ['test', `--project=${project}`, '--reporter=list,json'], { env })
    counted(ok, file, (/** @type {PlaywrightReport} */ { stats, suites }) => {
      printSlowest(suites.map((suite) => ({ file: suite.file, ms: timeOf(suite) })))
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
      }
    })
  }
}

/** @param {Suite} suite @returns {number} */
function timeOf({ specs, suites = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
  const own = results.reduce((sum, { duration }) => sum + duration, 0)
  return suites.reduce((sum, suite) => sum + timeOf(suite), own)
}

/**
 * A runner that failed without a failed test, or that ran no test, is a failure too.
 * @template Report
 * @param {boolean} ok @param {string} file @param {(report: Report) => Count} count
 */
function counted(ok, file, count) {
  /** @type {Count} */
  let result = { passed: 0, failed: 0 }
  try {
    result = count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    console.error('the runner left no report')
  }
  if ((!ok && result.failed === 0) || result.passed + result.failed === 0) result.failed += 1
  add(result)
}

/** @param {Count} count */
function add({ passed, failed, skipped = 0 }) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

/** @param {string} title */
function heading(title) {
  console.log(`\n== ${title}`)
}

/**
 * @param {string} command @param {string[]} words @param {{ env?: Record<string, string>, quiet?: boolean }} [how]
 * @returns {Promise<{ ok: boolean, said: string }>}
 */
function run(command, words, { env = {}, quiet = false } = {}) {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const out = quiet ? 'pipe' : 'inherit'
  const child = spawn(command, words, {
    cwd: root,
    stdio: ['ignore', out, out],
    env: { ...process.env, ...env, PATH: path },
  })
  let said = ''
  const hear = (/** @type {string} */ text) => {
    said += text
  }
  child.stdout?.setEncoding('utf8').on('data', hear)
  child.stderr?.setEncoding('utf8').on('data', hear)
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ ok: false, said: `${message}\n` }))
    child.once('close', (code) => resolve({ ok: code === 0, said }))
  })
}
