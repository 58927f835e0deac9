import { expect, it } from 'vitest'
import { callTime } from './call-time.js'

it.each([
  [0, '0:00'],
  [7, '0:07'],
  [60, '1:00'],
  [754, '12:34'],
  [4_500, '75:00'],
])('%i seconds read %s', (seconds, text) => {
  expect(callTime(seconds)).toBe(text)
})
