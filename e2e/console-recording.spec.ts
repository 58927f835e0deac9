import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { expectNoFindings } from './axe.js'
import { heading, openAsOwner } from './console-page.js'
import { callMe, complaintsOf } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

let heyline: RunningHeyline
test.beforeEach(async ({ page }) => {
  heyline = await RunningHeyline.start({ RECORDING: 'on' })
  await openAsOwner(page, heyline)
})
test.afterEach(() => heyline.stop())

test('a recorded call is played beside its transcript, which follows the sound', async ({ page }) => {
  const complaints = await complaintsOf(page)
  await page.getByRole('link', { name: 'Calls', exact: true }).first().click()
  await callMe(heyline, 'default', '+14155552671')
  const row = page.getByRole('row', { name: /default/ })
  await expect(row).toContainText('Talking', { timeout: 20_000 })
  await row.getByRole('link', { name: 'default' }).click()
  await expect(heading(page, 'default')).toBeFocused()
  const words = page.getByRole('region', { name: 'Transcript' }).getByRole('listitem')
  // The announcement, and the first message after it.
  await expect(words.nth(1)).toBeVisible({ timeout: 30_000 })
  await expect(words.first()).toContainText('This call is recorded.')

  // The simulated callee hangs up by itself.
  const player = page.locator('audio')
  await expect(player).toBeVisible({ timeout: 60_000 })
  await expectNoFindings(page, 'a recorded call')
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeGreaterThan(2)
  const lines = words.getByRole('button')
  await lines.nth(1).focus()
  await page.keyboard.press('Enter')
  await expect(words.nth(1)).toHaveAttribute('aria-current', 'true')
  expect(await player.evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0.5)
  await lines.first().click()
  await expect(words.first()).toHaveAttribute('aria-current', 'true')
  await expect(words.nth(1)).not.toHaveAttribute('aria-current')

  await page.setViewportSize({ width: 360, height: 740 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(360)
  expect(complaints()).toEqual([])

  const [call] = JSON.parse((await heyline.command('calls', 'list', '--json')).out)
  const file = join(heyline.dataDirectory, 'call.ogg')
  const downloaded = await heyline.command('calls', 'recording', call.id, '--out', file, '--json')
  expect(JSON.parse(downloaded.out)).toEqual({ file, bytes: statSync(file).size, type: 'audio/ogg' })
  expect(readFileSync(file).subarray(0, 4).toString()).toBe('OggS')
})
