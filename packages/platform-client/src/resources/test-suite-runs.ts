import type { Page, Pages } from '../api/page.js'
import type {
  CreateTestSuiteRun,
  ListTestSuiteRuns,
  TestSuiteRun,
  UpdateTestSuiteRun,
} from '../api/test-suite-run.js'
import type { RequestOptions } from '../request/request-options.js'

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
