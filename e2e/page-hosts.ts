import { test } from './fixtures.js'
import type { RunningHeyline } from './running-heyline.js'
import type { StaticPage } from './static-page.js'

/** Where a test of the page finds it, and the server behind it. Both are there while a test runs. */
export interface PageHost {
  /** How the page is served: rendered by the server, or as static files of another origin. */
  readonly kind: 'server' | 'static'
  /** The page's origin. */
  readonly url: string
  readonly heyline: RunningHeyline
}

/** Runs tests on the page as the server renders it: for parts whose code is the same file wherever the page is served. */
export function onServer(
  title: string,
  define: (host: PageHost) => void,
  settings: Record<string, string> = {},
): void {
  test.describe(`${title}, served by the server`, () => {
    let heyline: RunningHeyline
    test.beforeAll(async ({ servers }) => {
      heyline = await servers.server(settings)
    })
    define({
      kind: 'server',
      get url() {
        return heyline.url
      },
      get heyline() {
        return heyline
      },
    })
  })
}

/**
 * Runs the same tests on every host of the page: for what differs there (who reads the visitor and renders the page, origins, policies),
 * and for one test of each part. `settings` are the server's, and the static build's under the same names.
 */
export function onEveryHost(
  title: string,
  define: (host: PageHost) => void,
  settings: Record<string, string> = {},
): void {
  onServer(title, define, settings)
  test.describe(`${title}, as static files of another origin`, () => {
    let page: StaticPage
    test.beforeAll(async ({ servers }) => {
      page = await servers.staticPage(settings)
    })
    define({
      kind: 'static',
      get url() {
        return page.url
      },
      get heyline() {
        return page.heyline
      },
    })
  })
}
