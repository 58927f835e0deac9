import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect } from '@playwright/test'
import { foreignPages } from '../apps/server/src/http/foreign-pages.js'
import { listen, shut } from '../packages/voice-platform/src/testing/local-server.js'
import { test } from './fixtures.js'
import { PERSON } from './opens.js'
import { PlainChromium } from './plain-chromium.js'

/** A page of another site that has ours loaded ahead, a second later: Chromium loads nothing ahead while DevTools look at it. */
const pageWith = (rules: object) => `<!doctype html><script>
  setTimeout(() => {
    const script = document.createElement('script')
    script.type = 'speculationrules'
    script.textContent = '${JSON.stringify(rules)}'
    document.head.append(script)
  }, 1000)
</script>`

test('what Chromium loads ahead for a page of another site is told from what a person opens', async () => {
  const asked: IncomingHttpHeaders[] = []
  const ours = createServer(({ headers, url }, response) => {
    if (url === '/nobody') asked.push(headers)
    response.end('Nobody')
  })
  const { port } = new URL(await listen(ours))
  const publicUrl = `http://localhost:${port}`
  const rules = { prefetch: [{ source: 'list', urls: [`${publicUrl}/nobody`], eagerness: 'immediate' }] }
  const theirs = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(pageWith(rules))
  })
  const hostile = `${await listen(theirs)}/`
  const chromium = PlainChromium.start(PERSON)
  try {
    await expect.poll(async () => (await chromium.pages())?.map(({ url }) => url)).toEqual(['about:blank'])
    await chromium.send('about:blank', [['Page.navigate', { url: hostile }]])
    await expect.poll(() => asked.length).toBe(1)
  } finally {
    await chromium.stop()
    await Promise.all([shut(ours), shut(theirs)])
  }
  const [headers = {}] = asked
  expect(headers['sec-purpose']).toBe('prefetch')
  expect(foreignPages({ publicUrl })({ method: 'GET', headers })).toBe(true)
  // Nothing but that it is loaded ahead tells it from an address that somebody types.
  const { 'sec-purpose': _, ...typed } = headers
  expect(foreignPages({ publicUrl })({ method: 'GET', headers: typed })).toBe(false)
})
