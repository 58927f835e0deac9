import type { Page, Pages } from '../api/page.js'
import type {
  CreateTestSuite,
  CreateTestSuiteRun,
  CreateTestSuiteTest,
  ListTestSuiteRuns,
  ListTestSuites,
  ListTestSuiteTests,
  TestSuite,
  TestSuiteRun,
  TestSuiteTest,
  UpdateTestSuite,
  UpdateTestSuiteRun,
  UpdateTestSuiteTest,
} from '../api/test-suite.js'
import type { RequestOptions } from '../request/request-input.js'

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

/** The tests of a suite. */
export interface TestSuiteTests {
  /** One page of a suite's tests, the newest first; 100 a page unless `limit` says otherwise (at most 1000). `GET /test-suite/{testSuiteId}/test` */
  list(
    testSuiteId: string,
    query?: ListTestSuiteTests,
    options?: RequestOptions,
  ): Promise<Page<TestSuiteTest>>
  /** All tests of a suite, page after page. `GET /test-suite/{testSuiteId}/test` for each page. */
  pages(testSuiteId: string, query?: ListTestSuiteTests, options?: RequestOptions): Pages<TestSuiteTest>
  /** Adds a test to a suite. `POST /test-suite/{testSuiteId}/test` */
  create(testSuiteId: string, body: CreateTestSuiteTest, options?: RequestOptions): Promise<TestSuiteTest>
  /** One test. `GET /test-suite/{testSuiteId}/test/{id}` */
  get(testSuiteId: string, id: string, options?: RequestOptions): Promise<TestSuiteTest>
  /** Changes what is given; `type` stays as it is. `PATCH /test-suite/{testSuiteId}/test/{id}` */
  update(
    testSuiteId: string,
    id: string,
    body: UpdateTestSuiteTest,
    options?: RequestOptions,
  ): Promise<TestSuiteTest>
  /** Deletes a test and answers what it was. `DELETE /test-suite/{testSuiteId}/test/{id}` */
  delete(testSuiteId: string, id: string, options?: RequestOptions): Promise<TestSuiteTest | undefined>
}

/** The runs of a suite. */
export interface TestSuiteRuns {
  /** One page of a suite's runs, the newest first; 100 a page unless `limit` says otherwise (at most 1000). `GET /test-suite/{testSuiteId}/run` */
  list(testSuiteId: string, query?: ListTestSuiteRuns, options?: RequestOptions): Promise<Page<TestSuiteRun>>
  /** All runs of a suite, page after page. `GET /test-suite/{testSuiteId}/run` for each page. */
  pages(testSuiteId: string, query?: ListTestSuiteRuns, options?: RequestOptions): Pages<TestSuiteRun>
  /** Runs all tests of a suite, calls included: it costs what they cost. Answers before they are done. `POST /test-suite/{testSuiteId}/run` */
  create(testSuiteId: string, body: CreateTestSuiteRun, options?: RequestOptions): Promise<TestSuiteRun>
  /** One run, as far as it has come. `GET /test-suite/{testSuiteId}/run/{id}` */
  get(testSuiteId: string, id: string, options?: RequestOptions): Promise<TestSuiteRun>
  /** Renames a run. `PATCH /test-suite/{testSuiteId}/run/{id}` */
  update(
    testSuiteId: string,
    id: string,
    body: UpdateTestSuiteRun,
    options?: RequestOptions,
  ): Promise<TestSuiteRun>
  /** Deletes a run and answers what it was. `DELETE /test-suite/{testSuiteId}/run/{id}` */
  delete(testSuiteId: string, id: string, options?: RequestOptions): Promise<TestSuiteRun | undefined>
}
