import { expect, type Page } from '@playwright/test'
import { flagsWithMicrophone, SPEECH } from './chromium-flags.js'
import { CuttableProxy } from './cuttable-proxy.js'
import { test } from './fixtures.js'
import { freePort } from './free-port.js'
import { callsOf } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, tapSpeaker } from './speaker.js'
import { storeVisitors } from './visitors.js'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.use({ ownBrowser: { args: flagsWithMicrophone(SPEECH) } })

let proxy: CuttableProxy
let heyline: RunningHeyline
test.beforeAll(async () => {
  proxy = await CuttableProxy.start()
  const port = await freePort()
  proxy.leadTo(port)
  heyline = await RunningHeyline.start({ PORT: String(port), PUBLIC_URL: proxy.url })
  await storeVisitors(heyline, [{ slug: 'brief', name: 'Brief', first_message: 'Hello.' }])
})
test.afterAll(async () => {
  await heyline.stop()
  await proxy.stop()
})
test.beforeEach(() => proxy.mend())

async function startCall(page: Page) {
  await tapSpeaker(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${proxy.url}/brief`)
  await button(page, 'Test in Browser').click()
  await expect(button(page, 'Stop Call')).toBeVisible()
  await expect.poll(() => audibleMs(page)).toBeGreaterThan(200)
}

test('a call goes on when the network was cut and is back', async ({ page, request }) => {
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(new URL(socket.url()).search))
  await startCall(page)
  const before = await audibleMs(page)
  proxy.cut()
  await expect(page.getByText('Reconnecting…').first()).toBeVisible()
  // It tries again and again, and stays in the call.
  await expect.poll(() => proxy.refused).toBeGreaterThan(2)
  await expect(button(page, 'Stop Call')).toBeVisible()
  proxy.mend()
  await expect(page.getByText('Reconnecting…').first()).toBeHidden()
  // The caller's words come after the cut; that they are answered says that both directions are back.
  await expect.poll(() => audibleMs(page), { timeout: 25_000 }).toBeGreaterThan(before + 1_000)
  expect(sockets[0]).toMatch(/secret=/)
  expect(sockets.at(-1)).toMatch(/resume=/)
  await button(page, 'Stop Call').click()
  await expect(button(page, 'Test in Browser')).toBeVisible()
  await expect
    .poll(async () =>
      (await callsOf(heyline, request)).map(({ status, endedReason }) => [status, endedReason]),
    )
    .toEqual([['ended', 'customer-ended-call']])
})

test('a tab that is closed ends its call', async ({ page, request }) => {
  await startCall(page)
  await page.close()
  const newest = async () => (await callsOf(heyline, request))[0]
  // Told by the page as it goes: the platform would wait longer than this for a line that was lost.
  await expect.poll(async () => (await newest())?.status).toBe('ended')
  expect((await newest())?.endedReason).toBe('customer-ended-call')
})
