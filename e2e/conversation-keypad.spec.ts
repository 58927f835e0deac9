import { expect } from '@playwright/test'
import {
  type OpenAiStandIn,
  startOpenAiStandIn,
} from '../packages/voice-platform/src/testing/openai-stand-in.js'
import { start } from './demo-page.js'
import { test } from './fixtures.js'
import { keysHeard, listenForKeys, pressKeys } from './heard-keys.js'
import { callsOf } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, quietFor, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

const ENTRY = "User's Keypad Entry: 42"
const PRESSED = '159D'

let heyline: RunningHeyline
let model: OpenAiStandIn

test.beforeAll(async () => {
  model = await startOpenAiStandIn({
    reply: ['I press them.'],
    toolCalls: [{ name: 'dtmf', arguments: { dtmf: PRESSED } }],
  })
  heyline = await RunningHeyline.start({ MODEL_URL: model.url })
})
test.afterAll(async () => {
  await heyline?.stop()
  await model.close()
})

test('keys that are typed in a browser call are answered, and the caller hears the tones of those that the assistant presses', async ({
  page,
  request,
}) => {
  const { platformPrivate } = await heyline.keys()
  const changed = await request.patch(`${heyline.url}/-/platform/assistant/${heyline.assistantId}`, {
    headers: { authorization: `Bearer ${platformPrivate}` },
    data: {
      keypadInputPlan: { enabled: true, timeoutSeconds: 5, delimiters: '#' },
      model: { provider: 'openai', model: 'gpt-4o-mini', tools: [{ type: 'dtmf' }] },
    },
  })
  expect(changed.status(), await changed.text()).toBe(200)
  await storeVisitors(heyline, [
    { slug: 'keys', name: 'Keys', first_message: 'Please type your number now, and then the hash key.' },
  ])
  await tapSpeaker(page)
  await listenForKeys(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/keys`)
  await start(page).click()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(500)
  await expect.poll(() => quietFor(page)).toBeGreaterThan(700)
  expect(await keysHeard(page)).toBe('')
  await pressKeys(page, '42#')
  await expect.poll(() => keysHeard(page), { timeout: 20_000 }).toBe(PRESSED)
  await page.close()
  await expect
    .poll(async () => (await callsOf(heyline, request))[0]?.messages?.map(({ message }) => message), {
      timeout: 30_000,
    })
    .toEqual(expect.arrayContaining([ENTRY, `The assistant pressed ${PRESSED}.`]))
})
