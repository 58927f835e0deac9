/**
 * The runners' reports in JSON, as far as they are read.
 * @typedef {{ name: string, status: string, message?: string, assertionResults: { fullName: string, status: string }[] }} VitestFile
 * @typedef {{ testResults: VitestFile[] }} VitestReport
 * @typedef {{ title: string, file: string, tests: { status: string, results: { duration: number }[] }[] }} Spec
 * @typedef {{ file: string, specs: Spec[], suites?: Suite[] }} Suite
 * @typedef {{ stats: { expected: number, flaky: number, unexpected: number, skipped: number }, suites: Suite[] }} PlaywrightReport
 * @typedef {{ passed: number, failed: number, skipped: number }} Count
 */
import { relative } from 'node:path'

/** @param {VitestFile[]} files @returns {Count} */
export function countOf(files) {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of files) {
    const failed = assertionResults.filter((test) => test.status === 'failed').length
    const passed = assertionResults.filter((test) => test.status === 'passed').length
    count.passed += passed
    // A file that fails outside of its tests counts as one.
    count.failed += status === 'failed' ? Math.max(failed, 1) : failed
    count.skipped += assertionResults.length - passed - failed
  }
  return count
}

/** The names of what failed: tests, or a file that fails outside of them. @param {VitestFile[]} files @returns {string[]} */
export function failedTests(files) {
  return files
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = relative(process.cwd(), name)
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length === 0 ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`)
    })
}

/** The names of browser tests that ended so: 'unexpected' or 'flaky'. @param {Suite[]} suites @param {string} status @returns {string[]} */
export function specsThat(suites, status) {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file, title }) => `e2e/${file}: ${title}`),
    ...specsThat(inner, status),
  ])
}

/** How long all browser tests of a file took, in ms. @param {Suite} suite @returns {number} */
export function timeOf({ specs, suites = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
  const own = results.reduce((sum, { duration }) => sum + duration, 0)
  return suites.reduce((sum, suite) => sum + timeOf(suite), own)
}
