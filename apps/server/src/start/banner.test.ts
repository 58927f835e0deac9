import { expect, it } from 'vitest'
import { phoneText } from './banner.js'

it.each([
  [
    'http://localhost:3000',
    false,
    'http://localhost:3000/-/phone (open it in a second tab: Call Me rings it)',
  ],
  [
    'https://demo.example',
    true,
    'https://demo.example/-/phone?key=PHONE_KEY (open it in a second tab: Call Me rings it)',
  ],
  ['https://demo.example', false, 'closed: set PHONE_KEY to open it'],
] as const)('says how the pocket phone opens at %s, with a key: %s', (url, hasKey, text) =>
  expect(phoneText(url, hasKey)).toBe(text),
)
