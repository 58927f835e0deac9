import { expect, type Page } from '@playwright/test'
import { heading } from './console-page.js'
import type { RunningHeyline } from './running-heyline.js'

/** Every screen behind the sign-in that has an address of its own, and its heading. */
export const SCREENS = [
  ['/visitors', 'Visitors'],
  ['/visitors?text=nobody', 'Visitors'],
  ['/add-visitor', 'Add visitor'],
  ['/import-visitors', 'Import CSV'],
  ['/calls', 'Calls'],
  ['/timeline', 'Timeline'],
  ['/timeline?part=events', 'Timeline'],
  ['/safety', 'Safety'],
  ['/safety?part=spend', 'Safety'],
  ['/safety?part=refusals', 'Safety'],
  ['/safety?part=do-not-call', 'Safety'],
  ['/assistant', 'Assistant'],
  ['/tickets', 'Tickets'],
  ['/team', 'Team'],
  ['/audit', 'Audit'],
  ['/settings', 'Settings'],
  ['/account', 'Your account'],
  ['/help', 'Help'],
  ['/nowhere', 'Nothing here'],
] as const

/** Opens a screen, and waits until nothing of it is still on its way. */
export async function openScreen(page: Page, heyline: RunningHeyline, path: string, title: string) {
  await page.goto(`${heyline.url}/-/console${path}`)
  await expect(heading(page, title)).toBeVisible()
  await expect(page.locator('main :is(.skeleton, [aria-busy="true"])')).toHaveCount(0)
}

/** What the browser complains of on this page from now on: errors, refusals, and what its policy forbade. */
export async function complaintsOf(page: Page): Promise<() => string[]> {
  const complaints: string[] = []
  page.on('console', (said) => {
    if (['error', 'warning'].includes(said.type())) complaints.push(said.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`)
  })
  await page.exposeFunction('forbade', (what: string) => complaints.push(what))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      Reflect.get(window, 'forbade')(`${violatedDirective} forbade ${blockedURI}`),
    )
  })
  return () => complaints
}

/** What the page asks when a visitor gives a number. */
export async function callMe({ url }: { url: string }, slug: string, phone: string) {
  const answer = await fetch(`${url}/-/backend/functions/v1/call-me`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone, slug }),
  })
  expect(answer.status).toBe(202)
}
