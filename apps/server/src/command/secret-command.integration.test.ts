import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { authKey, endpointsKey, humanCheckKey, sessionsKey } from '../keys/derived-keys.js'
import { readSettings } from '../settings/settings.js'
import { runHeyline, testDirectory } from '../testing/heyline-command.js'

const { path: directory, remove } = testDirectory()
afterAll(remove)

it('prints a secret that a start accepts, and says in one line where to put it', async () => {
  const { code, out, err } = await runHeyline(['secret'], { DATA_DIR: directory })
  expect(code).toBe(0)
  expect(out).toMatch(/^[\w-]{43}\n$/)
  expect(err).toMatch(/^heyline: put it into \.env as HEYLINE_SECRET=….*\n$/)
  expect(readSettings({ HEYLINE_SECRET: out.trim() }).keys.root).toBe(out.trim())
})

it('prints another one each time, and stores none', async () => {
  const made = new Set<string>()
  for (let count = 0; count < 20; count += 1) {
    const { out, err } = await runHeyline(['secret', '--json'], { DATA_DIR: join(directory, 'none') })
    expect(err).toBe('')
    made.add(JSON.parse(out).HEYLINE_SECRET)
  }
  expect(made.size).toBe(20)
})

it('also where a setting can not be used, and says what to read where keys are in use', async () => {
  writeFileSync(join(directory, 'keys.json'), '{}')
  const { code, err } = await runHeyline(['secret'], { DATA_DIR: directory, PORT: 'no port' })
  expect([code, err]).toEqual([0, expect.stringContaining('has keys in use: docs/instances.md says how')])
})

it('gives two empty directories the same keys, and another secret gives others', async () => {
  const newSecret = async () => JSON.parse((await runHeyline(['secret', '--json'], {})).out).HEYLINE_SECRET
  const keysIn = async (name: string, HEYLINE_SECRET: string) => {
    const { out } = await runHeyline(['keys', '--json'], { DATA_DIR: join(directory, name), HEYLINE_SECRET })
    const { from, ...ring } = JSON.parse(out)
    expect(new Set(Object.values(from))).toEqual(new Set(['HEYLINE_SECRET']))
    return {
      ...ring,
      // What seals and signs inside: second factors and signing keys of access tokens, sessions, checks of visitors, secrets of endpoints.
      auth: authKey(ring),
      sessions: sessionsKey(ring.secret),
      humanCheck: humanCheckKey(ring),
      endpoints: endpointsKey(ring),
    }
  }
  const secret = await newSecret()
  const [first, second, other] = [
    await keysIn('first', secret),
    await keysIn('second', secret),
    await keysIn('other', await newSecret()),
  ]
  expect(Object.keys(first)).toEqual(
    expect.arrayContaining(['publishable', 'platformPublic', 'hookSecret', 'sessions']),
  )
  expect(second).toEqual(first)
  for (const name of Object.keys(first)) expect(other[name], name).not.toEqual(first[name])
})
