import { expect } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { askForCall } from './phone-form.js'
import { callsFromNow } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { storeVisitors } from './visitors.js'

/** Of its own: nobody else's calls are to be cut. */
let heyline: RunningHeyline
test.beforeAll(async () => {
  heyline = await RunningHeyline.start()
})
test.afterAll(() => heyline.stop())

test('a call that a restart of the server cuts is ended in the records, with the server as the reason', async ({
  page,
  request,
}) => {
  const calls = await callsFromNow(heyline, request)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/default`)
  await start(page).click()
  await expect(stop(page)).toBeVisible()
  await heyline.restart()
  await expect(start(page)).toBeVisible()
  await expect
    .poll(async () => (await calls()).map(({ status, endedReason }) => [status, endedReason]))
    .toEqual([['ended', 'worker-shutdown']])
})

test('a kill keeps visitors and calls', async ({ page, request }) => {
  const calls = await callsFromNow(heyline, request)
  const ends = async () => (await calls()).map(({ endedReason }) => endedReason)
  await storeVisitors(heyline, [{ slug: 'kept', name: 'Kept' }])
  await askForCall(page, heyline.url, '2025550102')
  await expect.poll(ends).toEqual(['customer-busy'])
  await heyline.restart('SIGKILL')
  await page.goto(`${heyline.url}/kept`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Kept,')
  expect(await ends()).toEqual(['customer-busy'])
})
