import { expect } from '@playwright/test'
import { test } from './fixtures.js'
import { onEveryHost } from './page-hosts.js'

onEveryHost('the page', (host) => {
  test('greets the visitor by name, with every text in its place', { tag: '@main' }, async ({ page }) => {
    await page.goto(`${host.url}/riverside-dental`)
    await expect(page).toHaveTitle('Demo for Riverside Dental')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Riverside Dental,')
    await expect(page.getByText("Choose how you'd like to try it:")).toBeVisible()
    await expect(page.getByRole('button', { name: 'Call Me' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Test in Browser' })).toBeVisible()
    const website = page.getByRole('link', { name: 'Website' })
    await expect(website).toHaveAttribute('target', '_blank')
    await expect(website).toHaveAttribute('href', 'https://example.com')
    const order = await page.locator('body').innerText()
    const texts = [
      'Hey Riverside Dental,',
      "Choose how you'd like to try it:",
      'Call Me',
      'Test in Browser',
      'Website',
    ]
    const places = texts.map((text) => order.indexOf(text))
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  test('takes the empty path for the slug default, and anything behind a slug for the slug', async ({
    page,
  }) => {
    await page.goto(host.url)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey there,')
    await page.goto(`${host.url}/riverside-dental/offers/autumn?x=1`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Riverside Dental,')
  })

  test('finds a slug in other case, and no slug by a wildcard', async ({ page }) => {
    await page.goto(`${host.url}/RIVERSIDE-Dental`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey Riverside Dental,')
    for (const slug of ['riverside%25', 'riverside_dental', 'riverside*', '%00', '%E0%A4%A']) {
      await page.goto(`${host.url}/${slug}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found')
    }
  })

  test('says that a page does not exist', { tag: '@main' }, async ({ page }) => {
    await page.goto(`${host.url}/nobody-of-this-name`)
    await expect(page.getByRole('heading')).toHaveText('Page Not Found')
    await expect(page).toHaveTitle('Page Not Found')
    await expect(page.getByText('The requested page does not exist.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Go back to main page' })).toHaveAttribute(
      'href',
      'https://example.com',
    )
  })

  test('fades in: greeting and pitch after 2 s, the rest after 3 s, and at once without motion', async ({
    page,
  }) => {
    await page.goto(`${host.url}/default`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey there,')
    /** How long a text waits, and the filters on it at the last moment of that and at the end of its fade. */
    const fadeOf = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((element) => {
        let node: Element | null = element
        while (node && getComputedStyle(node).animationName === 'none') node = node.parentElement
        const [fade] = node?.getAnimations() ?? []
        if (!node || !fade) return 'none'
        const delay = Number(fade.effect?.getTiming().delay)
        fade.pause()
        const filters = [0, delay - 1, delay + 1_000].map((time) => {
          fade.currentTime = time
          return getComputedStyle(node).filter
        })
        fade.currentTime = 0
        return { delay, filters }
      })
    const after = (delay: number) => ({ delay, filters: ['opacity(0)', 'opacity(0)', 'none'] })
    const texts = {
      'Hey there,': 2_000,
      'This is a tool that answers customer calls, handles questions and guides customers.': 2_000,
      "Choose how you'd like to try it:": 3_000,
      'Call Me': 3_000,
      'Test in Browser': 3_000,
      Website: 3_000,
    }
    for (const [text, delay] of Object.entries(texts)) expect(await fadeOf(text), text).toEqual(after(delay))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hey there,')
    for (const text of Object.keys(texts)) expect(await fadeOf(text), text).toBe('none')
  })

  test('hydrates and opens its form without a complaint, and asks nobody else for anything', {
    tag: '@main',
  }, async ({ page }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    const asked = new Set<string>()
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:') asked.add(origin)
    })
    await page.goto(host.url)
    await page.getByRole('button', { name: 'Call Me' }).click()
    await expect(page.getByRole('button', { name: 'Call Now' })).toBeVisible()
    await page.getByRole('combobox').selectOption('DE')
    await page.waitForLoadState('networkidle')
    expect(complaints).toEqual([])
    const known = host.kind === 'server' ? [host.url] : [host.url, host.heyline.url]
    expect([...asked].sort()).toEqual(known.sort())
  })

  test('keeps prompts out of the HTML, and reads them by itself when idle', async ({ page }) => {
    const reads: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.includes('/rest/v1/visitors')) reads.push(decodeURIComponent(url.search))
    })
    const answer = await page.goto(`${host.url}/default`)
    expect(await answer?.text()).not.toMatch(/first_message|"system"/)
    await expect.poll(() => reads).toContain('?select=slug,name')
    await expect.poll(() => reads).toContain('?select=*&slug=eq.default')
    // Who has looked the visitor up by itself knows the prompts already.
    expect(reads.filter((read) => read.includes('select=*'))).toHaveLength(1)
  })

  test('answers with the status that its host can give', async ({ request }) => {
    const statusOf = async (path: string) => (await request.get(`${host.url}${path}`)).status()
    expect(await statusOf('/')).toBe(200)
    // A plain host sends 404.html for every slug.
    expect(await statusOf('/riverside-dental')).toBe(host.kind === 'server' ? 200 : 404)
    // A server that can not look it up in time answers without it.
    await expect.poll(() => statusOf('/nobody-of-this-name')).toBe(404)
  })
})
