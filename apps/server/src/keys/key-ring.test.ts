import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keyOfRoot } from './derived-keys.js'
import { writeKeyFile } from './key-file.js'
import { openKeyRing, originOf } from './key-ring.js'

let directory: string
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'heyline-keys-')), 'data')
})
afterEach(() => rmSync(join(directory, '..'), { recursive: true }))

describe('the key ring', () => {
  it('is made once and found again', () => {
    const first = openKeyRing(directory, {})
    expect(openKeyRing(directory, {})).toEqual(first)
    expect(new Set(Object.values(first)).size).toBe(6)
  })

  it('is readable by its owner only', () => {
    openKeyRing(directory, {})
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'keys.json')).mode & 0o777).toBe(0o600)
  })

  it('takes keys of the environment as they are, and forgets them when they are gone', () => {
    const own = openKeyRing(directory, {})
    const given = openKeyRing(directory, { secret: 'sb_secret_of_the_environment' })
    expect(given).toEqual({ ...own, secret: 'sb_secret_of_the_environment' })
    expect(openKeyRing(directory, {})).toEqual(own)
  })

  it.each([
    ['publishable', 'SUPABASE_PUBLISHABLE_KEY'],
    ['platformPublic', 'PLATFORM_PUBLIC_KEY'],
  ] as const)('refuses as %s, which the page holds, a secret of its own', (name, setting) => {
    const own = openKeyRing(directory, {})
    for (const secret of [own.secret, own.jwtSecret, own.platformPrivate, own.hookSecret])
      expect(() => openKeyRing(directory, { [name]: secret })).toThrow(
        `${setting}: the value is one of the secret keys`,
      )
  })

  it('refuses a file that is not its own, rather than replace it', () => {
    openKeyRing(directory, {})
    writeFileSync(join(directory, 'keys.json'), '{"secret": 3}')
    expect(() => openKeyRing(directory, {})).toThrow(/keys\.json is not a file of keys/)
  })

  it('derives from HEYLINE_SECRET what the environment does not give, and neither reads nor writes a file', () => {
    const root = 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f'
    const ring = openKeyRing(directory, { root, secret: 'sb_secret_of_the_environment' })
    expect(ring).toMatchObject({
      secret: 'sb_secret_of_the_environment',
      publishable: keyOfRoot(root, 'publishable'),
    })
    expect(readdirSync(directory)).toEqual([])
    const other = join(directory, 'other')
    const kept = openKeyRing(other, {})
    expect(openKeyRing(other, { root, secret: ring.secret })).toEqual(ring)
    expect(openKeyRing(other, {})).toEqual(kept)
  })

  it('says where each key is from', () => {
    expect(originOf('secret', { secret: 'given', root: 'r' })).toBe('environment')
    expect(originOf('jwtSecret', { secret: 'given', root: 'r' })).toBe('HEYLINE_SECRET')
    expect(originOf('jwtSecret', { secret: 'given' })).toBe('keys.json')
  })

  it('of two servers that start at once in a new directory, the second takes the keys of the first', () => {
    const first = openKeyRing(directory, {})
    const second = openKeyRing(join(directory, 'elsewhere'), {})
    expect(writeKeyFile(join(directory, 'keys.json'), second, true)).toBe(false)
    expect(openKeyRing(directory, {})).toEqual(first)
    expect(readdirSync(directory).sort()).toEqual(['elsewhere', 'keys.json'])
  })
})
