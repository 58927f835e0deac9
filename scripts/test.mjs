// The tests in tiers. `npm test`: format and lint, types, unit and integration tests on PGlite, and one browser pass through every main
// path. `--all`: everything. `--beyond`: what `--all` has beyond `npm test`.
// A test that fails is run once more with nothing beside it, since a busy machine is slow at times. What passes only then is named at the
// end, and so is what fails. The last line counts them: a check that has no tests of its own counts as one.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from './chromium.mjs'
import { countOf, failedTests, specsThat, timeOf } from './testing/reports.mjs'
import { printSlowest } from './testing/slowest.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped?: number }} Count
 * @typedef {import('./testing/reports.mjs').VitestReport} VitestReport
 * @typedef {import('./testing/reports.mjs').PlaywrightReport} PlaywrightReport
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = mkdtempSync(join(inMemory() ?? tmpdir(), 'heyline-test-'))
chmodSync(reports, 0o755) // a temporary Postgres is another user's
process.env.TMPDIR = reports
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
const total = { passed: 0, failed: 0, skipped: 0 }
/** Names of tests. @type {{ failed: string[], secondTry: string[] }} */
const noted = { failed: [], secondTry: [] }

const only = process.argv[2]
if (only !== undefined && only !== '--all' && only !== '--beyond') {
  console.error(`There is no ${only}: say --all, --beyond or nothing`)
  process.exit(1)
}
/** A third of the time tests wait, for sound that is played and for what is to happen: two workers leave a core idle. */
const WORKERS = 3
/** What `npm test` runs, and what only `npm run test:all` does. */
const QUICK = {
  vitest: ['unit', 'mocked', 'integration'],
  browser: ['main', 'main-calls'],
}
const BEYOND = { vitest: ['long', 'postgres', 'proof'], browser: ['page', 'calls'] }

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
  for (const tier of [...(only === '--beyond' ? [] : [QUICK]), ...(only ? [BEYOND] : [])]) {
    await units(tier.vitest)
    await browsers(tier.browser)
  }
}
if (!only)
  console.log(
    '\nLeft to `npm run test:all`: long tests, Postgres, kills and durability, attacks and floods, packed packages, the other browser tests',
  )
if (total.skipped > 0)
  console.log(
    `\n${total.skipped} skipped: they need Postgres, strace, baresip or SIPp, which are not installed here, or not allowed (Debian: apt-get install postgresql strace baresip sip-tester), or a registry that npm reaches`,
  )
list('Passed on the second try only', noted.secondTry)
list('Failed', noted.failed)
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
  if (ok) add({ passed: 1, failed: 0 })
  else failedAsOne(title)
  return ok
}

/** @param {string[]} projects of vitest.config.ts */
async function units(projects) {
  heading(`Tests: ${projects.join(', ')}`)
  const first = await vitest(projects, WORKERS)
  const failed = first.files.filter(({ status }) => status === 'failed')
  if (first.ok) return add(countOf(first.files))
  add(countOf(first.files.filter((file) => !failed.includes(file))))
  if (failed.length === 0) return failedAsOne('Vitest: it failed beside its tests, or left no report')
  const paths = failed.map(({ name }) => relative(root, name))
  heading(`Once more, one at a time: ${paths.join(', ')}`)
  const second = await vitest(projects, 1, paths)
  if (second.files.length === 0) return failedAsOne('Vitest: its second try left no report')
  const still = failedTests(second.files)
  add(countOf(second.files))
  noted.failed.push(...still)
  noted.secondTry.push(...failedTests(failed).filter((name) => !still.includes(name)))
  if (!second.ok && still.length === 0) failedAsOne('Vitest: its second try failed beside its tests')
}

/** @param {string[]} projects @param {number} workers @param {string[]} words */
async function vitest(projects, workers, words = []) {
  const file = join(reports, 'vitest.json')
  rmSync(file, { force: true })
  const reporters = ['default', './scripts/testing/slowest-files.ts', 'json'].map(
    (name) => `--reporter=${name}`,
  )
  const of = projects.map((name) => `--project=${name}`)
  // The command's own option does not reach projects, which have their number from the configuration.
  const env = { VITEST_MAX_WORKERS: String(workers) }
  const { ok } = await run('vitest', ['run', ...of, ...reporters, `--outputFile.json=${file}`, ...words], {
    env,
  })
  /** @type {VitestReport | undefined} */
  const report = reportIn(file)
  return { ok: ok && report !== undefined, files: report?.testResults ?? [] }
}

/** One after the other; each tries what failed once more. @param {string[]} projects of playwright.config.ts */
async function browsers(projects) {
  let executable
  try {
    executable = chromium()
  } catch (error) {
    return failedAsOne(error instanceof Error ? error.message : String(error))
  }
  for (const project of projects) {
    heading(`Browser tests: ${project}`)
    const file = join(reports, `playwright-${project}.json`)
    const env = { CHROME_PATH: executable, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    const { ok } = await run('playwright', ['test', `--project=${project}`, '--reporter=list,json'], { env })
    /** @type {PlaywrightReport | undefined} */
    const report = reportIn(file)
    if (!report) {
      failedAsOne(`Playwright: it left no report of ${project}`)
      continue
    }
    const { stats, suites } = report
    printSlowest(suites.map((suite) => ({ file: suite.file, ms: timeOf(suite) })))
    add({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped })
    noted.failed.push(...specsThat(suites, 'unexpected'))
    noted.secondTry.push(...specsThat(suites, 'flaky'))
    const ran = stats.expected + stats.flaky + stats.unexpected
    if (ran === 0 || (!ok && stats.unexpected === 0))
      failedAsOne(`Playwright: ${project} failed beside its tests, or ran none`)
  }
}

/** @param {string} file */
function reportIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} what */
function failedAsOne(what) {
  noted.failed.push(what)
  add({ passed: 0, failed: 1 })
}

/** @param {string} title @param {string[]} names */
function list(title, names) {
  if (names.length > 0) console.log(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}`)
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
