import { expect, it } from 'vitest'
import { isLoopback } from './loopback.js'

it('knows this machine from others', () => {
  for (const host of [
    'localhost',
    'x.LOCALHOST',
    '127.0.0.1',
    '127.8.9.1',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
  ])
    expect(isLoopback(host)).toBe(true)
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'example.com', 'localhost.example', '1270.0.0.1'])
    expect(isLoopback(host)).toBe(false)
})
