import type { Db } from '@heyline/database'
import { DATABASES, lockWaits } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowOf } from '../testing/desk.js'
import { settlePostponed } from './settle.js'

/** Where a statement can wait for another's row; PGlite has one at a time. */
const postgres = DATABASES.filter(({ name }) => name === 'Postgres')

describe.each(postgres)('a request that was certainly not placed, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db?.close())

  it('is failed, and not left between two states, where it becomes unknown at the same moment', async () => {
    const id = crypto.randomUUID()
    const claim = crypto.randomUUID()
    await db.query(
      `insert into call_desk.call_requests (id, phone, slug, state, body_hash, claim, sent_at)
       values ($1, '+14155552671', 'acme', 'dialling', '', $2, now())`,
      [id, claim],
    )
    const settled = await db.transaction(async (tx) => {
      await tx.query("update call_desk.call_requests set state = 'unknown', unknown_at = now()")
      const request = { id, claim, phone: '+14155552671', slug: 'acme', attempts: 0 }
      const settling = settlePostponed(db, request, 'stalled', { delayMs: 0, promiseMs: 60_000 })
      await expect.poll(() => lockWaits(db)).toBe(1)
      return () => settling
    })
    expect(await settled()).toBe('failed')
    expect(await rowOf(db, id)).toMatchObject({ state: 'failed', failed_at: expect.any(Date), sent_at: null })
  })
})
