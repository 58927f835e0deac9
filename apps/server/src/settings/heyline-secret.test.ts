import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.js'

const read = (HEYLINE_SECRET: string, others = {}) => readSettings({ HEYLINE_SECRET, ...others }).keys.root

describe('HEYLINE_SECRET', () => {
  it.each([
    ['too-short-but-otherwise-fine-9', 'is shorter than 32 characters'],
    ['x'.repeat(40), 'has fewer than 9 different characters: heyline secret makes one'],
    ['0123456789abcdef0123456789abcdef', 'repeats itself: heyline secret makes'],
    ['k3Xv9-Qm2Wk3Xv9-Qm2Wk3Xv9-Qm2Wk3Xv', 'repeats itself: heyline secret makes'],
    ['abcdefghijklmnopqrstuvwxyz012345', 'is a sequence of characters: heyline secret makes'],
    ['this-is-my-very-long-PASSWORD-9431', 'has a word that people guess: heyline secret makes'],
    ['Sm9X 2kQ7 vT4b Lw8r Yc3n Hz6p Jd5f', 'holds a space'],
  ])('refuses %s without repeating it', (secret, reason) => {
    const refused = () => read(secret)
    expect(refused).toThrow(`HEYLINE_SECRET: the value ${reason}`)
    expect(refused).not.toThrow(secret)
  })

  it('takes what random generators print', () => {
    for (let n = 0; n < 200; n += 1)
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const secret = randomBytes(32).toString(encoding)
        expect(read(secret)).toBe(secret)
      }
  })

  it.each(['SUPABASE_PUBLISHABLE_KEY', 'PLATFORM_PUBLIC_KEY'])(
    'is refused as %s, which the page holds',
    (name) => {
      const secret = randomBytes(32).toString('hex')
      expect(() => read(secret, { [name]: secret })).toThrow(
        `${name}: the value is the same as HEYLINE_SECRET`,
      )
    },
  )
})
