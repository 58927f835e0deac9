import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openPglite, openPostgres } from '@heyline/database'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { liveThrough } from './testing/call-messages.js'
import { numberOf } from './testing/call-requests.js'
import { CallingPlatform } from './testing/calling-platform.js'
import { KilledServer } from './testing/killed-server.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { seeded } from './testing/seeded.js'

const CUSTOMERS = 30
const KILLS = 2
const PRIVATE_KEY = 'private-key-of-the-stand-in'
const HOOK_SECRET = 'a-hook-secret-that-all-processes-share'
const HEYLINE_SECRET = 'Sm9X-2kQ7-vT4b-Lw8r-Yc3n-Hz6p-Jd5f'
const LONG = 300_000
const logger = pino({ level: 'silent' })
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A campaign with so many customers, of which nobody was called. */
const CAMPAIGN = `with made as (
    insert into call_desk.campaigns (name, assistant_id, phone_number_id) values ('Reminders', 'assistant', 'number') returning id)
  insert into call_desk.campaign_customers (campaign_id, position, phone, customer, run_at)
  select made.id, given.position, given.phone, '{}', now()
  from made, jsonb_array_elements_text($1::jsonb) with ordinality given (phone, position)`

/** What comes with time, at once: leases that run out, customers who wait, calls that are asked about. */
const TIME_GOES_ON = `update call_desk.call_requests set lease_until = now() where lease_until is not null;
  update call_desk.call_requests set check_at = now() where check_at is not null;
  update call_desk.campaign_customers set run_at = now() where request_id is null`

/** Requests that are on their way, and customers whom nobody has asked for yet. */
async function unfinished(server: KilledServer | undefined, dialled: readonly string[]): Promise<number> {
  const answer = await server?.admin('/calls/export')
  const lines = (await answer?.text())?.trim().split('\n').filter(Boolean) ?? []
  const rows: { phone: string; state: string }[] = lines.map((line) => JSON.parse(line))
  const called = new Set(dialled)
  const isOpen = ({ phone, state }: { phone: string; state: string }) =>
    ['queued', 'dialling', 'ringing', 'in-progress'].includes(state) ||
    (state === 'unknown' && called.has(phone))
  return rows.filter(isOpen).length + CUSTOMERS - new Set(rows.map(({ phone }) => phone)).size
}

async function prove(processes: number, databaseUrl?: string): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = seeded(seed)
  const messages: Promise<void>[] = []
  let over = false
  const platform = await CallingPlatform.start({
    privateKey: PRIVATE_KEY,
    // A kill may come while the platform takes its time to answer, or where it refuses for now.
    temper: (name, time) =>
      time === 1 && name[1] === 'f' ? 'busy' : /^[0-3]/.test(name) ? 'slow' : 'prompt',
    placed: (call) => {
      const hooks = () => (over ? [] : servers.flatMap(({ url }) => url ?? ['http://127.0.0.1:9']))
      messages.push(liveThrough(call, HOOK_SECRET, hooks))
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
  const [first] = servers
  const directory = join(first?.dataDirectory ?? '', 'pglite')
  const onDb = async <Value>(work: (db: Db) => Promise<Value>): Promise<Value> => {
    await Promise.all(servers.map((server) => server.end('SIGTERM')))
    const db = databaseUrl
      ? await openPostgres({ url: databaseUrl, logger })
      : await openPglite({ directory, logger })
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  }
  const start = async () => {
    for (const server of servers) await server.start()
  }
  // The first makes the tables.
  await first?.start()
  const numbers = Array.from({ length: CUSTOMERS }, (_, place) => numberOf(place))
  await onDb((db) => db.query(CAMPAIGN, [numbers]))
  await start()

  const dialled = () => [...platform.calls.values()].map(({ number }) => number)
  for (let kill = 0; kill < KILLS; kill++) {
    const moment = ((kill + random()) * CUSTOMERS) / (KILLS + 1)
    await expect.poll(() => dialled().length, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(moment)
    const server = servers[Math.floor(random() * servers.length)]
    await delay(random() * 50)
    await server?.end('SIGKILL')
    if (kill % 2 === 1) await onDb((db) => db.exec(TIME_GOES_ON)).then(start)
    else await server?.start()
  }
  // Whom a kill left behind comes last: their leases run out, and who waits is asked for again.
  let open = CUSTOMERS
  for (let look = 0; look < 6 && open > 0; look++) {
    open = await onDb(async (db) => {
      await db.exec(TIME_GOES_ON)
      return (await db.query('select from call_desk.campaign_customers where closed_at is null')).rowCount
    })
    await start()
    await expect
      .poll(() => unfinished(servers[0], dialled()), {
        timeout: 60_000,
        interval: 250,
        message: `seed ${seed}`,
      })
      .toBe(0)
  }

  const left = await onDb(async (db) => ({
    campaigns: (await db.query('select state, ended_reason as reason from call_desk.campaigns')).rows,
    customers: (
      await db.query<{ phone: string; closed: boolean; sent: boolean }>(
        `select cc.phone, cc.closed_at is not null as closed, r.sent_at is not null as sent
         from call_desk.campaign_customers cc left join call_desk.call_requests r on r.id = cc.request_id`,
      )
    ).rows,
  }))
  const told = `seed ${seed}`
  expect(dialled().length - new Set(dialled()).size, `${told}: called twice`).toBe(0)
  expect(
    left.customers.filter(({ closed }) => !closed),
    `${told}: left behind`,
  ).toEqual([])
  expect(left.campaigns, told).toEqual([{ state: 'ended', reason: 'campaign.ended.success' }])
  // Who was not called is one of whom a killed process may have asked the platform for.
  const called = new Set(dialled())
  const missed = left.customers.filter(({ phone }) => !called.has(phone))
  expect(
    missed.filter(({ sent }) => !sent),
    `${told}: lost`,
  ).toEqual([])
  expect(missed.length, told).toBeLessThanOrEqual(KILLS * 5)
}

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
describe.skipIf(missing !== '')(`two servers on one Postgres, killed by turns${missing}`, () => {
  it(
    'call each customer of a campaign once at most, and lose none',
    async () => {
      const postgres = await startPostgres()
      closers.push(() => postgres.stop())
      await prove(2, postgres.url)
    },
    LONG,
  )
})

describe('one server on PGlite, killed again and again', () => {
  it('calls each customer of a campaign once at most, and loses none', () => prove(1), LONG)
})
