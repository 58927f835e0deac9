import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleUnreported } from '../following/settle-unreported.js'
import { applyNews, type CallNews } from '../news/call-news.js'
import { openDeskDb } from '../testing/desk.js'
import { Seeded } from '../testing/seeded.js'

const second = 1_000_000

/** Of nobody who answered where it cost nothing; else of an answered call. */
const newsOf = (callId: string, record: 'polled' | 'report', costMicrousd: number): CallNews => ({
  callId,
  state: 'ended',
  record,
  endedAt: new Date(),
  endedReason: costMicrousd === 0 ? 'customer-did-not-answer' : 'customer-ended-call',
  ...(costMicrousd > 0 && { costMicrousd, inProgressAt: new Date() }),
})

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())

describe('the ledger', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'never goes above it by costs that rise with the report (seed %d)',
    async (seed) => {
      const random = new Seeded(seed)
      const worst = 3 * second
      const dayLimit = random.whole(2, 4) * worst
      const placed: string[] = []
      const shown: string[] = []
      let reserved = 0
      for (let step = 0; step < 40; step++) {
        const callId = `call-${seed}-${step}`
        const [asked, told] = [random.oneOf([placed, shown]), random.whole(0, 2)]
        if (told === 0) {
          const { rows } = await db.query<{ answer: string | null }>(
            `with added as (
             insert into call_desk.call_requests (phone, slug, body_hash, state, sent_at, platform_call_id, max_seconds)
             select '+1415' || lpad($1, 7, '0'), 'acme', '', 'dialling', now(), $2, 180 returning id)
           select call_desk.reserve_spend(id, $3, $4, null, now()) as answer from added`,
            [String(step), callId, worst, dayLimit],
          )
          if (rows[0]?.answer === null) placed.push(callId)
          if (rows[0]?.answer === null) reserved++
        } else if (asked.length > 0) {
          const isReport = asked === shown || told === 1
          const at = random.whole(0, asked.length - 1)
          const [id = ''] = asked.splice(at, 1)
          const cost = isReport
            ? random.oneOf([worst, random.whole(1, worst)])
            : random.oneOf([0, random.whole(1, worst)])
          await applyNews(db, newsOf(id, isReport ? 'report' : 'polled', cost), 5000)
          if (!isReport) shown.push(id)
          await settleUnreported(db)
        }
        const { rows } = await db.query<{ sum: number }>(
          'select coalesce(sum(coalesce(spent, reserved)), 0)::float8 as sum from call_desk.ledger',
        )
        expect(rows[0]?.sum, `seed ${seed}, step ${step}`).toBeLessThanOrEqual(dayLimit)
      }
      expect(reserved).toBeGreaterThan(1)
      await db.exec('truncate call_desk.ledger; delete from call_desk.call_requests')
    },
  )

  it('has no limit where none is set', async () => {
    const { rows } = await db.query(
      'select call_desk.reserve_spend(gen_random_uuid(), 9007199254740991, null, null, now()) as answer',
    )
    expect(rows).toEqual([{ answer: null }])
    await db.exec('truncate call_desk.ledger')
  })
})
