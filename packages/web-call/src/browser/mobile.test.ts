import { expect, it } from 'vitest'
import { isMobile } from './mobile.js'

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'

it.each([
  ['an iPhone', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' }, true],
  ['an Android phone', { userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile' }, true],
  [
    'an iPad that says it is a Mac (defect 27)',
    { userAgent: MAC, platform: 'MacIntel', maxTouchPoints: 5 },
    true,
  ],
  ['a Mac', { userAgent: MAC, platform: 'MacIntel', maxTouchPoints: 0 }, false],
  [
    'a touch-screen PC',
    { userAgent: 'Mozilla/5.0 (Windows NT 10.0)', platform: 'Win32', maxTouchPoints: 10 },
    false,
  ],
  ['no browser', undefined, false],
] as const)('knows %s', (_name, browser, mobile) => {
  expect(isMobile(browser)).toBe(mobile)
})
