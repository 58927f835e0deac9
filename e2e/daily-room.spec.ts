import { expect, type Page } from '@playwright/test'
import { openDailyPage, ROOM_CODE } from './daily-page.js'
import { SCRIPTED_ROOM_CODE, scriptedRoomCode } from './daily-room-code.js'
import { test } from './fixtures.js'
import { hum, unplug } from './humming-microphone.js'

/** A client on a platform that answers at once with a Daily room; `told` holds its events in short. */
const CLIENT = `
  import { WebCallClient } from '/web-call/index.js'
  const call = { id: 'call-1', webCallUrl: 'https://example.daily.co/room' }
  const client = new WebCallClient({
    token: 'public-key',
    baseUrl: location.origin,
    fetch: async () => new Response(JSON.stringify(call), { headers: { 'content-type': 'application/json' } }),
  })
  const told = []
  for (const name of ['call-start', 'call-end', 'message', 'microphone-changed']) client.on(name, () => told.push(name))
  client.on('error', ({ type, message }) => told.push(type + ': ' + message))
  window.started = undefined
  window.start = () => void client.start({ assistant: 'a' }).then((call) => (window.started = call))
  Object.assign(window, { client, told })`

const told = (page: Page) => page.evaluate<string[]>('told')
const callObjects = (page: Page) =>
  page.evaluate<number>('Object.keys(window._daily?.instances ?? {}).length')

/** Counts the requests for the code of the room, and answers each as it is told. */
async function answerRoomCode(
  page: Page,
  answer: 'refuse' | 'hang' | 'scripted',
  code = SCRIPTED_ROOM_CODE,
): Promise<{ requests: number }> {
  const count = { requests: 0 }
  await page.route(ROOM_CODE, async (route) => {
    count.requests += 1
    if (answer === 'refuse') await route.abort()
    if (answer === 'scripted')
      await route.fulfill({
        contentType: 'text/javascript',
        headers: { 'access-control-allow-origin': '*' },
        body: code,
      })
  })
  return count
}

test('a call whose room code cannot be had fails after three attempts, readably and without a call-end', async ({
  page,
}) => {
  const code = await answerRoomCode(page, 'refuse')
  await openDailyPage(page, { script: CLIENT })
  await page.evaluate('start()')
  await expect.poll(() => page.evaluate('started')).toBe(null)
  expect(code.requests).toBe(3)
  const [first, ...others] = await told(page)
  expect(first).toMatch(/^daily-call-join-error: Failed to load call object bundle https:\/\/c\.daily\.co\//)
  expect(others).toEqual([expect.stringMatching(/^start-method-error: /)])
  expect(await callObjects(page)).toBe(0)
})

test('a stop while the code of the room loads settles the start at once, and leaves nothing', async ({
  page,
}) => {
  const code = await answerRoomCode(page, 'hang')
  await openDailyPage(page, { script: CLIENT })
  await page.evaluate('start()')
  await expect.poll(() => code.requests).toBe(1)
  await page.evaluate('client.stop()')
  await expect.poll(() => page.evaluate('started')).toBe(null)
  expect(await told(page)).toEqual([])
  expect(await callObjects(page)).toBe(0)
})

test('a start after one whose library did not load, loads it', async ({ page }) => {
  await answerRoomCode(page, 'scripted')
  await openDailyPage(page, { script: CLIENT })
  let offline = true
  await page.route('**/daily-js/**', (route) => (offline ? route.abort() : route.fallback()))
  await page.evaluate('start()')
  await expect.poll(() => page.evaluate('started')).toBe(null)
  offline = false
  await page.evaluate('start()')
  await expect.poll(() => page.evaluate('started?.id')).toBe('call-1')
  await page.evaluate('client.stop()')
})

for (const [access, text] of [
  ['lobby', 'The room has a lobby, in which a call cannot wait.'],
  ['none', 'The room does not admit this participant.'],
] as const)
  test(`a room that gives the access ${access} ends the start at once, readably`, async ({ page }) => {
    await answerRoomCode(page, 'scripted', scriptedRoomCode(access))
    await openDailyPage(page, { script: CLIENT })
    await page.evaluate('start()')
    await expect.poll(() => page.evaluate('started')).toBe(null)
    expect(await told(page)).toEqual([`daily-call-join-error: ${text}`, `start-method-error: ${text}`])
    expect(await callObjects(page)).toBe(0)
  })

test('a microphone that is lost is replaced in the room; where there is no other the call ends, and says why', async ({
  page,
}) => {
  await answerRoomCode(page, 'scripted')
  await hum(page)
  await openDailyPage(page, { script: CLIENT })
  await page.evaluate('start()')
  await expect.poll(() => told(page)).toEqual(['call-start'])
  for (const event of ['ended', 'devicechange'] as const) {
    const before = await told(page)
    await unplug(page, event)
    await expect.poll(() => told(page)).toEqual([...before, 'microphone-changed'])
  }
  await page.evaluate(() => {
    window.isMicrophoneThere = false
  })
  await unplug(page, 'ended')
  await expect
    .poll(async () => (await told(page)).slice(-3))
    .toEqual([
      'microphone-error: No microphone was found. Connect one and start again. (Requested device not found)',
      'call-end',
      'message',
    ])
  await expect.poll(() => callObjects(page)).toBe(0)
  const states = await page.evaluate(() => window.microphones.map(({ readyState }) => readyState))
  expect(new Set(states)).toEqual(new Set(['ended']))
})

test.describe('under a content security policy without unsafe-eval', () => {
  const policy =
    "default-src 'self'; script-src 'self' 'nonce-own' https://c.daily.co; connect-src 'self' https://c.daily.co"
  const JOIN = `
    import { createDailyRoom } from '/web-call/rooms/daily/daily-room.js'
    window.refused = []
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) => refused.push(blockedURI))
    window.join = async (dailyConfig) => {
      const url = 'https://example.daily.co/room'
      const room = await createDailyRoom(url, { dailyConfig })
      await room.join({ url, subscribeToTracksAutomatically: false })
      return room.meetingState()
    }`

  test.beforeEach(async ({ page }) => {
    await answerRoomCode(page, 'scripted')
    await openDailyPage(page, { script: JOIN, policy })
  })

  test('a room joins', async ({ page }) => {
    expect(await page.evaluate('join()')).toBe('joined-meeting')
    expect(await page.evaluate('refused')).toEqual([])
  })

  test('a room with eval would not', async ({ page }) => {
    await page.evaluate('void join({ avoidEval: false })')
    await expect.poll(() => page.evaluate('refused')).toContain('eval')
  })
})
