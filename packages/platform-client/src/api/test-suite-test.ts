import type { PageQuery } from './page.js'

/** A model's judgement of an attempt. */
export interface TestScorer {
  type: 'ai'
  /** What has to be true of a passed attempt; at most 10,000 characters. */
  rubric: string
}

/** Body of `testSuites.tests.create`. */
export interface CreateTestSuiteTest {
  /** `voice`: spoken in a call. `chat`: written. */
  type: 'voice' | 'chat'
  /** What the tester does and says; at most 10,000 characters. */
  script: string
  scorers: TestScorer[]
  /** Attempts of each run, 1–10. */
  numAttempts?: number
  /** At most 80 characters. */
  name?: string
}

/** Body of `testSuites.tests.update`. `type` says which kind it is, and cannot change. */
export type UpdateTestSuiteTest = Pick<CreateTestSuiteTest, 'type'> & Partial<CreateTestSuiteTest>

/** A stored test. */
export interface TestSuiteTest extends CreateTestSuiteTest {
  id: string
  testSuiteId: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `testSuites.tests.list` and `testSuites.tests.pages`. */
export type ListTestSuiteTests = PageQuery
