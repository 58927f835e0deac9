import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Db, keepIndexesBuilt, migrate, openPostgres } from '@heyline/database'
import { findPostgres, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { RunningHeyline } from '../../e2e/running-heyline.js'
import { type Figure, ms } from '../report/table.js'

const ROWS = 1_000_000
const BATCH = 50_000
const QUIET_MS = 5_000
const EVERY_MS = 10

const logger = pino({ level: 'silent' })
const FOLDER = fileURLToPath(new URL('../../supabase/', import.meta.url))

const FILL = `
  insert into voice_platform.calls (type, status, ended_reason, customer, assistant, owner, transcript, ended_at, created_at)
  select 'outboundPhoneCall', 'ended', 'customer-ended-call',
    jsonb_build_object('number', '+1415555' || n % 10000), '{"firstMessage":"Hello."}', gen_random_uuid(),
    repeat('AI: Hello, how can I help you today? User: When are you open? ', 4), now(), now() - n * interval '1 second'
  from generate_series($1::int, $2::int) n`

const INDEX = (name: string) =>
  `create index if not exists ${name} on voice_platform.calls ((customer ->> 'number'), (assistant ->> 'firstMessage'), created_at);`

/** A server that serves while a newer version's migration brings an index on a million calls: the longest wait of its requests. */
export async function measureUpgrade(): Promise<Figure[]> {
  if (!findPostgres()) return [{ what: 'not measured', value: '', beside: 'Postgres is not installed' }]
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'heyline-upgrade-'))
  const server = await RunningHeyline.start({ DATABASE_URL: postgres.url })
  const db = await openPostgres({ url: postgres.url, logger })
  try {
    for (let from = 1; from <= ROWS; from += BATCH)
      await db.transaction((tx) => tx.query(FILL, [from, from + BATCH - 1]), { patienceMs: 60_000 })
    const ask = await questions(server)
    const upgrade = async (version: string, first: string) => {
      cpSync(FOLDER, folder, { recursive: true })
      writeFileSync(
        join(folder, 'migrations', `${version}_index.sql`),
        `${first}\n${INDEX(`bench_${version}`)}`,
      )
      await migrate(db, { folder })
    }
    const quiet = await longest(ask, () => delay(QUIET_MS))
    const before = await longest(ask, () => upgrade('29990101000000', ''))
    let startedAfter = 0
    const now = await longest(ask, async () => {
      const began = performance.now()
      await upgrade('29990102000000', '-- concurrently')
      startedAfter = performance.now() - began
      const stop = keepIndexesBuilt({ db, folder, logger })
      while (!(await isBuilt(db, 'bench_29990102000000'))) await delay(100)
      await stop()
    })
    const figure = (what: string, { page, call, took }: Waits): Figure => ({
      what,
      value: ms(call),
      beside: `a page ${ms(page)}; watched for ${ms(took)}`,
    })
    return [
      figure('longest wait to change a call, quiet', quiet),
      figure('while an index is built in a transaction', before),
      figure('while a marked one is built', now),
      { what: 'migrations of the new version, marked', value: ms(startedAfter), beside: 'before it serves' },
    ]
  } finally {
    await db.close()
    await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

interface Waits {
  page: number
  call: number
  took: number
}
type Ask = Record<'page' | 'call', () => Promise<Response>>

async function questions(server: RunningHeyline): Promise<Ask> {
  const { platformPrivate } = await server.keys()
  const headers = { authorization: `Bearer ${platformPrivate}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body: object) =>
    fetch(`${server.url}/-/platform${path}`, { method, headers, body: JSON.stringify(body) })
  const { id } = await (await send('POST', '/call/web', { assistant: { firstMessage: 'Hello.' } })).json()
  let n = 0
  return {
    page: () => fetch(`${server.url}/default`),
    call: () => send('PATCH', `/call/${id}`, { name: `Call ${n++}` }),
  }
}

/** Asks both again and again while this happens. */
async function longest(ask: Ask, meanwhile: () => Promise<unknown>): Promise<Waits> {
  let isOver = false
  const watch = async (one: () => Promise<Response>) => {
    let most = 0
    while (!isOver) {
      const asked = performance.now()
      const answer = await one()
      const said = await answer.text()
      most = Math.max(most, performance.now() - asked)
      // A statement that waits longer than its patience fails, which counts as long as it took.
      if (!answer.ok && answer.status !== 500) throw new Error(`${answer.status}: ${said}`)
      await delay(EVERY_MS)
    }
    return most
  }
  const began = performance.now()
  const watched = Promise.all([watch(ask.page), watch(ask.call)])
  try {
    await meanwhile()
  } finally {
    isOver = true
  }
  const took = performance.now() - began
  const [page, call] = await watched
  return { page, call, took }
}

async function isBuilt(db: Db, name: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = $1 and i.indisvalid',
    [name],
  )
  return rowCount > 0
}
