import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openPglite, openPostgres } from '@heyline/database'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { liveThrough } from './testing/call-messages.js'
import { numberOf, requestCall } from './testing/call-requests.js'
import { CallingPlatform, type PlatformCall, type Temper } from './testing/calling-platform.js'
import { KilledServer } from './testing/killed-server.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { seeded } from './testing/seeded.js'

const REQUESTS = 300
const KILLS = 4
/** Who asks at the same time, and how long each rests in between at most: the load of a busy page, over some seconds. */
const ASKING = 6
const REST_MS = 150
const PRIVATE_KEY = 'private-key-of-the-stand-in'
const HOOK_SECRET = 'a-hook-secret-that-all-processes-share'
/** All that the processes have in common, besides the database. */
const HEYLINE_SECRET = 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f'
// Half a minute each on a machine that has nothing else to do.
const LONG = 240_000
const logger = pino({ level: 'silent' })
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** What a call goes through, by the first character of its request's random id: a quarter of them has no luck. */
const tempers: Record<string, Temper> = { 0: 'slow', 1: 'slow', 2: 'cut', 3: 'dropped' }
/** Calls that the platform posts no message of: all that are answered late, so that a kill leaves their fate open, and half of the cut ones. */
const isSilent = ({ name }: PlatformCall): boolean => /^([01]|2[0-7])/.test(name)

interface Stage {
  servers: KilledServer[]
  platform: CallingPlatform
  /** While no server runs on it. */
  openDb(): Promise<Db>
}

async function openStage(processes: number, databaseUrl: string | undefined): Promise<Stage> {
  const messages: Promise<void>[] = []
  let over = false
  const platform = await CallingPlatform.start({
    privateKey: PRIVATE_KEY,
    temper: (name, time) => (time === 1 && name[1] === 'f' ? 'busy' : (tempers[name[0] ?? ''] ?? 'prompt')),
    placed: (call) => {
      const hooks = () => (over ? [] : servers.flatMap(({ url }) => url ?? ['http://127.0.0.1:9']))
      if (isSilent(call)) Object.assign(call, { status: 'ended', endedReason: 'customer-did-not-answer' })
      else messages.push(liveThrough(call, HOOK_SECRET, hooks))
    },
  })
  const environment = {
    ...OPEN_GATE,
    ...platform.settings(),
    HEYLINE_SECRET,
    PLATFORM_HOOK_SECRET: HOOK_SECRET,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const servers = Array.from({ length: processes }, () => new KilledServer(environment))
  closers.push(async () => {
    over = true
    await Promise.all(servers.map((server) => server.remove()))
    await Promise.all(messages)
    await platform.stop()
  })
  // One after the other: the first makes the tables.
  for (const server of servers) await server.start()
  const [first] = servers
  const directory = join(first?.dataDirectory ?? '', 'pglite')
  const openDb = () =>
    databaseUrl ? openPostgres({ url: databaseUrl, logger }) : openPglite({ directory, logger })
  return { servers, platform, openDb }
}

/** Asks for all the calls while servers are killed; the requests' ids by number. */
async function askWhileKilled({ servers }: Stage, random: () => number): Promise<Map<string, string>> {
  const accepted = new Map<string, string>()
  let next = 0
  const asking = Array.from({ length: ASKING }, async () => {
    while (next < REQUESTS) {
      const number = numberOf(next++)
      accepted.set(number, await requestCall(servers, number, random))
      await delay(random() * REST_MS)
    }
  })
  for (let kill = 0; kill < KILLS; kill++) {
    const moment = ((kill + random()) * REQUESTS) / KILLS
    while (accepted.size < moment && next < REQUESTS) await delay(1)
    const server = servers[Math.floor(random() * servers.length)]
    await server?.end('SIGKILL')
    await server?.start()
  }
  await Promise.all(asking)
  return accepted
}

interface Row {
  id: string
  phone: string
  state: string
}
/** Runs SQL while no server does, and then starts one again. */
async function between({ servers, openDb }: Stage, sql: string): Promise<void> {
  await Promise.all(servers.map((server) => server.end('SIGTERM')))
  const db = await openDb()
  await db.exec(sql)
  await db.close()
  await servers[0]?.start()
}
async function rowsOf({ servers }: Stage): Promise<Row[]> {
  const answer = await servers[0]?.admin('/calls/export')
  const lines = (await answer?.text())?.trim().split('\n') ?? []
  return lines.map((line) => JSON.parse(line))
}
const final = ['ended', 'failed', 'refused']

/** The whole proof, with this many processes. */
async function prove(processes: number, databaseUrl?: string): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const stage = await openStage(processes, databaseUrl)
  const accepted = await askWhileKilled(stage, seeded(seed))
  const { platform } = stage
  const dialled = () => [...platform.calls.values()]
  const twice = () => ({
    byNumber: dialled().length - new Set(dialled().map(({ number }) => number)).size,
    byRequest: dialled().length - new Set(dialled().map(({ name }) => name)).size,
  })
  const leases = 'update call_desk.call_requests set lease_until = now() where lease_until is not null;'
  const checks = 'update call_desk.call_requests set check_at = now() where check_at is not null;'

  // Whoever was killed holds nothing any more: as after the time of a lease.
  await between(stage, leases + checks)
  const isDialled = (id: string) => dialled().some(({ name }) => name === id)
  const open = ({ id, state }: Row) => !final.includes(state) && (state !== 'unknown' || isDialled(id))
  await expect
    .poll(async () => (await rowsOf(stage)).filter(open), {
      timeout: 40_000,
      interval: 250,
      message: `seed ${seed}: every request is final, or unknown and not dialled`,
    })
    .toEqual([])
  const rows = await rowsOf(stage)
  expect(
    new Map(rows.map(({ id, phone }) => [phone, id])),
    `seed ${seed}: what was accepted is there`,
  ).toEqual(accepted)
  expect(rows).toHaveLength(REQUESTS)
  expect(twice(), `seed ${seed}: dialled twice`).toEqual({ byNumber: 0, byRequest: 0 })

  // Ten minutes later, the platform's word is the last one.
  await between(
    stage,
    `${checks} update call_desk.call_requests set sent_at = sent_at - interval '11 minutes', created_at = created_at - interval '11 minutes',
       unknown_at = unknown_at - interval '11 minutes' where state = 'unknown' and platform_call_id is null`,
  )
  const stateOf = async () => (await rowsOf(stage)).filter(({ state }) => !final.includes(state))
  await expect
    .poll(stateOf, {
      timeout: 30_000,
      interval: 250,
      message: `seed ${seed}: what was unknown is reconciled`,
    })
    .toEqual([])
  const ended = (await rowsOf(stage)).filter(({ state }) => state === 'ended').map(({ id }) => id)
  expect(new Set(ended), `seed ${seed}: ended is what was dialled`).toEqual(
    new Set(dialled().map(({ name }) => name)),
  )
  expect(twice(), `seed ${seed}: dialled twice`).toEqual({ byNumber: 0, byRequest: 0 })
  expect(dialled().length).toBeGreaterThan(REQUESTS / 2)
}

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
describe.skipIf(missing !== '')(`three processes on one Postgres, killed by turns${missing}`, () => {
  it(
    'dial nobody twice, lose no request, and know in the end what became of each',
    async () => {
      const postgres = await startPostgres()
      closers.push(() => postgres.stop())
      await prove(3, postgres.url)
    },
    LONG,
  )
})

describe('one process on PGlite, killed again and again', () => {
  it('dials nobody twice, loses no request, and knows in the end what became of each', () => prove(1), LONG)
})
