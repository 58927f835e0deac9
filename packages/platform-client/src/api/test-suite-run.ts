import type { Artifact } from './artifact.js'
import type { OpenString } from './open-string.js'
import type { PageQuery } from './page.js'
import type { TestSuiteTest } from './test-suite-test.js'

/** Body of `testSuites.runs.create`. */
export interface CreateTestSuiteRun {
  /** At most 80 characters. */
  name?: string
}

/** Body of `testSuites.runs.update`. */
export type UpdateTestSuiteRun = CreateTestSuiteRun

/** A scorer's verdict on one attempt. */
export interface TestScore {
  type: 'ai'
  result: 'pass' | 'fail'
  /** Why; at most 10,000 characters. */
  reasoning: string
  /** The rubric that was applied; at most 10,000 characters. */
  rubric: string
}

/** One attempt of a test. */
export interface TestAttempt {
  scorerResults: TestScore[]
  /** What was kept of the attempt's call. */
  call?: { artifact: Artifact }
  callId?: string
  metadata?: { sessionId: string }
}

/** One test of a run, as it was then, with its attempts. */
export interface TestResult {
  test: TestSuiteTest
  attempts: TestAttempt[]
}

/** A run of all tests of a suite, as far as it has come. */
export interface TestSuiteRun {
  id: string
  orgId: string
  testSuiteId: string
  status: OpenString<'queued' | 'in-progress' | 'completed' | 'failed'>
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  testResults: TestResult[]
  /** At most 80 characters. */
  name?: string
}

/** Query of `testSuites.runs.list` and `testSuites.runs.pages`. */
export type ListTestSuiteRuns = PageQuery
