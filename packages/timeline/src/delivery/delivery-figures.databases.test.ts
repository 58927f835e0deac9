import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opened, openTestDelivery } from '../testing/running-delivery.js'
import { readDeliveryFigures } from './delivery-figures.js'

describe.each(DATABASES)('the figures of deliveries on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  it('count what is due, for how long, and what was given up; nothing of an endpoint that is off', async () => {
    expect(await readDeliveryFigures(db)).toEqual({ due: 0, ageSeconds: 0, dead: 0 })
    const { endpoints } = openTestDelivery(db)
    const { endpoint } = await endpoints.add({
      name: 'CRM',
      kind: 'webhook',
      target: 'http://127.0.0.1:9/',
      events: ['page.opened'],
    })
    await opened(db, 'acme', 'other', 'third')
    await db.query("update timeline.deliveries set run_at = now() - interval '100 s' where lane = 'acme'")
    await db.query("update timeline.deliveries set state = 'dead', done_at = now() where lane = 'third'")
    const figures = await readDeliveryFigures(db)
    expect(figures).toMatchObject({ due: 2, dead: 1 })
    expect(figures.ageSeconds).toBeGreaterThan(90)
    await db.query('update timeline.endpoints set disabled_at = now() where id = $1', [endpoint.id])
    expect(await readDeliveryFigures(db)).toEqual({ due: 0, ageSeconds: 0, dead: 1 })
  })
})
