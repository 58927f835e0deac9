import type { Page, Request } from '@playwright/test'

/** What the page sends to its webhook from now on, and the questions for challenges before it. */
export function callsSent(page: Page) {
  const calls: Request[] = []
  const challenges: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST' && request.url().includes('/-/human-check'))
      challenges.push(new URL(request.url()).search)
    if (request.method() === 'POST' && request.url().endsWith('/functions/v1/call-me')) calls.push(request)
  })
  return { calls, challenges }
}

/** The token that each call brought. */
export const tokens = (calls: readonly Request[]) => calls.map((call) => call.headers()['x-human-check'])
