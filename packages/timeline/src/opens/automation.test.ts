import { describe, expect, it } from 'vitest'
import { isAutomation } from './automation.js'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const asks = (agent: string, more: Record<string, string> = {}) =>
  isAutomation(new Headers({ ...(agent && { 'user-agent': agent }), ...more }))

describe('what is automation', () => {
  it.each([
    CHROME,
    `${CHROME} Edg/142.0.0.0`,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    // In apps.
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/530.0.0;FBDV/iPhone14,5]',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.30',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/380.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 13; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 Instagram 380.0.0.0 Android',
    'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0.4664.104 Mobile Safari/537.36',
  ])('is not a browser of a person: %s', (agent) => expect(asks(agent)).toBe(false))

  it.each([
    '',
    'Mozilla/5.0',
    'curl/8.14.1',
    'python-requests/2.32.3',
    'WhatsApp/2.25.1 A',
    CHROME.replace('Chrome', 'HeadlessChrome'),
    `${CHROME} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    `${CHROME} Google-InspectionTool/1.0`,
    `${CHROME} Chrome-Lighthouse`,
    `${CHROME}; BingPreview/1.0b`,
    `${CHROME} ${'x'.repeat(1_000)}`,
  ])('is what says so, or is no browser: %s', (agent) => expect(asks(agent)).toBe(true))

  it.each<Record<string, string>>([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ])('is a browser that loads ahead: %o', (headers) => expect(asks(CHROME, headers)).toBe(true))
})
