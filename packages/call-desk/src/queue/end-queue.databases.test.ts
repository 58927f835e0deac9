import { DATABASES } from '@heyline/database/testing'
import { expect, it } from 'vitest'
import { endQueue } from './end-queue.js'

it.each(DATABASES)(
  'ends what nobody has placed yet, and gives its money back, on $name',
  async ({ open }) => {
    const db = await open()
    try {
      await db.exec(`
      insert into call_desk.call_requests (phone, slug, body_hash, state, lease_until, sent_at, kind) values
        ('+12025550101', 'waits', 'x', 'queued', null, null, 'phone'),
        ('+12025550102', 'claimed', 'x', 'dialling', now() + interval '1 hour', null, 'phone'),
        ('+12025550103', 'sent', 'x', 'dialling', now() + interval '1 hour', now(), 'phone'),
        ('+12025550104', 'talks', 'x', 'in-progress', null, now(), 'phone'),
        ('+12025550105', 'ended', 'x', 'ended', null, now(), 'phone');
      insert into call_desk.ledger (request_id, at, reserved) select id, created_at, 100000 from call_desk.call_requests where slug = 'waits'`)
      expect(await endQueue(db)).toBe(2)
      const { rows } = await db.query<{ slug: string; state: string }>(
        'select slug, state from call_desk.call_requests order by phone',
      )
      expect(Object.fromEntries(rows.map(({ slug, state }) => [slug, state]))).toEqual({
        waits: 'failed',
        claimed: 'failed',
        sent: 'dialling',
        talks: 'in-progress',
        ended: 'ended',
      })
      const { rows: ledger } = await db.query('select spent::int as spent from call_desk.ledger')
      expect(ledger).toEqual([{ spent: 0 }])
      expect(await endQueue(db)).toBe(0)
    } finally {
      await db.close()
    }
  },
)
