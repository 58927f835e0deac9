import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { expect } from '@playwright/test'
import { Balancer } from '../apps/server/src/testing/balancer.js'
import { heading, openAsOwner, press } from './console-page.js'
import { callMe } from './console-walk.js'
import { test } from './fixtures.js'
import { RunningHeyline } from './running-heyline.js'

/** Where it listens itself: it prints its public address. */
const ownUrl = (dataDirectory: string): string =>
  JSON.parse(readFileSync(join(dataDirectory, 'server.json'), 'utf8')).url

test('the console works on Postgres, by two servers behind one address, and goes on when one of them ends', async ({
  page,
}) => {
  test.skip(!findPostgres(), "Postgres is not installed: Debian's package is called postgresql")
  test.slow()
  const postgres = await startPostgres()
  const balancer = await Balancer.start()
  const folder = mkdtempSync(join(tmpdir(), 'heyline-e2e-second-'))
  const servers: RunningHeyline[] = []
  try {
    const settings = { DATABASE_URL: postgres.url, PUBLIC_URL: balancer.url }
    const first = await RunningHeyline.start(settings)
    servers.push(first)
    // Servers of one installation have one set of keys.
    copyFileSync(join(first.dataDirectory, 'keys.json'), join(folder, 'keys.json'))
    const second = await RunningHeyline.start({ ...settings, DATA_DIR: folder })
    servers.push(second)
    const urls = [ownUrl(first.dataDirectory), ownUrl(folder)]
    const [one = '', other = ''] = urls
    balancer.servers = urls

    await openAsOwner(page, first)
    await press(page, 'Add visitor')
    await page.getByLabel('Name', { exact: true }).fill('Lighthouse Optics')
    await page.getByLabel('Slug', { exact: true }).fill('lighthouse')
    await page.locator('form').getByRole('button', { name: 'Add visitor' }).click()
    await expect(heading(page, 'Lighthouse Optics')).toBeFocused()
    await page.getByRole('link', { name: 'Visitors', exact: true }).first().click()
    await page.getByRole('searchbox').fill('OPTICS')
    await expect(page.getByRole('row', { name: /lighthouse/ })).toBeVisible()
    await press(page, 'Actions for Lighthouse Optics')
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await expect(page.getByText('Nobody is found')).toBeVisible()
    await press(page, 'Undo')
    await expect(page.getByRole('row', { name: /lighthouse/ })).toBeVisible()

    // Whichever server the console listens to, it hears of calls by each.
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    await callMe({ url: one }, 'lighthouse', '+14155552671')
    await callMe({ url: other }, 'default', '+14155552672')
    await expect(page.getByRole('row', { name: /lighthouse/ })).toContainText(/Ringing|Talking/)
    await expect(page.getByRole('row', { name: /default/ })).toContainText(/Ringing|Talking/)
    await page.getByRole('link', { name: 'default', exact: true }).click()
    await press(page, 'End call')
    await expect(page.getByText('An operator ended it')).toBeVisible({ timeout: 15_000 })

    balancer.servers = [other]
    await first.end()
    await page.getByRole('link', { name: 'Audit', exact: true }).click()
    await expect(page.getByRole('row', { name: /^Visitor removed/ })).toBeVisible()
    await press(page, 'Pause calls')
    await expect(page.getByRole('button', { name: 'Resume calls' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Resume calls' })).toBeVisible()
  } finally {
    for (const server of servers) await server.stop()
    await balancer.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
