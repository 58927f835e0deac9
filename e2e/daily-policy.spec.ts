import { expect, type Page } from '@playwright/test'
import { ROOM_CODE } from './daily-page.js'
import { DailyPlatform } from './daily-platform.js'
import { SCRIPTED_ROOM_CODE } from './daily-room-code.js'
import { browserCall, open } from './demo-page.js'
import { test } from './fixtures.js'
import { onEveryHost } from './page-hosts.js'
import { RunningHeyline } from './running-heyline.js'

/** Asks for the camera under the page's own policy; answers with the tracks' kinds, or the error's name. */
const askForCamera = (page: Page) =>
  page.evaluate(() =>
    navigator.mediaDevices.getUserMedia({ video: true }).then(
      (stream) => stream.getTracks().map(({ kind }) => kind),
      (error: Error) => error.name,
    ),
  )

/** Keeps what the page's policy refuses. */
async function watchRefusals(page: Page) {
  await page.addInitScript(() => {
    const refused: string[] = []
    Object.assign(window, { refused })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      refused.push(`${effectiveDirective} ${blockedURI}`),
    )
  })
  return () => page.evaluate<string[]>('refused')
}

test.describe('a page that is set to a hosted platform with Daily’s rooms', () => {
  let platform: DailyPlatform
  let heyline: RunningHeyline
  test.beforeAll(async () => {
    platform = await DailyPlatform.start()
    heyline = await RunningHeyline.start({
      PLATFORM_URL: platform.url,
      PLATFORM_PUBLIC_KEY: 'public-key',
      PLATFORM_PRIVATE_KEY: 'private-key',
      PLATFORM_ASSISTANT_ID: 'assistant',
    })
  })
  test.afterAll(async () => {
    await heyline.stop()
    platform.stop()
  })

  test('holds a call with noise cancellation under its own policy', async ({ page }) => {
    const refusals = await watchRefusals(page)
    await page.route(ROOM_CODE, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: SCRIPTED_ROOM_CODE }),
    )
    await open(page, heyline.url)
    await browserCall(page).click()
    await expect(browserCall(page)).toHaveText('Stop Call')
    await expect.poll(() => page.evaluate('window.processesAudio')).toBe(true)
    await expect(browserCall(page)).toHaveText('Stop Call')
    expect(await refusals()).toEqual([])
    await browserCall(page).click()
    await expect(browserCall(page)).toHaveText('Test in Browser')
  })

  test('may have the camera, which a platform that records video asks for', async ({ page, context }) => {
    await context.grantPermissions(['microphone', 'camera'])
    await open(page, heyline.url)
    expect(await askForCamera(page)).toEqual(['video'])
  })

  test('still runs no eval and no script of another host', async ({ page }) => {
    const refusals = await watchRefusals(page)
    await open(page, heyline.url)
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.src = 'https://example.com/script.js'
      document.head.append(script)
      setTimeout('window.evaluated = true')
    })
    await expect
      .poll(refusals)
      .toEqual(expect.arrayContaining(['script-src-elem https://example.com/script.js', 'script-src eval']))
    expect(await page.evaluate('window.evaluated')).toBeUndefined()
  })
})

onEveryHost('a page on the built-in platform', (host) => {
  test('compiles no WebAssembly and loads nothing from a blob', async ({ page }) => {
    const refusals = await watchRefusals(page)
    await open(page, host.url)
    const compiled = await page.evaluate(() =>
      WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(
        () => 'compiled',
        () => 'refused',
      ),
    )
    expect(compiled).toBe('refused')
    await page.evaluate(() => new Worker(URL.createObjectURL(new Blob(['']))))
    await expect.poll(refusals).toEqual(['script-src wasm-eval', 'worker-src blob'])
  })

  if (host.kind === 'server')
    test('asks for no camera', async ({ page, context }) => {
      await context.grantPermissions(['microphone', 'camera'])
      await open(page, host.url)
      expect(await askForCamera(page)).toBe('NotAllowedError')
    })
})
