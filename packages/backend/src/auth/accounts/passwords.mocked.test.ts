import { hash } from '@node-rs/argon2'
import { expect, it, vi } from 'vitest'
import { Passwords } from './passwords.js'

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>()
  return { ...real, hash: vi.fn(real.hash) }
})

it('answers again after a hash could not be made', async () => {
  const passwords = new Passwords()
  const known = await passwords.hash('correct horse')
  vi.mocked(hash).mockRejectedValueOnce(new Error('no memory'))
  await expect(passwords.matches('correct horse', known)).rejects.toThrow('no memory')
  expect(await passwords.matches('correct horse', known)).toBe(true)
  expect(await passwords.matches('correct horse', null)).toBe(false)
})
