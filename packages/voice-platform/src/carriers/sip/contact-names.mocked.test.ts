import { lookup } from 'node:dns/promises'
import { expect, it, vi } from 'vitest'
import { resolvePeer } from './sip-socket.js'

vi.mock('node:dns/promises', async (original) => ({
  ...(await original<typeof import('node:dns/promises')>()),
  lookup: vi.fn(() => new Promise(() => {})),
}))

it('a phone whose name is never found takes no threads, however often it repeats its answer', async () => {
  const asked = Array.from({ length: 50 }, () => resolvePeer('phone.invalid', undefined, '127.0.0.1'))
  for (const one of asked) one.catch(() => {})
  await vi.waitFor(() => expect(vi.mocked(lookup).mock.calls.length).toBeLessThanOrEqual(1))
})

it('an address is its own, and a name of this machine is found', async () => {
  expect(await resolvePeer('192.0.2.7', 5070, '127.0.0.1')).toEqual({ address: '192.0.2.7', port: 5070 })
  expect(await resolvePeer('localhost', undefined, '127.0.0.1')).toEqual({ address: '127.0.0.1', port: 5060 })
})
