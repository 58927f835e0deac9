import type { Browser, BrowserContextOptions, Page } from '@playwright/test'

/** A page in a context of its own; `close` ends both. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; close(): Promise<void> }> {
  const context = await browser.newContext(options)
  // tsx marks functions with this helper, also those that are sent to the page, where there is none.
  await context.addInitScript('globalThis.__name = (named) => named')
  return { page: await context.newPage(), close: () => context.close() }
}
