import { expect, it } from 'vitest'
import { humanCheckKey } from './derived-keys.js'

it('is the same for all servers of a secret key, another for another, and does not tell it', () => {
  const key = humanCheckKey({ secret: 'sb_secret_one' })
  expect(humanCheckKey({ secret: 'sb_secret_one' })).toBe(key)
  expect(humanCheckKey({ secret: 'sb_secret_two' })).not.toBe(key)
  expect(Buffer.from(key, 'base64url')).toHaveLength(32)
  // RFC 5869 with no salt: a change of it would part the servers of an installation while they are exchanged.
  expect(key).toBe('SvDxth8NjiMWpUjip2-uFd2yu6YuevHgEdIE95BiHCg')
})
