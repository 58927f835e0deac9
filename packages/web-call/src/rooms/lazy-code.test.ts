import { expect, it, vi } from 'vitest'
import { lazily } from './lazy-code.js'

it('loads once, and not before it is asked', async () => {
  const load = vi.fn(async () => 'code')
  const code = lazily(load)
  expect(load).not.toHaveBeenCalled()
  expect(await Promise.all([code(), code()])).toEqual(['code', 'code'])
  expect(load).toHaveBeenCalledOnce()
})

it('tries a load that failed again, and says in words what failed', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module')
  const load = vi.fn(async () => 'code').mockRejectedValueOnce(cause)
  const code = lazily(load)
  await expect(code()).rejects.toMatchObject({
    message: 'The code of the call room could not be loaded. Check the network and start again.',
    cause,
  })
  expect(await code()).toBe('code')
})
