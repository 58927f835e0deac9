import { expect } from '@playwright/test'
import { flagsWithMicrophone, SPEECH } from './chromium-flags.js'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { callsFromNow } from './platform-records.js'
import { audibleMs, quietFor, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

/** Half a minute of it. */
const LONG_GREETING = Array.from(
  { length: 12 },
  (_, day) => `On day ${day + 1} we are open from nine to five.`,
)

test.use({ ownBrowser: { args: flagsWithMicrophone(SPEECH) } })

test('a caller who speaks silences the assistant, is answered, and the record says what was heard', async ({
  page,
  request,
  heyline,
}) => {
  const calls = await callsFromNow(heyline, request)
  const firstMessage = LONG_GREETING.join(' ')
  await storeVisitors(heyline, [{ slug: 'talker', name: 'Talker', first_message: firstMessage }])
  await tapSpeaker(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/talker`)
  await start(page).click()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(1_500)
  // Its sentences stand less than a second apart: this silence is the caller's.
  await expect.poll(() => quietFor(page), { timeout: 15_000 }).toBeGreaterThan(1_000)
  const interrupted = await audibleMs(page)
  expect(interrupted).toBeLessThan(8_000)
  await expect.poll(() => audibleMs(page), { timeout: 15_000 }).toBeGreaterThan(interrupted + 500)
  await stop(page).click()
  await expect
    .poll(async () => (await calls())[0]?.messages?.map(({ role }) => role))
    .toEqual(expect.arrayContaining(['bot', 'user', 'bot']))
  const said = (await calls())[0]?.messages?.filter(({ role }) => role !== 'system') ?? []
  const greeting = said[0]?.message ?? ''
  expect(said.map(({ role }) => role)).toEqual(['bot', 'user', 'bot'])
  expect(firstMessage.startsWith(greeting)).toBe(true)
  expect(greeting.length).toBeGreaterThan(20)
  expect(greeting.length).toBeLessThan(0.4 * firstMessage.length)
})
