import { expect } from '@playwright/test'
import {
  type OpenAiStandIn,
  startOpenAiStandIn,
} from '../packages/voice-platform/src/testing/openai-stand-in.js'
import { flagsWithMicrophone, SPEECH } from './chromium-flags.js'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { callsFromNow } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

const QUESTION = 'What does the cake cost?'
const ANSWER = 'The cake costs nine dollars and ninety cents.'
/** How long the rule waits, in seconds. */
const WAIT = 5

let heyline: RunningHeyline
let engines: OpenAiStandIn

test.use({ ownBrowser: { args: flagsWithMicrophone(SPEECH) } })
test.beforeAll(async () => {
  engines = await startOpenAiStandIn({ transcript: QUESTION, reply: [ANSWER] })
  heyline = await RunningHeyline.start({ TRANSCRIBER_URL: engines.url, MODEL_URL: engines.url })
})
test.afterAll(async () => {
  await heyline?.stop()
  await engines.close()
})

for (const { regex, holds } of [
  { regex: '\\bcake\\b', holds: true },
  { regex: '\\bzebra\\b', holds: false },
])
  test(`a caller who may go on is waited for by the assistant's own rule, and no other: ${regex}`, async ({
    page,
    request,
  }) => {
    const calls = await callsFromNow(heyline, request)
    const { platformPrivate } = await heyline.keys()
    const rule = { type: 'customer', regex, timeoutSeconds: WAIT }
    const changed = await request.patch(`${heyline.url}/-/platform/assistant/${heyline.assistantId}`, {
      headers: { authorization: `Bearer ${platformPrivate}` },
      data: { startSpeakingPlan: { customEndpointingRules: [rule] } },
    })
    expect(changed.status(), await changed.text()).toBe(200)
    await storeVisitors(heyline, [{ slug: 'ruled', name: 'Ruled', first_message: 'Hello.' }])
    await tapSpeaker(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${heyline.url}/ruled`)
    await start(page).click()
    const said = async () => (await calls())[0]?.messages?.map(({ message }) => message)
    await expect.poll(said, { timeout: 40_000 }).toEqual(expect.arrayContaining([QUESTION, ANSWER]))
    // The greeting and the answer.
    expect(await audibleMs(page)).toBeGreaterThan(1_000)
    await stop(page).click()
    const ended = async () => (await calls()).find(({ status }) => status === 'ended')
    await expect.poll(async () => (await ended())?.endedReason).toBe('customer-ended-call')
    // As the platform measured it: from the caller's last sound to the decision that the turn is over.
    const [turn] = (await ended())?.artifact?.performanceMetrics?.turnLatencies ?? []
    expect((turn?.endpointingLatency ?? 0) >= (WAIT - 0.2) * 1000).toBe(holds)
  })
