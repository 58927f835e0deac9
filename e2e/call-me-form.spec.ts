import { expect, type Page, test } from '@playwright/test'
import { RunningHeyline } from './running-heyline.js'

const SUCCESS = "Great! You'll receive a call within the next 15 seconds."
const FAILURE = 'Failed to initiate call. Please try again.'
const EMPTY = 'Please enter a valid phone number'
const WEBHOOK = '**/-/backend/functions/v1/call-me'

let heyline: RunningHeyline
test.beforeAll(async () => {
  heyline = await RunningHeyline.start()
})
test.afterAll(() => heyline.stop())

async function openForm(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${heyline.url}/default`)
  await page.getByRole('button', { name: 'Call Me' }).click()
  await expect(page.getByRole('button', { name: 'Call Now' })).toBeVisible()
}
const field = (page: Page) => page.getByRole('textbox')
const type = async (page: Page, digits: string) => {
  await field(page).focus()
  await field(page).press('End')
  await page.keyboard.type(digits)
}
const submit = (page: Page) => page.getByRole('button', { name: 'Call Now' }).click()

test('the button shows and hides the form', async ({ page }) => {
  await openForm(page)
  const button = page.getByRole('button', { name: 'Call Me' })
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await button.click()
  await expect(page.getByRole('button', { name: 'Call Now' })).toBeHidden()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
})

test('countries: US by default, then US, GB, CA, AU first and the rest alphabetical', async ({ page }) => {
  await openForm(page)
  const country = page.getByRole('combobox')
  await expect(country).toHaveValue('US')
  const names = await country.locator('option:not([disabled])').allTextContents()
  expect(names.slice(0, 4)).toEqual(['United States', 'United Kingdom', 'Canada', 'Australia'])
  const rest = names.slice(4)
  expect(rest.length).toBeGreaterThan(200)
  expect(rest).toEqual([...rest].sort(new Intl.Collator('en').compare))
})

test('an empty number, and a bare calling code, get their message and no request', async ({ page }) => {
  let requests = 0
  await page.route(WEBHOOK, (route) => {
    requests += 1
    return route.fulfill({ status: 202, body: '{}' })
  })
  await openForm(page)
  await submit(page)
  await expect(page.getByText(EMPTY)).toBeVisible()
  await page.getByRole('combobox').selectOption('DE')
  await submit(page)
  await expect(page.getByText(EMPTY)).toBeVisible()
  expect(requests).toBe(0)
})

test('posts {phone, slug}, shows that it is busy, then the success, and clears the number', async ({
  page,
}) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const bodies: unknown[] = []
  await page.route(WEBHOOK, async (route) => {
    bodies.push(route.request().postDataJSON())
    await answered
    await route.fulfill({ status: 200, body: 'not read' })
  })
  await openForm(page)
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

for (const [what, status] of [
  ['a refusal', 403],
  ['a server error', 500],
] as const)
  test(`${what} gets the failure text and keeps the number`, async ({ page }) => {
    await page.route(WEBHOOK, (route) => route.fulfill({ status, body: '{}' }))
    await openForm(page)
    await type(page, '4155552671')
    await submit(page)
    await expect(page.getByText(FAILURE)).toBeVisible()
    await expect(field(page)).toHaveValue('+1 415 555 2671')
  })

test('a network failure gets the failure text', async ({ page }) => {
  await page.route(WEBHOOK, (route) => route.abort('connectionrefused'))
  await openForm(page)
  await type(page, '4155552671')
  await submit(page)
  await expect(page.getByText(FAILURE)).toBeVisible()
})

test('closing clears the number and the message, also in the middle of a request', async ({ page }) => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(WEBHOOK, async (route) => {
    await answered
    await route.fulfill({ status: 500, body: '{}' }).catch(() => {})
  })
  await openForm(page)
  await type(page, '4155552671')
  await submit(page)
  await expect(page.getByRole('button', { name: 'Initiating Call...' })).toBeVisible()
  const toggle = page.getByRole('button', { name: 'Call Me' })
  await toggle.click()
  answer()
  await toggle.click()
  await expect(field(page)).toHaveValue('+1')
  await expect(page.getByText(FAILURE)).toBeHidden()
})

test('a whole number that is pasted is kept, and its country follows', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openForm(page)
  await page.evaluate(() => navigator.clipboard.writeText('0044 20 7946 0018'))
  await field(page).focus()
  await page.keyboard.press('Control+V')
  await expect(page.getByRole('combobox')).toHaveValue('GB')
  await expect(field(page)).toHaveValue('+44 20 7946 0018')
})
