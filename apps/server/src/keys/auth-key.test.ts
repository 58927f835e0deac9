import { expect, it } from 'vitest'
import { authKey, humanCheckKey } from './derived-keys.js'

it('is the same for all servers of a secret key, and another for another use', () => {
  const key = authKey({ secret: 'sb_secret_one' })
  expect(authKey({ secret: 'sb_secret_one' })).toEqual(key)
  expect(authKey({ secret: 'sb_secret_two' })).not.toEqual(key)
  expect(key).toHaveLength(32)
  expect(Buffer.from(key).toString('base64url')).not.toBe(humanCheckKey({ secret: 'sb_secret_one' }))
})
