import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { openTestDb, openTestPostgres, startTestPostgres } from '@heyline/database/testing'
import { createDelivery } from '@heyline/timeline'
import { pino } from 'pino'
import type { Database } from '../backend/filled-heyline.js'
import type { Figure } from '../report/table.js'

const EVENTS = 400
const VISITORS = 40

/** Events that wait already, of many visitors, sent by one process to a receiver that answers at once. */
export async function measureDeliveries(database: Database): Promise<Figure[]> {
  const stop = database === 'Postgres' ? await startTestPostgres() : async () => {}
  const db = await (database === 'Postgres' ? openTestPostgres() : openTestDb({ isNew: true }))
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const delivery = createDelivery({
    db,
    key: randomBytes(32),
    allowPrivate: true,
    linkOf: ({ id }) => `https://demo.example/-/office/timeline/events/${id}`,
    pageOf: () => 'https://demo.example/-/console/',
    logger: pino({ level: 'silent' }),
  })
  try {
    await delivery.endpoints.add({
      name: 'Bench',
      kind: 'webhook',
      target: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      events: ['page.opened'],
    })
    await db.query(
      `insert into timeline.events (type, slug, actor)
       select 'page.opened', 'visitor-' || n % $1::int, 'visitor' from generate_series(1, $2::int) n`,
      [VISITORS, EVENTS],
    )
    const began = performance.now()
    await delivery.start()
    for (let left = EVENTS; left > 0; await delay(100)) {
      const { rows } = await db.query<{ left: number }>(
        "select count(*)::int as left from timeline.deliveries where state <> 'delivered'",
      )
      left = rows[0]?.left ?? 0
    }
    const value = EVENTS / ((performance.now() - began) / 1000)
    return [{ what: 'events sent', value: `${value.toFixed(0)}/s`, beside: 'one process, one endpoint' }]
  } finally {
    await delivery.close()
    receiver.close()
    await db.close()
    await stop()
  }
}
