import type { Db } from '@heyline/database'
import { DATABASES, leapDate } from '@heyline/database/testing'
import { SETTLED_MS } from '@heyline/kit/every-hour'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallRetention } from './call-retention.js'
import { UNCONFIRMED } from './unconfirmed.js'

describe.each(DATABASES)('old calls on $name', ({ open }) => {
  let db: Db
  const clock = new ManualClock()
  const retention = (keeping: { textDays?: number; recordDays?: number }) =>
    new CallRetention({ db, keeping, clock, logger: pino({ level: 'silent' }) })

  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  const add = (days: number, status = 'ended', more = 1) =>
    db.query(
      `insert into voice_platform.calls (type, status, ended_reason, name, assistant, assistant_given, overrides, customer,
         messages, transcript, forwarded_to, owner, created_at)
       select 'outboundPhoneCall', $2, case when $2 = 'ended' then 'assistant-ended-call' end, $1::int::text,
         '{"model": {"messages": [{"content": "A prompt."}]}, "artifactPlan": {"recordingEnabled": false}}', '{"name": "Given"}',
         '{"variableValues": {"name": "Ada"}}', '{"number": "+12025550123", "name": "Ada"}',
         '[{"role": "user", "message": "Hello."}]', 'User: Hello.', '+12025550142', gen_random_uuid(), now() - $1::int * interval '1 day'
       from generate_series(1, $3::int)`,
      [days, status, more],
    )

  it('lose their words after so many days, and go after more', async () => {
    for (const days of [89, 91, 364, 366]) await add(days)
    await add(400, 'in-progress')
    await retention({ textDays: 90, recordDays: 365 }).run()
    const { rows } = await db.query(
      `select status, name, transcript, messages, forwarded_to, overrides, assistant_given, customer, assistant
       from voice_platform.calls order by created_at`,
    )
    const kept = {
      transcript: 'User: Hello.',
      messages: [{ role: 'user', message: 'Hello.' }],
      forwarded_to: '+12025550142',
      customer: { number: '+12025550123', name: 'Ada' },
    }
    const emptied = {
      ...{
        status: 'ended',
        name: null,
        transcript: null,
        messages: [],
        forwarded_to: null,
        overrides: null,
        assistant_given: null,
      },
      customer: { number: '+12025550123' },
      assistant: { artifactPlan: { recordingEnabled: false } },
    }
    expect(rows).toEqual([
      expect.objectContaining({ status: 'in-progress', name: '400', ...kept }),
      emptied,
      emptied,
      expect.objectContaining({ status: 'ended', name: '89', ...kept }),
    ])
  })

  it('go in small parts, of which two processes take different ones', async () => {
    await db.query('delete from voice_platform.calls')
    await add(366, 'ended', 1_000)
    await add(1)
    const both = [retention({ recordDays: 365 }), retention({ recordDays: 365 })]
    await Promise.all(both.map((one) => one.run()))
    const { rows } = await db.query('select name from voice_platform.calls')
    expect(rows).toEqual([{ name: '1' }])
  })

  it('that nobody has confirmed go after 30 days, or sooner where others do', async () => {
    await db.query('delete from voice_platform.calls')
    for (const days of [6, 8, 29, 31]) await add(days)
    await db.query(`update voice_platform.calls set ended_reason = '${UNCONFIRMED}'`)
    await add(31)
    await retention({}).run()
    const left = async () =>
      (await db.query('select name from voice_platform.calls order by created_at')).rows.map(
        ({ name }) => name,
      )
    expect(await left()).toEqual(['31', '31', '29', '8', '6'])
    await retention({ recordDays: 365 }).run()
    expect(await left()).toEqual(['31', '29', '8', '6'])
    await retention({ recordDays: 7 }).run()
    expect(await left()).toEqual(['6'])
  })

  it('stay where nothing is said', async () => {
    await add(5_000)
    await retention({}).run()
    expect((await db.query('select from voice_platform.calls')).rowCount).toBe(2)
  })

  it('are looked at soon after the start and once an hour, until it is closed', async () => {
    const hourly = retention({ recordDays: 365 })
    const left = async () => (await db.query('select from voice_platform.calls')).rowCount
    hourly.start()
    clock.advance(SETTLED_MS)
    await expect.poll(left).toBe(1)
    await expect.poll(() => clock.pending).toBe(1)
    await add(366)
    clock.advance(3_600_000)
    await expect.poll(left).toBe(1)
    await hourly.close()
    expect(clock.pending).toBe(0)
  })

  it('go with what else has words: chats, sessions, tickets and test runs', async () => {
    await db.exec(`
      insert into voice_platform.resources (family, settings, updated_at)
        select family, '{}', now() - n * interval '1 day'
        from unnest(array['session', 'support-ticket', 'test-suite-run', 'test-suite']) family, unnest(array[89, 91]) n;
      insert into voice_platform.chats (id, input, messages, output, created_at)
        select gen_random_uuid(), '""', '[]', '[]', now() - n * interval '1 day' from unnest(array[89, 91]) n`)
    await retention({ textDays: 90 }).run()
    const { rows } = await db.query<{ family: string }>(
      "select family from voice_platform.resources union all select 'chat' from voice_platform.chats order by family",
    )
    expect(rows.map(({ family }) => family)).toEqual([
      ...['chat', 'session', 'support-ticket', 'test-suite', 'test-suite', 'test-suite-run'],
    ])
  })

  it('leave their log after 14 days, whatever is kept of calls', async () => {
    await db.exec(`insert into voice_platform.logs (created_at, type)
      select now() - n * interval '1 day', 'API' from generate_series(10, 20, 3) n`)
    await retention({}).run()
    const { rows } = await db.query('select 1 from voice_platform.logs')
    expect(rows).toHaveLength(2)
  })

  it('stay while the date is doubted, with their logs, and go a day later', async () => {
    await db.exec('delete from voice_platform.calls; delete from voice_platform.logs')
    await add(366)
    await db.exec(
      "insert into voice_platform.logs (created_at, type) values (now() - interval '20 days', 'API')",
    )
    const left = async () =>
      (await db.query("select from voice_platform.calls where name = '366'")).rowCount +
      (await db.query('select from voice_platform.logs')).rowCount
    const run = () => retention({ textDays: 90, recordDays: 365 }).run()
    await leapDate(db, 400)
    await run()
    await run()
    expect(await left()).toBe(2)
    await leapDate(db, 1)
    await run()
    expect(await left()).toBe(0)
  })
})
