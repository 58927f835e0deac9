import { expect, test } from '@playwright/test'
import { chromium } from '../scripts/chromium.mjs'
import { flagsWithMicrophone, SPEECH, SPEECH_AFTER_MS } from './chromium-flags.js'
import { callsOf } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, quietFor, tapSpeaker } from './speaker.js'

const button = (name: string) => ({ name, exact: true })

test.use({ launchOptions: { executablePath: chromium(), args: flagsWithMicrophone(SPEECH) } })

test('a caller who speaks is noticed, and answered with something honest', async ({ page, request }) => {
  const heyline = await RunningHeyline.start()
  try {
    await heyline.command('visitors', 'add', 'brief', '--name', 'Brief', '--first-message', 'Hello.')
    await tapSpeaker(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${heyline.url}/brief`)
    await page.getByRole('button', button('Test in Browser')).click()
    await expect(page.getByRole('button', button('Stop Call'))).toBeVisible()
    await expect.poll(() => audibleMs(page)).toBeGreaterThan(200)
    await page.waitForTimeout(SPEECH_AFTER_MS - 1_500)
    const greeting = await audibleMs(page)
    expect(greeting).toBeLessThan(1_500)
    await expect.poll(() => audibleMs(page), { timeout: 20_000 }).toBeGreaterThan(greeting + 1_000)
    await expect.poll(() => quietFor(page), { timeout: 20_000 }).toBeGreaterThan(1_000)
    await page.getByRole('button', button('Stop Call')).click()

    const [call] = await callsOf(heyline, request)
    await expect
      .poll(async () => (await callsOf(heyline, request))[0]?.messages?.map(({ role }) => role) ?? [])
      .toEqual(expect.arrayContaining(['user', 'bot']))
    expect(call?.type).toBe('webCall')
    const answers = (await callsOf(heyline, request))[0]?.messages?.filter(({ role }) => role === 'bot') ?? []
    expect(answers.at(-1)?.message).toMatch(/heard|spoke|speak/i)
  } finally {
    await heyline.stop()
  }
})
