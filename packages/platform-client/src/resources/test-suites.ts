import type { Page, Pages } from '../api/page.js'
import type { CreateTestSuite, ListTestSuites, TestSuite, UpdateTestSuite } from '../api/test-suite.js'
import type { RequestOptions } from '../request/request-options.js'
import type { TestSuiteRuns } from './test-suite-runs.js'
import type { TestSuiteTests } from './test-suite-tests.js'

/** Suites of tests in which a tester talks to an assistant or a number. */
export interface TestSuites {
  readonly tests: TestSuiteTests
  readonly runs: TestSuiteRuns
  /** One page of suites, the newest first; 100 a page unless `limit` says otherwise (at most 1000). `GET /test-suite` */
  list(query?: ListTestSuites, options?: RequestOptions): Promise<Page<TestSuite>>
  /** All suites, page after page. `GET /test-suite` for each page. */
  pages(query?: ListTestSuites, options?: RequestOptions): Pages<TestSuite>
  /** Stores a suite, still without tests. `POST /test-suite` */
  create(body: CreateTestSuite, options?: RequestOptions): Promise<TestSuite>
  /** One suite, without its tests and runs. `GET /test-suite/{id}` */
  get(id: string, options?: RequestOptions): Promise<TestSuite>
  /** Changes what is given. `PATCH /test-suite/{id}` */
  update(id: string, body: UpdateTestSuite, options?: RequestOptions): Promise<TestSuite>
  /** Deletes a suite and answers what it was. `DELETE /test-suite/{id}` */
  delete(id: string, options?: RequestOptions): Promise<TestSuite | undefined>
}
