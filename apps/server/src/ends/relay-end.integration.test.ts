import { networkInterfaces } from 'node:os'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.js'
import { openRelay, type RelayEndOptions } from './relay-end.js'

const logger = pino({ level: 'silent' })
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Given extends Partial<Pick<RelayEndOptions, 'db' | 'keys'>> {
  /** Where Postgres sees this server. */
  seen?: string | null
}

async function open(environment: Record<string, string>, given: Given = {}) {
  const { seen = null, db = { kind: 'postgres' }, keys = { platformPrivate: 'a-key-of-ours' } } = given
  const settings = readSettings({ DATABASE_URL: 'postgres://nobody@localhost/nothing', ...environment })
  const relay = await openRelay({ settings, db, seenAt: async () => seen, keys, logger })
  if (relay) closers.push(() => relay.close())
  return relay
}
const EVERYWHERE = { HOST: '0.0.0.0', PUBLIC_URL: 'https://heyline.example', PHONE_KEY: 'k'.repeat(16) }

it('listens where the server does, on a free port', async () => {
  expect((await open({}))?.address).toMatch(/^127\.0\.0\.1:[1-9]\d+$/)
})

it('listens at the address that the database sees, where the server listens everywhere and the address is this machine’s', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  const hostOf = async (seen: string | null) =>
    (await open(EVERYWHERE, { seen }))?.address.replace(/:\d+$/, '') ?? ''
  for (const address of own) expect(await hostOf(address.replace(/^\[|\]$/g, ''))).toBe(address)
  expect(own.length > 0 ? own : ['127.0.0.1']).toContain(await hostOf('203.0.113.9'))
  expect(own.length > 0 ? own : ['127.0.0.1']).toContain(await hostOf(null))
})

it('tells the others the address that it was given', async () => {
  const relay = await open({ RELAY_HOST: '127.0.0.1', RELAY_ADDRESS: 'one.internal:3999' })
  expect(relay?.address).toBe('one.internal:3999')
})

it('is not there on PGlite, nor with a hosted platform', async () => {
  expect(await open({}, { db: { kind: 'pglite' } })).toBeUndefined()
  const hosted = {
    PLATFORM_URL: 'https://platform.example',
    PLATFORM_PUBLIC_KEY: 'public',
    PLATFORM_PRIVATE_KEY: 'private',
    PLATFORM_ASSISTANT_ID: 'assistant',
  }
  expect(await open(hosted)).toBeUndefined()
})

it('says which setting is wrong', async () => {
  await expect(open({ RELAY_HOST: '0.0.0.0' })).rejects.toThrow(/RELAY_ADDRESS.*the other servers reach/)
  await expect(open({ RELAY_HOST: '203.0.113.9' })).rejects.toThrow(/RELAY_HOST.*can not be listened on/)
  const port = (await open({}))?.address.split(':')[1] ?? ''
  await expect(open({ RELAY_PORT: port })).rejects.toThrow(/RELAY_PORT.*is in use/)
  expect(() => readSettings({ RELAY_ADDRESS: '10.0.0.5' })).toThrow(/RELAY_ADDRESS.*host and a port/)
})

it('reaches the others with the same key, and them alone', async () => {
  const foreign = await open({}, { keys: { platformPrivate: 'another-key' } })
  const [one, same] = [await open({}), await open({})]
  if (!one || !same || !foreign) throw new Error('Three were to be opened')
  one.onPosted(async (path) => `taken at ${path}`)
  const { processId: process, address } = one
  expect(await same.post({ process, address }, '/here', '')).toBe('taken at /here')
  await expect(foreign.post({ process, address }, '/here', '')).rejects.toMatchObject({ failure: 'keys' })
})
