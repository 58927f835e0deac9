import type { Page } from '@playwright/test'

/** What stands in the page where scripts are off. */
export const SCRIPTS_OFF = 'Please turn on JavaScript and reload this page.'

/** All that is to be read on a page. Playwright's own texts pass over `<noscript>`. */
export const shownText = (page: Page) => page.locator('body').innerText()
