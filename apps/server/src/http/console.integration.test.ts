import { expect, it } from 'vitest'
import { consolePage } from './console.js'

const OWN = { phoneFactors: true, additions: true, longestPrompt: 20_000 }
const ROOMS = { publicUrl: 'http://localhost:3000' }
const URL_OF_IT = 'http://localhost:3000/-/console/'

it('hands its settings to the console as JSON, and keeps the page out of caches, frames and referrers', async () => {
  const answer = await consolePage(OWN, ROOMS)(new Request(URL_OF_IT))
  const html = await answer.text()
  const json = /<script id="console-settings" type="application\/json">(.*?)<\/script>/.exec(html)?.[1]
  expect(JSON.parse(json ?? 'null')).toEqual(OWN)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
})

it('allows scripts, styles and requests of its own origin alone, the rooms of test calls, and QR codes', async () => {
  const { headers } = await consolePage(OWN, ROOMS)(new Request(URL_OF_IT))
  expect(headers.get('content-security-policy')?.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self' ws://localhost:3000",
      "frame-ancestors 'none'",
    ]),
  )
})

it('answers HEAD without the document, and nothing else', async () => {
  const ask = (method: string) => consolePage(OWN, ROOMS)(new Request(URL_OF_IT, { method }))
  expect(await (await ask('HEAD')).text()).toBe('')
  expect((await ask('POST')).status).toBe(405)
})
