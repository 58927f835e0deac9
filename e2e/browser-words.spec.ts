import { expect, type Page } from '@playwright/test'
import { flagsWithMicrophone, SPEECH } from './chromium-flags.js'
import { test } from './fixtures.js'
import { callsFromNow } from './platform-records.js'
import type { RunningHeyline } from './running-heyline.js'
import { hearingTracks, scriptRecognition } from './scripted-recognition.js'
import { audibleMs, quietFor, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

const QUESTION = 'when are you open on Saturday'

test.use({ ownBrowser: { args: flagsWithMicrophone(SPEECH) } })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A visitor's page in a call, whose browser recognises that question. */
async function startCall(page: Page, heyline: RunningHeyline) {
  const system = 'You are Ava. The shop opens at nine on Saturday. We sell tea.'
  await storeVisitors(heyline, [{ slug: 'tea', name: 'Tea', first_message: 'Hi.', system }])
  await tapSpeaker(page)
  await scriptRecognition(page, QUESTION)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/tea`)
  await button(page, 'Test in Browser').click()
  await expect(button(page, 'Stop Call')).toBeVisible()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(100)
}

test('a question is understood by the browser, on the call’s own track, and answered', {
  tag: '@main',
}, async ({ page, request, heyline }) => {
  const calls = await callsFromNow(heyline, request)
  await startCall(page, heyline)
  await expect.poll(() => hearingTracks(page)).toEqual([{ kind: 'audio', state: 'live', lang: 'en' }])
  const messages = async () =>
    (await calls())[0]?.messages?.map(({ role, message }) => `${role}: ${message}`) ?? []
  await expect(page.getByText('The shop opens at nine on Saturday.')).toBeAttached({ timeout: 20_000 })
  await button(page, 'Stop Call').click()
  await expect.poll(messages).toContainEqual(`user: ${QUESTION}`)
  // A call that is over hears nothing.
  expect(await hearingTracks(page)).toEqual([])
})

test.describe('with BROWSER_TRANSCRIBER=off', () => {
  test.use({ settings: { BROWSER_TRANSCRIBER: 'off' } })

  test('nothing is recognised', async ({ page, heyline }) => {
    // The greeting has been heard by then: with the setting on, the recognition has long begun.
    await startCall(page, heyline)
    await expect.poll(() => quietFor(page)).toBeGreaterThan(500)
    expect(await hearingTracks(page)).toEqual([])
    await button(page, 'Stop Call').click()
  })
})
