import { defineConfig } from '@playwright/test'
import { CHROMIUM_FLAGS } from './e2e/chromium-flags.js'
import { chromium } from './scripts/chromium.mjs'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  // Two cores: one browser at a time keeps the audio in time.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 45_000,
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
