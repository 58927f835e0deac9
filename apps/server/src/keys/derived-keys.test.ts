import { hkdfSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { authKey, endpointsKey, humanCheckKey, keyOfRoot, sessionsKey } from './derived-keys.js'
import { KEY_NAMES } from './keys.js'

const ROOT = 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f'

it('gives each key a value of its own that never changes', () => {
  expect(Object.fromEntries(KEY_NAMES.map((name) => [name, keyOfRoot(ROOT, name)]))).toEqual({
    publishable: 'sb_publishable_df6Yb8t4fN_ZsO5u_GsKbEfPQmFa0KFEiQZ8DAwQW2M',
    secret: 'sb_secret_EeXjfgT4oJJ42wfFo9nnLnivVLBO1D8D4fYj1RWR-UU',
    jwtSecret: 'Kh6QYG0dsUOaskgDNC_ngWMXlbxkubpYzOIqaCrIalI',
    platformPublic: 'd2c217eb-f5e4-84e5-884e-96be3e3be3ca',
    platformPrivate: 'b38e4078-25ca-82db-8eb7-b0575a7f1c6a',
    hookSecret: 'whsec_qD4OahjnFlN1zzNhEm6F3DBDV6O7NF+TklTor0jE428=',
  })
})

it('is HKDF-SHA-256 (RFC 5869) with no salt and one info string for each key', () => {
  const bytes = Buffer.from(hkdfSync('sha256', ROOT, '', 'heyline key: secret', 32))
  expect(keyOfRoot(ROOT, 'secret')).toBe(`sb_secret_${bytes.toString('base64url')}`)
})

it('gives another secret other keys', () => {
  const other = `${ROOT.slice(0, -1)}g`
  for (const name of KEY_NAMES) expect(keyOfRoot(other, name)).not.toBe(keyOfRoot(ROOT, name))
})

it('gives UUIDs to the platform', () => {
  const uuid = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
  expect(keyOfRoot(ROOT, 'platformPublic')).toMatch(uuid)
  expect(keyOfRoot(ROOT, 'platformPrivate')).toMatch(uuid)
})

it('never changes what derives from the secret key: it opens what is sealed in databases', () => {
  const keys = { secret: 'sb_secret_one' }
  const hex = (key: Uint8Array) => Buffer.from(key).toString('hex')
  expect({
    humanCheck: humanCheckKey(keys),
    auth: hex(authKey(keys)),
    sessions: hex(sessionsKey(keys.secret)),
    endpoints: hex(endpointsKey(keys)),
  }).toEqual({
    humanCheck: 'SvDxth8NjiMWpUjip2-uFd2yu6YuevHgEdIE95BiHCg',
    auth: 'f676189d947d132652b228e0660a4cb0e1967e0d9c6168357d08474e0295e477',
    sessions: '86fc7065e738f0ced1722806db3d6a3604057672a22ebad468fddab70e380eb6',
    endpoints: '2b257dbab9f35f266ee3429a91aec4c8813e2b5b29de1906b44047f565c4cd2a',
  })
})
