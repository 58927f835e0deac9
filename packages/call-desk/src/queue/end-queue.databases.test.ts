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

it.each(DATABASES)('ends campaigns, which would ask for more calls, on $name', async ({ open }) => {
  const db = await open()
  try {
    await db.exec(`
      with made as (
        insert into call_desk.campaigns (name, assistant_id, phone_number_id, state)
        values ('later', 'a', 'n', 'scheduled'), ('now', 'a', 'n', 'in-progress'), ('over', 'a', 'n', 'ended') returning id)
      insert into call_desk.campaign_customers (campaign_id, position, phone, customer, run_at)
        select id, 1, '+12025550101', '{}', now() from made`)
    await endQueue(db)
    const { rows } = await db.query(
      'select name, state, ended_reason as reason from call_desk.campaigns order by name',
    )
    expect(rows).toEqual([
      { name: 'later', state: 'ended', reason: 'campaign.scheduled.ended-by-user' },
      { name: 'now', state: 'ended', reason: 'campaign.in-progress.ended-by-user' },
      { name: 'over', state: 'ended', reason: null },
    ])
  } finally {
    await db.close()
  }
})
