import { DATABASES, leapDate, openTestDb } from '@heyline/database/testing'
import { SETTLED_MS } from '@heyline/kit/every-hour'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { Retention } from './retention.js'

const logger = pino({ level: 'silent' })

describe.each(DATABASES)('old rows, on $name', ({ open }) => {
  it('go when their time is over, however many they are', async () => {
    const db = await open()
    try {
      await db.exec(`
        insert into auth.users (id, email) values ('00000000-0000-0000-0000-000000000001', 'ada@example.com');
        insert into auth.attempts (key, updated_at)
          select 'old ' || i, now() - interval '25 hours' from generate_series(1, 1201) i;
        insert into auth.attempts (key, updated_at) values ('new', now() - interval '23 hours');
        insert into auth.sessions (user_id, refreshed_at) values
          ('00000000-0000-0000-0000-000000000001', now() - interval '31 days'),
          ('00000000-0000-0000-0000-000000000001', now() - interval '29 days');
        insert into auth.one_time_tokens (user_id, token_type, token_hash, expires_at) values
          ('00000000-0000-0000-0000-000000000001', 'invite', 'old', now() - interval '1 minute'),
          ('00000000-0000-0000-0000-000000000001', 'invite', 'new', now() + interval '1 minute');
        insert into auth.known_networks values
          ('00000000-0000-0000-0000-000000000001', 'old', now() - interval '91 days'),
          ('00000000-0000-0000-0000-000000000001', 'new', now() - interval '89 days');
        insert into auth.known_addresses values
          ('00000000-0000-0000-0000-000000000001', 'old', now() - interval '91 days'),
          ('00000000-0000-0000-0000-000000000001', 'new', now() - interval '89 days');
        insert into auth.audit_log_entries (payload, created_at) values
          ('{}', now() - interval '401 days'), ('{}', now() - interval '399 days');
        insert into auth.signing_keys (kid, public_jwk, private_key, status, retired_at) values
          (gen_random_uuid(), '{}', '', 'former', now() - interval '25 hours'),
          (gen_random_uuid(), '{}', '', 'former', now() - interval '23 hours'),
          (gen_random_uuid(), '{}', '', 'current', null);
      `)
      await new Retention({ db, clock: new ManualClock(Date.now()), logger }).sweep()
      const left = async (table: string) => (await db.query(`select from auth.${table}`)).rowCount
      for (const [table, rows] of [
        ['attempts', 1],
        ['sessions', 1],
        ['one_time_tokens', 1],
        ['known_networks', 1],
        ['known_addresses', 1],
        ['audit_log_entries', 1],
        ['signing_keys', 2],
        ['users', 1],
      ] as const)
        expect([table, await left(table)]).toEqual([table, rows])
    } finally {
      await db.close()
    }
  })

  it('stay while the date is doubted', async () => {
    const db = await open()
    try {
      await db.exec(
        "insert into auth.audit_log_entries (payload, created_at) values ('{}', now() - interval '401 days')",
      )
      const left = async () => {
        await new Retention({ db, clock: new ManualClock(Date.now()), logger }).sweep()
        return (await db.query('select from auth.audit_log_entries')).rowCount
      }
      await leapDate(db, 400)
      expect(await left()).toBe(1)
      await leapDate(db, 1)
      expect(await left()).toBe(0)
    } finally {
      await db.close()
    }
  })
})

it('leave their space to new ones on PGlite', async () => {
  const db = await openTestDb()
  const retention = new Retention({ db, clock: new ManualClock(Date.now()), logger })
  const size = async () => {
    await db.query(`insert into auth.attempts (key, updated_at)
      select 'old ' || i, now() - interval '25 hours' from generate_series(1, 1000) i`)
    await retention.sweep()
    return (await db.query("select pg_relation_size('auth.attempts') as size")).rows
  }
  try {
    const first = await size()
    for (let time = 0; time < 3; time += 1) expect(await size()).toEqual(first)
  } finally {
    await db.close()
  }
})

it("are left alone where the accounts are a Supabase project's own", async () => {
  const db = await openTestDb()
  try {
    await db.exec(`
      insert into auth.attempts (key, updated_at) values ('old', now() - interval '25 hours');
      drop table auth.signing_keys;
    `)
    await new Retention({ db, clock: new ManualClock(Date.now()), logger }).sweep()
    expect((await db.query('select from auth.attempts')).rowCount).toBe(1)
  } finally {
    await db.close()
  }
})

it('are looked for soon after the start, and every hour until it is closed', async () => {
  const db = await openTestDb()
  const clock = new ManualClock(Date.now())
  const retention = new Retention({ db, clock, logger })
  const old = () =>
    db.query("insert into auth.attempts (key, updated_at) values ('old', $1)", [
      new Date(clock.now() - 90_000_000),
    ])
  const gone = async () => {
    await vi.waitFor(async () => expect((await db.query('select from auth.attempts')).rowCount).toBe(0))
    await vi.waitFor(() => expect(clock.pending).toBe(1))
  }
  try {
    await old()
    retention.start()
    clock.advance(SETTLED_MS)
    await gone()
    for (let hour = 0; hour < 3; hour += 1) {
      await old()
      clock.advance(3_600_000)
      await gone()
    }
    await retention.close()
    expect(clock.pending).toBe(0)
  } finally {
    await db.close()
  }
})
