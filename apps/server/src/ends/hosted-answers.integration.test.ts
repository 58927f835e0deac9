import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openKeyRing } from '../keys/key-ring.js'
import { readSettings } from '../settings/settings.js'
import { hostedVisitors } from '../visitors/hosted-visitors.js'
import { openBackend } from './backend-end.js'
import { openPlatform } from './platform-end.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const sends = (body: string): RequestListener => {
  const packed = gzipSync(body)
  return (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed)
}
const SMALL_OBJECTS = `[${'{},'.repeat(2_000_000)}{}]`
const SPACES = ' '.repeat(40_000_000)

const directory = mkdtempSync(join(tmpdir(), 'heyline-hosted-'))
let db: Db
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(async () => {
  await db.close()
  rmSync(directory, { recursive: true })
})
const installation = (environment: Record<string, string>) => ({
  settings: readSettings({ DATA_DIR: directory, ...environment }),
  ...{ db, keys: openKeyRing(directory, {}), publicUrl: 'https://demo.example' },
  ...{ addressOf: () => undefined, logger: pino({ level: 'silent' }) },
})

/** How a server with this hosted platform reaches it. */
async function platformAt(url: string) {
  const { client } = await openPlatform({
    ...installation({
      PLATFORM_URL: url,
      PLATFORM_PRIVATE_KEY: 'private',
      PLATFORM_PUBLIC_KEY: 'public',
      PLATFORM_ASSISTANT_ID: 'a',
    }),
    gate: {
      admit: async () => ({ admitted: false, status: 503, message: 'No browser calls here.' }),
      refusedLately: () => undefined,
    },
    fetch,
  })
  return client
}

/** How a server with this Supabase project reaches it. */
const projectAt = (url: string) =>
  openBackend({
    ...installation({
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: 'public',
      SUPABASE_SECRET_KEY: 'sb_secret_x',
    }),
    functions: {},
    keepAddress: () => undefined,
  })

it.each([
  ['values', SMALL_OBJECTS],
  ['bytes', SPACES],
])('a hosted platform’s answer with too many %s is refused before it is parsed', async (what, body) => {
  const client = await platformAt(await serverThat(sends(body)))
  await expect(client.calls.get('call-1')).rejects.toMatchObject({
    name: 'ConnectionError',
    cause: expect.objectContaining({ message: expect.stringContaining(what) }),
  })
})

it.each([
  ['values', SMALL_OBJECTS],
  ['bytes', SPACES],
])('a Supabase project’s answer with too many %s is refused before it is parsed', async (_, body) => {
  const url = await serverThat(sends(body))
  const backend = await projectAt(url)
  await expect(backend.fetch(`${url}/rest/v1/visitors`)).rejects.toThrow(RangeError)
  await expect(hostedVisitors({ url, secretKey: 'sb_secret_x' }).show('acme')).rejects.toThrow(
    'sent more than an answer may have',
  )
})

it.each([
  ['no rows', JSON.stringify(Array.from({ length: 900 }, () => ({})))],
  ['more rows than anybody asked for', `[${'{},'.repeat(400_000)}{}]`],
])('a list of a Supabase project with %s is refused in few words', async (_, body) => {
  const url = await serverThat(sends(body))
  const listed = hostedVisitors({ url, secretKey: 'sb_secret_x' }).list({ limit: 50 })
  const error: unknown = await listed.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'visitors_unreachable' })
  expect(String(error).length).toBeLessThan(200)
})

it('no key of ours follows a redirect to another host', async () => {
  const asked: IncomingHttpHeaders[] = []
  const other = await serverThat(({ headers }, response) => {
    asked.push(headers)
    response.end('[]')
  })
  const url = await serverThat((request, response) =>
    response.writeHead(307, { location: other + request.url }).end(),
  )
  const backend = await projectAt(url)
  expect(
    (await backend.fetch(`${url}/rest/v1/visitors`, { headers: { apikey: 'sb_secret_x' } })).status,
  ).toBe(307)
  await expect(hostedVisitors({ url, secretKey: 'sb_secret_x' }).show('acme')).rejects.toThrow('refused')
  await expect((await platformAt(url)).calls.get('call-1')).rejects.toThrow('redirect')
  expect(asked).toEqual([])
})
