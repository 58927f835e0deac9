import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { freePort } from './free-port.js'
import { callsOf } from './platform-records.js'
import { RunningHeyline } from './running-heyline.js'
import { audibleMs, tapSpeaker } from './speaker.js'

test('both buttons work with the backend and the platform of another server', async ({ page, request }) => {
  // Two servers start within it.
  test.slow()
  // The hosting server must know our origin before we start.
  const port = await freePort()
  const host = await RunningHeyline.start({ ALLOWED_ORIGINS: `http://localhost:${port}` })
  const keys = await host.keys()
  const heyline = await RunningHeyline.start({
    PORT: String(port),
    SUPABASE_URL: `${host.url}/-/backend`,
    SUPABASE_PUBLISHABLE_KEY: keys.publishable,
    SUPABASE_SECRET_KEY: keys.secret,
    PLATFORM_URL: `${host.url}/-/platform`,
    PLATFORM_PUBLIC_KEY: keys.platformPublic,
    PLATFORM_PRIVATE_KEY: keys.platformPrivate,
    PLATFORM_ASSISTANT_ID: host.assistantId,
    // The gate takes a hosted platform for real, and this test runs at any hour.
    CALL_HOURS: 'off',
  })
  try {
    expect(
      (
        await heyline.command(
          'visitors',
          'add',
          'afar',
          '--name',
          'Afar',
          '--first-message',
          'Hello from afar, dear visitor.',
        )
      ).code,
    ).toBe(0)
    await tapSpeaker(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${heyline.url}/afar`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Afar,')
    await page.getByRole('button', { name: 'Test in Browser' }).click()
    await expect.poll(() => audibleMs(page), { timeout: 15_000 }).toBeGreaterThan(1_000)
    await page.getByRole('button', { name: 'Stop Call' }).click()

    await page.getByRole('button', { name: 'Call Me' }).click()
    await page.getByRole('textbox').focus()
    await page.keyboard.press('End')
    await page.keyboard.type('2025550102')
    await page.getByRole('button', { name: 'Call Now' }).click()
    await expect(page.getByText("Great! You'll receive a call within the next 15 seconds.")).toBeVisible()
    await expect
      .poll(async () => (await callsOf(host, request)).map(({ type, endedReason }) => [type, endedReason]))
      .toEqual([
        ['outboundPhoneCall', 'customer-busy'],
        ['webCall', 'customer-ended-call'],
      ])
    // The page's note has made it a call of this visitor's in the records.
    await expect
      .poll(async () => (await heyline.command('calls', 'list')).out, { timeout: 20_000 })
      .toMatch(/completed .* afar +browser/)
  } finally {
    await heyline.stop()
    await host.stop()
  }
})

test('a call in the browser is minted with the secret keys of another server, whose public keys start and tell nothing', async ({
  page,
}) => {
  // Two servers start within it.
  test.slow()
  const port = await freePort()
  const host = await RunningHeyline.start({
    WEB_CALLS: 'minted',
    ALLOWED_ORIGINS: `http://localhost:${port}`,
  })
  const keys = await host.keys()
  const heyline = await RunningHeyline.start({
    PORT: String(port),
    WEB_CALLS: 'minted',
    SUPABASE_URL: `${host.url}/-/backend`,
    SUPABASE_PUBLISHABLE_KEY: keys.publishable,
    SUPABASE_SECRET_KEY: keys.secret,
    PLATFORM_URL: `${host.url}/-/platform`,
    PLATFORM_PRIVATE_KEY: keys.platformPrivate,
    PLATFORM_ASSISTANT_ID: host.assistantId,
    CALL_HOURS: 'off',
  })
  try {
    expect(heyline.output).not.toContain('grant select')
    await tapSpeaker(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.goto(`${heyline.url}/riverside-dental`)
    await page.getByRole('button', { name: 'Test in Browser' }).click()
    await expect.poll(() => audibleMs(page), { timeout: 15_000 }).toBeGreaterThan(1_000)
    await page.getByRole('button', { name: 'Stop Call' }).click()
    await expect(page.getByRole('button', { name: 'Test in Browser' })).toBeVisible()
    expect(sent.filter((url) => url.startsWith(`${host.url}/-/platform`))).toEqual([])
  } finally {
    await heyline.stop()
    await host.stop()
  }
})
