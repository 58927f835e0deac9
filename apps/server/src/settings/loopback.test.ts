import { expect, it } from 'vitest'
import { isPublicUrl } from './loopback.js'

it.each([
  ['https://demo.example', true],
  ['http://192.168.1.2:3000', true],
  ['http://localhost:3000', false],
  ['http://[::1]:3000', false],
  [undefined, false],
])('whether others can reach %s: %s', (url, isPublic) => {
  expect(isPublicUrl(url)).toBe(isPublic)
})
