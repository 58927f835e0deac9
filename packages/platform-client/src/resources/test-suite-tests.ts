import type { Page, Pages } from '../api/page.js'
import type {
  CreateTestSuiteTest,
  ListTestSuiteTests,
  TestSuiteTest,
  UpdateTestSuiteTest,
} from '../api/test-suite-test.js'
import type { RequestOptions } from '../request/request-options.js'

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
