import { Secret } from 'otpauth'
import { expect, it } from 'vitest'
import { newTotpSecret, stepOf, totpUri } from './totp.js'

/** RFC 6238, appendix B: the secret of its SHA-1 vectors. */
const secret = Secret.fromUTF8('12345678901234567890').base32

it.each([
  // The last six digits of the vectors.
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('knows the code of RFC 6238 at %i s', (seconds, code) => {
  expect(stepOf(code, { secret, at: seconds * 1000 })).toBe(Math.floor(seconds / 30))
})

it('takes the code of the step before and of the step after, and no other', () => {
  const at = (steps: number) => stepOf('081804', { secret, at: (1_111_111_109 + steps * 30) * 1000 })
  const step = Math.floor(1_111_111_109 / 30)
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, step, step, step, undefined])
})

it('takes a step once', () => {
  const step = 1
  expect(stepOf('287082', { secret, at: 59_000, lastStep: 0 })).toBe(step)
  expect(stepOf('287082', { secret, at: 59_000, lastStep: step })).toBeUndefined()
  expect(stepOf('287082', { secret, at: 59_000, lastStep: step + 1 })).toBeUndefined()
})

it('makes secrets of 160 bits, no two alike', () => {
  const secrets = new Set(Array.from({ length: 50 }, newTotpSecret))
  expect(secrets.size).toBe(50)
  for (const made of secrets) expect(made).toMatch(/^[A-Z2-7]{32}$/)
})

it('writes what apps read', () => {
  const uri = new URL(totpUri({ secret, issuer: 'Ada & Co: demo', label: 'ada@example.com' }))
  expect(uri.protocol).toBe('otpauth:')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Ada & Co: demo',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(decodeURIComponent(uri.pathname)).toContain('ada@example.com')
})
