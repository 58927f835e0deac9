// The whole of `npm test`: format and lint, build and types, unit and integration tests, browser tests.
// The last line counts them: a check that has no tests of its own counts as one.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from './chromium.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped?: number }} Count
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number }} VitestReport
 * @typedef {{ stats: { expected: number, flaky: number, unexpected: number, skipped: number } }} PlaywrightReport
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = mkdtempSync(join(inMemory() ?? tmpdir(), 'heyline-test-'))
chmodSync(reports, 0o755) // a temporary Postgres is another user's
process.env.TMPDIR = reports
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
const total = { passed: 0, failed: 0, skipped: 0 }

check('Format and lint', 'biome', ['ci', '--reporter=summary', '.'])
if (check('Build', 'node', ['scripts/build.mjs'])) {
  check('Types of tests', 'tsc', ['-p', 'tsconfig.tests.json'])
  units()
  browser()
}
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

/** @param {string} title @param {string} command @param {string[]} words */
function check(title, command, words) {
  heading(title)
  const ok = run(command, words)
  add(ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
  return ok
}

function units() {
  heading('Unit and integration tests')
  const file = join(reports, 'vitest.json')
  const ok = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`])
  counted(ok, file, (/** @type {VitestReport} */ report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
  }))
}

function browser() {
  heading('Browser tests')
  let executable
  try {
    executable = chromium()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return add({ passed: 0, failed: 1 })
  }
  for (const project of ['main', 'page', 'calls']) {
    const file = join(reports, `playwright-${project}.json`)
    const ok = run('playwright', ['test', `--project=${project}`, '--reporter=list,json'], {
      CHROME_PATH: executable,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    })
    counted(ok, file, (/** @type {PlaywrightReport} */ { stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }))
  }
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

/** @param {string} command @param {string[]} words @param {Record<string, string>} [env] */
function run(command, words, env = {}) {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const { status } = spawnSync(command, words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, PATH: path },
  })
  return status === 0
}
