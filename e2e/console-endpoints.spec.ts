import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { expectNoFindings } from './axe.js'
import { openAsOwner, press } from './console-page.js'
import { openScreen } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

/** A tool of the operator's own: it keeps what it is told, and answers with `status`. */
class Tool {
  status = 204
  readonly told: { body: string; headers: Record<string, string> }[] = []
  readonly #server: Server

  constructor() {
    this.#server = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request.setEncoding('utf8')) body += piece
      this.told.push({ body, headers: request.headers as Record<string, string> })
      response.writeHead(this.status).end()
    })
  }

  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

let heyline: RunningHeyline
let tool: Tool
let address: string
test.beforeEach(async ({ page }) => {
  test.slow()
  tool = new Tool()
  address = await tool.open()
  heyline = await RunningHeyline.start({ EVENTS_ALLOW_PRIVATE: 'on' })
  await openAsOwner(page, heyline)
  await openScreen(page, heyline, '/settings', 'Settings')
})
test.afterEach(async () => {
  tool.close()
  await heyline.stop()
})

/** Adds a webhook for new visitors, and returns the secret that is shown. */
async function add(page: Page): Promise<string> {
  await press(page, 'Add endpoint')
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' })
  await dialog.getByLabel('Name').fill('CRM')
  await dialog.getByLabel('Address', { exact: true }).fill(address)
  await dialog.getByLabel('Visitor added').check()
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  const shown = page.getByRole('dialog', { name: 'The secret' })
  await expect(shown).toBeVisible()
  const secret = (await shown.locator('code').textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  return secret
}

test('an owner adds a webhook, tests it and is told', async ({ page }) => {
  const secret = await add(page)
  await expectNoFindings(page, 'the secret')
  await press(page, 'Done')
  const row = page.getByRole('listitem', { name: 'CRM' })
  await expect(row.getByText('Enabled')).toBeVisible()
  await row.getByRole('button', { name: 'Send a test' }).click()
  await expect(row.getByText(/^Delivered: it answered 204/)).toBeVisible()
  tool.status = 500
  await row.getByRole('button', { name: 'Send a test' }).click()
  await expect(row.getByText(/^Not delivered .*It answered 500/)).toBeVisible()
  await expectNoFindings(page, 'an endpoint')
  tool.status = 204
  await heyline.command('visitors', 'add', 'acme', '--name', 'Acme')
  await expect.poll(() => tool.told.length, { timeout: 30_000 }).toBe(3)
  const { body, headers } = tool.told[2] ?? { body: '', headers: {} }
  new Webhook(secret).verify(body, headers)
  expect(JSON.parse(body)).toMatchObject({ type: 'visitor.created', data: { slug: 'acme' } })

  await row.getByRole('button', { name: 'Rotate secret' }).click()
  const shown = page.getByRole('dialog', { name: 'The secret' })
  await expect(shown).toContainText('for 24 hours')
  expect(await shown.locator('code').textContent()).not.toBe(secret)
  await press(page, 'Done')
  await row.getByRole('button', { name: 'Remove' }).click()
  await row.getByRole('button', { name: 'Press again: it is told no more' }).click()
  await expect(page.getByText('Nobody is told yet.')).toBeVisible()
})

test('an owner sees why nothing arrived, and sends it again', async ({ page }) => {
  await add(page)
  await press(page, 'Done')
  tool.status = 410
  await heyline.command('visitors', 'add', 'acme', '--name', 'Acme')
  const row = page.getByRole('listitem', { name: 'CRM' })
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible({ timeout: 30_000 })
  tool.status = 204
  await row.getByRole('button', { name: 'Enable' }).click()
  await expect(row.getByText('Enabled')).toBeVisible()
  await row.getByRole('button', { name: 'Log' }).click()
  const log = page.getByRole('dialog', { name: 'Log of CRM' })
  const line = log.getByRole('listitem').filter({ hasText: 'Visitor added' })
  await expect(line.getByText('acme')).toBeVisible()
  await expect(line.getByText('Given up')).toBeVisible()
  await expectNoFindings(page, 'the log')
  const before = tool.told.length
  await line.getByRole('button', { name: 'Replay' }).click()
  await expect.poll(() => tool.told.length, { timeout: 30_000 }).toBe(before + 1)
  await expect(line.getByText('Delivered')).toBeVisible({ timeout: 30_000 })
  await log.getByRole('radio', { name: 'Tries' }).check({ force: true })
  await expect(log.getByText(/^Not delivered .*410/)).toBeVisible()
  await expectNoFindings(page, 'the tries')
})

test('the form says what to do', async ({ page }) => {
  await press(page, 'Add endpoint')
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' })
  const send = () => dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await send()
  await expect(dialog.getByText(/^Give the endpoint a name/)).toBeVisible()
  await dialog.getByLabel('Name').fill('CRM')
  await dialog.getByLabel('Address', { exact: true }).fill('ftp://tool.example')
  await send()
  await expect(dialog.getByText(/^The address /)).toBeVisible()
  for (const words of ['Opened the page', 'Asked for a phone call', 'Phone call over', 'Browser call over'])
    await dialog.getByLabel(words).uncheck()
  await send()
  await expect(dialog.getByText('Choose at least one event.')).toBeVisible()
  await expectNoFindings(page, 'the form with errors')
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'E-mail' }).click()
  await dialog.getByLabel('E-mail address').fill('ada@example.com')
  await dialog.getByLabel('Opened the page').check()
  await send()
  await expect(dialog.getByText(/SMTP_URL and MAIL_FROM/)).toBeVisible()
  await expectNoFindings(page, 'the form for e-mail')
})
