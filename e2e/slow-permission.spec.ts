import { expect, type Page } from '@playwright/test'
import { start, stop } from './demo-page.js'
import { test } from './fixtures.js'
import { onServer } from './page-hosts.js'

declare global {
  interface Window {
    /** The person, or the system, lets the page have its microphone. */
    giveMicrophone(): void
  }
}

/** A microphone that comes when it is given. */
const holdMicrophone = (page: Page) =>
  page.addInitScript(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    const given = new Promise<void>((resolve) => {
      window.giveMicrophone = resolve
    })
    mediaDevices.getUserMedia = async (constraints) => {
      await given
      return open(constraints)
    }
  })

/** Counts the calls that the page creates. */
function countCalls(page: Page) {
  const created: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/call/web')) created.push(request.method())
  })
  return created
}

const connecting = (page: Page) => page.getByRole('button', { name: 'Connecting...', exact: true })

onServer('a microphone that is asked for', (host) => {
  test.use({ permissions: [] })

  test('and given after twenty seconds still ends in a call: one is created, then', async ({ page }) => {
    await holdMicrophone(page)
    const created = countCalls(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    await start(page).click()
    // Longer than the platform keeps a call that nobody has joined.
    await page.waitForTimeout(20_000)
    await expect(connecting(page)).toBeVisible()
    expect(created).toEqual([])
    await page.evaluate(() => window.giveMicrophone())
    await expect(stop(page)).toBeVisible()
    expect(created).toEqual(['POST'])
    await stop(page).click()
    await expect(start(page)).toBeVisible()
  })
})

onServer('a microphone that is allowed', (host) => {
  test('and opens after twenty seconds still ends in a call: another one is created', async ({ page }) => {
    await page.clock.install()
    await holdMicrophone(page)
    const created = countCalls(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    await start(page).click()
    await expect.poll(() => created).toEqual(['POST'])
    await page.waitForTimeout(500)
    await page.clock.fastForward(20_000)
    await expect(connecting(page)).toBeVisible()
    await page.evaluate(() => window.giveMicrophone())
    await expect(stop(page)).toBeVisible()
    expect(created).toEqual(['POST', 'POST'])
    await stop(page).click()
    await expect(start(page)).toBeVisible()
  })
})
