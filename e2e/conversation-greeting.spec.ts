import { expect } from '@playwright/test'
import { start } from './demo-page.js'
import { test } from './fixtures.js'
import { AUDIBLE, quietFor, speakerLevels, tapSpeaker } from './speaker.js'
import { spoken } from './spoken.js'
import { storeVisitors } from './visitors.js'
import { levelsOf, waveformOf } from './waveform.js'

const GREETING = 'Hello, this is the harbour bakery. We are open until six today. How may I help you?'
/** A block of the speaker's levels: 1,024 samples at 48 kHz are so many at 16 kHz, one more or less. */
const BLOCK_SAMPLES = 341
const SAMPLES_PER_MS = 16

test('the greeting at the speaker is as long and as loud as it was made, without holes', async ({
  page,
  heyline,
}) => {
  await storeVisitors(heyline, [{ slug: 'bakery', name: 'Bakery', first_message: GREETING }])
  const made = waveformOf(levelsOf(await spoken(GREETING), BLOCK_SAMPLES), AUDIBLE)
  await tapSpeaker(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/bakery`)
  await start(page).click()
  const levels = async () => (await speakerLevels(page)).map(({ level }) => level)
  await expect
    .poll(async () => waveformOf(await levels(), AUDIBLE).audible)
    .toBeGreaterThan(0.7 * made.audible)
  await expect.poll(() => quietFor(page)).toBeGreaterThan(700)
  const heard = waveformOf(await levels(), AUDIBLE)
  // A busy page misses a block of its speaker now and then; from the first to the last it is as long as it was made.
  expect(heard.audible / made.audible).toBeGreaterThan(0.75)
  expect(heard.audible / made.audible).toBeLessThan(1.05)
  const loud = (await speakerLevels(page)).filter(({ level }) => level > AUDIBLE)
  const heardMs = (loud.at(-1)?.at ?? 0) - (loud[0]?.at ?? 0)
  const madeMs = (made.span * BLOCK_SAMPLES) / SAMPLES_PER_MS
  expect(heardMs / madeMs).toBeGreaterThan(0.95)
  expect(heardMs / madeMs).toBeLessThan(1.1)
  expect(heard.level / made.level).toBeGreaterThan(0.85)
  expect(heard.level / made.level).toBeLessThan(1.15)
  // Sentences may stand a little further apart than in one piece; a hole in a word would not be so much.
  expect(heard.longestGap).toBeLessThan(made.longestGap + 12)
})
