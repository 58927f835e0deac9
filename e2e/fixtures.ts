import { test as base, type LaunchOptions } from '@playwright/test'
import { chromium } from '../scripts/chromium.mjs'
import type { RunningHeyline } from './running-heyline.js'
import { Servers } from './servers.js'

interface TestFixtures {
  /** Of the server that a test asks for. */
  settings: Record<string, string>
  heyline: RunningHeyline
  /** Options of a browser of its own for each test. As `launchOptions`, they would start another worker, with other servers. */
  ownBrowser: LaunchOptions | undefined
}

interface WorkerFixtures {
  /** The servers of this worker, which its tests share. */
  servers: Servers
}

/** Playwright's `test`, with what the browser tests have in common. All specs use it, so that they share their workers. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs
    async ({}, use) => {
      const servers = new Servers()
      await use(servers)
      await servers.stop()
    },
    { scope: 'worker' },
  ],
  settings: [{}, { option: true }],
  heyline: async ({ servers, settings }, use) => use(await servers.server(settings)),
  ownBrowser: [undefined, { option: true }],
  context: async ({ context, ownBrowser, playwright }, use) => {
    if (!ownBrowser) return use(context)
    const browser = await playwright.chromium.launch({ executablePath: chromium(), ...ownBrowser })
    await use(await browser.newContext())
    await browser.close()
  },
})
