import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { callsFromNow } from './platform-records.js'
import { audibleMs, speakersOpen, tapSpeaker } from './speaker.js'

/** What a person sees; the status for screen readers is told apart. */
const seenText = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll<HTMLElement>('h1, p, a, button, [role]')]
    return elements
      .filter((element) => !element.closest('.visually-hidden'))
      .map(({ innerText }) => innerText)
  })

const button = (name: string) => ({ name, exact: true })

onEveryHost('a call in the browser', (host) => {
  test('connects, is heard greeting at the speaker, and stops', { tag: '@main' }, async ({ page }) => {
    const printed = host.heyline.errors.length
    await tapSpeaker(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/default`)
    const created = page.waitForRequest('**/call/web')
    await page.getByRole('button', button('Test in Browser')).click()
    const stop = page.getByRole('button', button('Stop Call'))
    const body = (await created).postDataJSON()
    expect(Object.keys(body).sort()).toEqual(['assistantId', 'assistantOverrides'])
    expect(body.assistantOverrides).toMatchObject({
      firstMessage: expect.any(String),
      model: {
        provider: 'openai',
        model: 'gpt-4o-mini',
        emotionRecognitionEnabled: true,
        maxTokens: 250,
        messages: [{ role: 'system', content: expect.any(String) }],
      },
    })
    await expect(stop).toBeVisible()
    await expect.poll(() => audibleMs(page), { timeout: 15_000 }).toBeGreaterThan(1_000)
    await stop.click()
    await expect(page.getByRole('button', button('Test in Browser'))).toBeVisible()
    await expect.poll(() => speakersOpen(page)).toBe(0)
    expect(host.heyline.errors.slice(printed)).not.toMatch(/"level":(50|60)/)
  })
})

onServer('a call in the browser', (host) => {
  test('starts again after it was stopped, and the record of the first is kept', async ({
    page,
    request,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${host.url}/riverside-dental`)
    const calls = await callsFromNow(host.heyline, request)
    for (let round = 0; round < 2; round += 1) {
      await page.getByRole('button', button('Test in Browser')).click()
      await page.getByRole('button', button('Stop Call')).click()
      await expect(page.getByRole('button', button('Test in Browser'))).toBeVisible()
    }
    await expect
      .poll(async () => (await calls()).map(({ type, status, endedReason }) => [type, status, endedReason]))
      .toEqual([
        ['webCall', 'ended', 'customer-ended-call'],
        ['webCall', 'ended', 'customer-ended-call'],
      ])
  })

  test('returns to idle without a message when it can not start', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.route('**/call/web', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto(`${host.url}/default`)
    await expect(page.getByRole('button', button('Test in Browser'))).toBeVisible()
    const before = await seenText(page)
    await page.getByRole('button', button('Test in Browser')).click()
    await expect(page.getByRole('button', button('Test in Browser'))).toBeVisible()
    expect(await seenText(page)).toEqual(before)
  })

  test('reads Connecting... while it connects, and a press then is ignored', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    let creations = 0
    await page.route('**/call/web', async (route) => {
      creations += 1
      await held
      await route.continue()
    })
    await page.goto(`${host.url}/default`)
    await page.getByRole('button', button('Test in Browser')).click()
    const connecting = page.getByRole('button', button('Connecting...'))
    await expect(connecting).toBeVisible()
    await connecting.click({ force: true })
    go()
    await expect(page.getByRole('button', button('Stop Call'))).toBeVisible()
    expect(creations).toBe(1)
    await page.getByRole('button', button('Stop Call')).click()
  })
})
