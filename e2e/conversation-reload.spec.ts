import { expect } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { callsFromNow } from './platform-records.js'
import { audibleMs, tapSpeaker } from './speaker.js'

test('a page that is loaded again ends its call, and calls anew', async ({ page, request, heyline }) => {
  const printed = heyline.errors.length
  const calls = await callsFromNow(heyline, request)
  const ends = async () => (await calls()).map((call) => [call.status, call.endedReason])
  await tapSpeaker(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/default`)
  await start(page).click()
  await expect(stop(page)).toBeVisible()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(300)
  await page.reload()
  // The page says so as it goes; the platform would wait for a client that was lost.
  await expect.poll(ends).toEqual([['ended', 'customer-ended-call']])
  await start(page).click()
  await expect(stop(page)).toBeVisible()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(300)
  await stop(page).click()
  await expect(start(page)).toBeVisible()
  await expect.poll(ends).toEqual([
    ['ended', 'customer-ended-call'],
    ['ended', 'customer-ended-call'],
  ])
  expect(heyline.errors.slice(printed)).not.toMatch(/"level":(50|60)/)
})
