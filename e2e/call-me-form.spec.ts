import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { callsSent, tokens } from './human-check-requests.js'
import { onEveryHost, onServer } from './page-hosts.js'
import { EMPTY, FAILURE, field, openForm, SUCCESS, submit, type, WEBHOOK } from './phone-form.js'
import { callsFromNow } from './platform-records.js'

/** A promise and its release. */
function held() {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release }
}

onEveryHost('the Call Me form', (host) => {
  test('posts {phone, slug}, shows that it is busy, then the success, and clears the number', async ({
    page,
  }) => {
    const { released: answered, release: answer } = held()
    const bodies: unknown[] = []
    await page.route(WEBHOOK, async (route) => {
      bodies.push(route.request().postDataJSON())
      await answered
      await route.fulfill({ status: 200, body: 'not read' })
    })
    await openForm(page, host)
    await type(page, '4155552671')
    await submit(page)
    const busy = page.getByRole('button', { name: 'Initiating Call...' })
    await expect(busy).toBeVisible()
    await busy.click({ force: true })
    answer()
    await expect(page.getByText(SUCCESS)).toBeVisible()
    expect(bodies).toEqual([{ phone: '+14155552671', slug: 'default' }])
    await expect(field(page)).toHaveValue('+1')
  })

  test('the server’s own webhook takes the number, and a call is placed', {
    tag: '@main',
  }, async ({ page, request }) => {
    const calls = await callsFromNow(host.heyline, request)
    await openForm(page, host)
    await type(page, '2025550102')
    await submit(page)
    await expect(page.getByText(SUCCESS)).toBeVisible()
    await expect
      .poll(async () => (await calls()).map(({ customer }) => customer?.number))
      .toEqual(['+12025550102'])
  })
})

