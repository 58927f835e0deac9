import { expect, type Page, test } from '@playwright/test'
import { chromium } from '../scripts/chromium.mjs'
import { flagsWithMicrophone, SPEECH } from './chromium-flags.js'
import { callsOf } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { hearingTracks, scriptRecognition } from './scripted-recognition.js'
import { audibleMs, tapSpeaker } from './speaker.js'

const QUESTION = 'when are you open on Saturday'

test.use({ launchOptions: { executablePath: chromium(), args: flagsWithMicrophone(SPEECH) } })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A visitor's page in a call, whose browser recognises that question. */
async function startCall(page: Page, heyline: RunningHeyline) {
  const system = 'You are Ava. The shop opens at nine on Saturday. We sell tea.'
  await heyline.command(
    'visitors',
    'add',
    'tea',
    '--name',
    'Tea',
    '--first-message',
    'Hi.',
    '--system',
    system,
  )
  await tapSpeaker(page)
  await scriptRecognition(page, QUESTION)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/tea`)
  await button(page, 'Test in Browser').click()
  await expect(button(page, 'Stop Call')).toBeVisible()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(100)
}

test('a question is understood by the browser, on the call’s own track, and answered', async ({
  page,
  request,
}) => {
  const heyline = await RunningHeyline.start()
  try {
    await startCall(page, heyline)
    await expect.poll(() => hearingTracks(page)).toEqual([{ kind: 'audio', state: 'live', lang: 'en' }])
    const messages = async () =>
      (await callsOf(heyline, request))[0]?.messages?.map(({ role, message }) => `${role}: ${message}`) ?? []
    await expect(page.getByText('The shop opens at nine on Saturday.')).toBeAttached({ timeout: 20_000 })
    await button(page, 'Stop Call').click()
    await expect.poll(messages).toContainEqual(`user: ${QUESTION}`)
    // A call that is over hears nothing.
    expect(await hearingTracks(page)).toEqual([])
  } finally {
    await heyline.stop()
  }
})

test('nothing is recognised where the setting is off', async ({ page }) => {
  const heyline = await RunningHeyline.start({ BROWSER_TRANSCRIBER: 'off' })
  try {
    // The greeting is heard by then: with the setting on, the recognition has long begun.
    await startCall(page, heyline)
    await page.waitForTimeout(1_500)
    expect(await hearingTracks(page)).toEqual([])
    await button(page, 'Stop Call').click()
  } finally {
    await heyline.stop()
  }
})
