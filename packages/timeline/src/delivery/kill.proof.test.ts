import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Db, migrate, openPglite, openPostgres } from '@heyline/database'
import { createTestDirectory, findPostgres, startPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { EVENT_COLUMNS, type EventRow, eventOf } from '../events/event.js'
import { webhookBody } from '../messages/webhook-body.js'
import { openReceiver } from '../testing/receiver.js'
import { TellingProcess } from '../testing/telling-process.js'
import { createDelivery } from './delivery.js'

const logger = pino({ level: 'silent' })
const folder = fileURLToPath(new URL('../../../../supabase/', import.meta.url))
const ROUNDS = 3
/** What each process stores before it is killed. */
const STORED = 12

/** Both kinds of database start many times. A loaded machine takes minutes. */
const LONG_MS = 400_000

/** A receiver that fails one in ten, and lets one in twenty wait for ever. */
async function openFragileReceiver() {
  let count = 0
  return openReceiver((_, response) => {
    count++
    if (count % 20 === 7) return
    response.writeHead(count % 10 === 3 ? 500 : 204).end()
  })
}

const addEndpoint = (db: Db, target: string) =>
  createDelivery({
    db,
    logger,
    key: Buffer.alloc(32, 7),
    allowPrivate: true,
    linkOf: () => '',
    pageOf: () => '',
  }).endpoints.add({ name: 'Proof', kind: 'webhook', target, events: ['call.requested'] })

interface Proof {
  /** Opens the database where no process has it open. */
  open(): Promise<Db>
  /** The last processes send all that is left. */
  receiver: Awaited<ReturnType<typeof openFragileReceiver>>
  processes: readonly TellingProcess[]
}

/** Nothing is lost, invented or changed, and each visitor's events come in their order. */
async function check({ open, receiver, processes }: Proof) {
  const db = await open()
  try {
    const { rows } = await db.query<EventRow>(
      `select ${EVENT_COLUMNS} from timeline.events e where e.type = 'call.requested' order by e.seq`,
    )
    const pending = await db.query("select from timeline.deliveries where state <> 'delivered'")
    expect(pending.rows).toHaveLength(0)
    const ids = new Set(rows.map(({ id }) => id))
    const stored = processes.flatMap(({ stored }) => stored)
    expect(stored.filter((id) => !ids.has(id))).toEqual([])
    expect(processes.flatMap(({ takenBack }) => takenBack).filter((id) => ids.has(id))).toEqual([])
    const expected = new Map(
      rows.map((row) => [
        row.id,
        webhookBody({ ...eventOf(row), name: null }, `https://demo.example/${row.id}`),
      ]),
    )
    const lastOf = new Map<string, number>()
    const seqOf = new Map(rows.map(({ id, seq }) => [id, seq]))
    const told = new Set<string>()
    for (const { headers, body } of receiver.received) {
      const id = String(headers['webhook-id'])
      expect(body, 'invented or changed').toBe(expected.get(id))
      told.add(id)
      const { slug } = JSON.parse(body).data
      const seq = seqOf.get(id) ?? 0
      expect(seq, 'out of order').toBeGreaterThanOrEqual(lastOf.get(slug) ?? 0)
      lastOf.set(slug, seq)
    }
    expect([...ids].filter((id) => !told.has(id))).toEqual([])
    expect(told.size).toBeGreaterThanOrEqual(ROUNDS * STORED)
  } finally {
    await db.close()
  }
}

/** Until nothing has arrived for longer than a lease. */
async function quiet({ received }: { received: unknown[] }) {
  for (let before = -1; before !== received.length; ) {
    before = received.length
    await delay(6_000)
  }
}

it(
  'loses, invents and changes nothing where a process of PGlite is killed',
  async () => {
    const directory = await createTestDirectory('migrated')
    const receiver = await openFragileReceiver()
    const open = () => openPglite({ directory, logger })
    const db = await open()
    await addEndpoint(db, receiver.url)
    await db.close()
    const processes: TellingProcess[] = []
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const one = new TellingProcess(directory, `round-${round}`, true)
        processes.push(one)
        await one.ready
        await one.hasStored(STORED + round)
        await one.kill()
      }
      const last = new TellingProcess(directory, 'last', false)
      await last.ready
      await quiet(receiver)
      await last.kill()
      await check({ open, receiver, processes })
    } finally {
      await Promise.all(processes.map((one) => one.kill()))
      await receiver.close()
      await rm(directory, { recursive: true, force: true })
    }
  },
  LONG_MS,
)

it.skipIf(!findPostgres())(
  'loses, invents and changes nothing where two processes on a Postgres are killed in turn',
  async () => {
    const { url, stop } = await startPostgres()
    const receiver = await openFragileReceiver()
    const open = () => openPostgres({ url, logger })
    const db = await open()
    await migrate(db, { folder })
    await addEndpoint(db, receiver.url)
    await db.close()
    const processes: TellingProcess[] = []
    const begun = async (name: string, isWriting = true) => {
      const one = new TellingProcess(url, name, isWriting)
      processes.push(one)
      await one.ready
      return one
    }
    try {
      const running = [await begun('first'), await begun('second')]
      for (let round = 0; round < ROUNDS; round++) {
        await running[0]?.hasStored(STORED + round)
        await running.shift()?.kill()
        running.push(await begun(`round-${round}`))
      }
      for (const one of running) await one.kill()
      const last = await Promise.all([begun('last', false), begun('very-last', false)])
      await quiet(receiver)
      for (const one of last) await one.kill()
      await check({ open, receiver, processes })
    } finally {
      await Promise.all(processes.map((one) => one.kill()))
      await receiver.close()
      await stop()
    }
  },
  LONG_MS,
)
