import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Page } from '@playwright/test'

/** The address of the page; nothing listens there, the test answers. */
export const DAILY_PAGE = 'http://localhost:9/'
/** Where Daily's library takes the code of its rooms from. */
export const ROOM_CODE = 'https://c.daily.co/**'

const FOLDERS: Record<string, string> = {
  'daily-js': 'node_modules/@daily-co/daily-js/dist',
  kit: 'packages/kit/dist',
  'web-call': 'packages/web-call/dist',
  'room-protocol': 'packages/room-protocol/dist',
  'platform-client': 'packages/platform-client/dist',
}

const IMPORTS = {
  '@daily-co/daily-js': '/daily-js/daily-esm.js',
  '@heyline/kit/clock': '/kit/clock/clock.js',
  '@heyline/kit/manual-clock': '/kit/clock/manual-clock.js',
  '@heyline/kit/store': '/kit/store/store.js',
  '@heyline/kit/wall-clock': '/kit/clock/wall-clock.js',
  '@heyline/room-protocol': '/room-protocol/index.js',
  '@heyline/platform-client': '/platform-client/index.js',
}

export interface DailyPage {
  /** The body of the page's one module. What it puts on `window` is there once the page is open. */
  script: string
  /** The page's content security policy; `'nonce-own'` stands for its own script. */
  policy?: string
}

/** Opens a page that has the real `@daily-co/daily-js` and this project's packages as they are built. */
export async function openDailyPage(page: Page, { script, policy }: DailyPage): Promise<void> {
  const importMap = JSON.stringify({ imports: IMPORTS })
  const body = `<!doctype html><title>Daily</title>
    <script nonce="own" type="importmap">${importMap}</script>
    <script nonce="own" type="module">${script}
    window.ready = true</script>`
  const headers = { ...(policy && { 'content-security-policy': policy }) }
  await page.route(`${DAILY_PAGE}**`, async (route) => {
    const [folder = '', ...rest] = new URL(route.request().url()).pathname.slice(1).split('/')
    const path = FOLDERS[folder]
    if (!path) return route.fulfill({ contentType: 'text/html', headers, body })
    const file = rest.join('/')
    if (extname(file) !== '.js') return route.abort()
    return route.fulfill({
      contentType: 'text/javascript',
      body: await readFile(new URL(`../${path}/${file}`, import.meta.url)),
    })
  })
  // Daily reports some fatal errors to its makers.
  await page.route('https://*.ingest.sentry.io/**', (route) => route.abort())
  await page.goto(DAILY_PAGE)
  await page.waitForFunction('window.ready')
}