onServer('the Call Me form', (host) => {
  test('the button shows and hides the form', async ({ page }) => {
    await openForm(page, host)
    const button = page.getByRole('button', { name: 'Call Me' })
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await button.click()
    await expect(page.getByRole('button', { name: 'Call Now' })).toBeHidden()
    await expect(button).toHaveAttribute('aria-expanded', 'false')
  })

  test('countries: US by default, then US, GB, CA, AU first and the rest alphabetical', async ({ page }) => {
    await openForm(page, host)
    const country = page.getByRole('combobox')
    await expect(country).toHaveValue('US')
    const names = await country.locator('option:not([disabled])').allTextContents()
    expect(names.slice(0, 4)).toEqual(['United States', 'United Kingdom', 'Canada', 'Australia'])
    const rest = names.slice(4)
    expect(rest.length).toBeGreaterThan(200)
    expect(rest).toEqual([...rest].sort(new Intl.Collator('en').compare))
  })

  test('an empty number, and a bare calling code, get their message and no request', {
    tag: '@main',
  }, async ({ page }) => {
    let requests = 0
    await page.route(WEBHOOK, (route) => {
      requests += 1
      return route.fulfill({ status: 202, body: '{}' })
    })
    await openForm(page, host)
    await submit(page)
    await expect(page.getByText(EMPTY)).toBeVisible()
    await page.getByRole('combobox').selectOption('DE')
    await submit(page)
    await expect(page.getByText(EMPTY)).toBeVisible()
    expect(requests).toBe(0)
  })

  test('a call brings no token of a human check, and nothing of a check or a live status is fetched', async ({
    page,
  }) => {
    const { calls, challenges } = callsSent(page)
    await page.route(WEBHOOK, (route) => route.fulfill({ status: 202, body: '{"id":"one"}' }))
    await openForm(page, host)
    await type(page, '4155552671')
    await submit(page)
    await expect(page.getByText(SUCCESS)).toBeVisible()
    expect(tokens(calls)).toEqual([undefined])
    expect(challenges).toEqual([])
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    expect(fetched.filter((url) => /own-webhook|human-check|live-status|solver/.test(url))).toEqual([])
  })

  for (const status of [202, 204, 299])
    test(`any 2xx is a success (${status})`, async ({ page }) => {
      await page.route(WEBHOOK, (route) => route.fulfill({ status }))
      await openForm(page, host)
      await type(page, '4155552671')
      await submit(page)
      await expect(page.getByText(SUCCESS)).toBeVisible()
      await expect(field(page)).toHaveValue('+1')
    })

  for (const [what, answer] of [
    ['a refusal', { status: 403, body: '{}' }],
    ['a server error', { status: 500, body: '{}' }],
  ] as const)
    test(`${what} gets the failure text and keeps the number`, { tag: '@main' }, async ({ page }) => {
      await page.route(WEBHOOK, (route) => route.fulfill(answer))
      await openForm(page, host)
      await type(page, '4155552671')
      await submit(page)
      await expect(page.getByText(FAILURE)).toBeVisible()
      await expect(field(page)).toHaveValue('+1 415 555 2671')
    })

  test('a redirect gets the failure text, keeps the number, and is not followed', async ({ page }) => {
    // To an address that would take the number.
    const location = `${host.heyline.url}/-/backend/functions/v1/call-me`
    const headers = { location, 'access-control-allow-origin': '*' }
    await page.route(WEBHOOK, (route) => route.fulfill({ status: 307, headers }))
    await openForm(page, host)
    await type(page, '4155552671')
    await submit(page)
    await expect(page.getByText(FAILURE)).toBeVisible()
    await expect(field(page)).toHaveValue('+1 415 555 2671')
  })

  test('a network failure gets the failure text and keeps the number', async ({ page }) => {
    await page.route(WEBHOOK, (route) => route.abort('connectionrefused'))
    await openForm(page, host)
    await type(page, '4155552671')
    await submit(page)
    await expect(page.getByText(FAILURE)).toBeVisible()
    await expect(field(page)).toHaveValue('+1 415 555 2671')
  })

  test('a webhook that does not answer gets the failure text after 15 s, and keeps the number', async ({
    page,
  }) => {
    const { released, release } = held()
    await page.route(WEBHOOK, async (route) => {
      await released
      await route.fulfill({ status: 200 }).catch(() => {})
    })
    await page.clock.install()
    await openForm(page, host)
    await type(page, '4155552671')
    await submit(page)
    await expect(page.getByRole('button', { name: 'Initiating Call...' })).toBeVisible()
    await page.clock.fastForward(15_000)
    await expect(page.getByText(FAILURE)).toBeVisible()
    await expect(field(page)).toHaveValue('+1 415 555 2671')
    release()
  })

  test('two quick submits make one request', async ({ page }) => {
    const { released, release } = held()
    let requests = 0
    await page.route(WEBHOOK, async (route) => {
      requests += 1
      await released
      await route.fulfill({ status: 200 })
    })
    await openForm(page, host)
    await type(page, '4155552671')
    await field(page).press('Enter')
    await field(page).press('Enter')
    await expect(page.getByRole('button', { name: 'Initiating Call...' })).toBeVisible()
    release()
    await expect(page.getByText(SUCCESS)).toBeVisible()
    expect(requests).toBe(1)
  })

  test('closing clears the number and the message', async ({ page }) => {
    await page.route(WEBHOOK, (route) => route.fulfill({ status: 500, body: '{}' }))
    await openForm(page, host)
    await type(page, '4155552671')
    await submit(page)
    await expect(page.getByText(FAILURE)).toBeVisible()
    const toggle = page.getByRole('button', { name: 'Call Me' })
    await toggle.click()
    await expect(page.getByText(FAILURE)).toBeHidden()
    await toggle.click()
    await expect(field(page)).toHaveValue('+1')
    await expect(page.getByText(FAILURE)).toBeHidden()
  })

  for (const status of [200, 500])
    test(`closing in the middle of a request shows nothing of its answer (${status})`, async ({ page }) => {
      const { released, release } = held()
      const { released: answered, release: answer } = held()
      await page.route(WEBHOOK, async (route) => {
        await released
        await route.fulfill({ status }).catch(() => {})
        answer()
      })
      await openForm(page, host)
      await type(page, '4155552671')
      await submit(page)
      await expect(page.getByRole('button', { name: 'Initiating Call...' })).toBeVisible()
      const toggle = page.getByRole('button', { name: 'Call Me' })
      await toggle.click()
      release()
      await answered
      const message = page.locator('#call-me-message')
      await expect(message).toBeEmpty()
      await toggle.click()
      await expect(page.getByRole('button', { name: 'Call Now' })).toBeVisible()
      await expect(field(page)).toHaveValue('+1')
      await expect(message).toBeEmpty()
    })
})
