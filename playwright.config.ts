import { defineConfig } from '@playwright/test'
import { CHROMIUM_FLAGS } from './e2e/chromium-flags.js'
import { chromium } from './scripts/chromium.mjs'

/** Specs that hold calls with sound. */
const CALLS =
  /(browser-call|browser-words|conversation-[a-z-]+|daily-policy|daily-room|dropped-network|embedded-call|hosted-ends|phone-call|restart|timeline-browser-calls)\.spec\.ts$/

/** Tests of the quick pass. */
const MAIN = /@main\b/

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  // They run one after the other, and have no test in common: `main` and `main-calls` are one pass through every main path, the others have
  // all that is beyond it.
  // On two cores, one browser at a time keeps the sound of a call in time.
  projects: [
    { name: 'main', grep: MAIN, testIgnore: CALLS, workers: 2 },
    { name: 'main-calls', grep: MAIN, testMatch: CALLS, workers: 1 },
    { name: 'page', grepInvert: MAIN, testIgnore: CALLS, workers: 2 },
    { name: 'calls', grepInvert: MAIN, testMatch: CALLS, workers: 1 },
  ],
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // What passes only then is named at the end of `npm test`.
  retries: 1,
  // Bounds for what hangs, wide enough for a machine with other work: a server may take half a minute there to start.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    headless: true,
    permissions: ['microphone'],
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: chromium(), args: CHROMIUM_FLAGS },
  },
})
