import { availableParallelism } from 'node:os'
import { chromium as browserType } from '@playwright/test'
import { CHROMIUM_FLAGS, SILENCE } from '../e2e/chromium-flags.js'
import { RunningHeyline } from '../e2e/running-heyline.js'
import { writeWav } from '../e2e/wav.js'
import { chromium } from '../scripts/chromium.mjs'
import { measureDialling } from './dialling.js'
import { measureGreeting } from './greeting.js'
import { measurePageBytes } from './page-bytes.js'
import { printTable } from './table.js'

// `npm run bench`: every figure in one run, on one machine.
writeWav(SILENCE, new Int16Array(16_000 * 60), 16_000)
const browser = await browserType.launch({ executablePath: chromium(), args: CHROMIUM_FLAGS })
const heyline = await RunningHeyline.start()
try {
  console.log(`Node ${process.version}, Chromium ${browser.version()}, ${availableParallelism()} cores\n`)
  printTable('Browser call, at the speaker', await measureGreeting(browser, heyline))
  printTable('The page, brotli bodies', await measurePageBytes(browser, heyline))
} finally {
  await heyline.stop()
  await browser.close()
}
printTable('Call Me', await measureDialling())
