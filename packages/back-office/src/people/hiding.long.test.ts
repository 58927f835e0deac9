import { createVisitors } from '@heyline/backend'
import { DatabaseError, type Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADA, BEN, LONGER, StoredPeople } from '../testing/stored-people.js'
import { continueHidings } from './hiding.js'
import { createPeople } from './people.js'

describe.each(DATABASES)('the number of an erased person, on $name', ({ open }) => {
  let db: Db
  let stored: StoredPeople

  beforeAll(async () => {
    db = await open()
    stored = new StoredPeople(db)
  })
  afterAll(() => db.close())
  beforeEach(() => stored.clear())

  /** As if that many hours had passed since the erasing, and the server had its turn. */
  async function later(hours = 4) {
    await db.query("update back_office.hidings set begun_at = begun_at - $1 * interval '1 hour'", [hours])
    await continueHidings(db)
  }
  /** What is left, but for the number that is to be looked for once more. */
  const leftOf = async () =>
    [...(await stored.everything())].filter(([table]) => table !== 'back_office.hidings').join()

  it('is gone from what other people’s calls tell, in both copies, however many they are', async () => {
    const tells = (number: string) => `AI: I transfer you to ${number}.`
    await stored.call(BEN, 'ben')
    await db.query(
      `insert into voice_platform.calls (type, status, ended_reason, assistant, customer, messages, transcript, forwarded_to, owner)
       select 'outboundPhoneCall', 'ended', 'x', '{}', jsonb_build_object('number', $1::text),
         jsonb_build_array(jsonb_build_object('role', 'bot', 'message', $2::text)), $2, $3, gen_random_uuid()
       from generate_series(1, 250)`,
      [BEN, tells(ADA), ADA],
    )
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, transcript, summary, last_error)
       select $1, 'ben', 'hash', 'ended', $2, $2, $3 from generate_series(1, 450)`,
      [BEN, tells(ADA), `The platform says: ${ADA} is busy`],
    )
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, transcript) values ($1, 'ben', 'hash', 'ended', $2)`,
      [BEN, tells(LONGER)],
    )
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ requests: 0, calls: 0 })
    const left = await leftOf()
    expect(left.replaceAll(LONGER, '')).not.toContain(ADA)
    expect(left).toContain(tells(LONGER))
    const { rows } = await db.query(
      `select count(*)::int as calls from call_desk.call_requests where transcript = $1 and summary = $1`,
      [tells('(removed number)')],
    )
    expect(rows).toEqual([{ calls: 450 }])
  })

  it('is gone from the campaigns of others, also where nobody was called yet', async () => {
    await db.query(
      `with made as (insert into call_desk.campaigns (name, assistant_id, phone_number_id) values ($1, 'a', 'n') returning id)
       insert into call_desk.campaign_customers (campaign_id, position, phone, customer, run_at)
       select id, 1, $2, $3::jsonb, now() + interval '1 day' from made`,
      [`Ask ${ADA}`, BEN, { name: 'Ben', variableValues: { ask: `Ada, at ${ADA}` } }],
    )
    await stored.people.erase({ number: ADA })
    const { rows } = await db.query(
      'select c.name, cc.phone, cc.customer from call_desk.campaign_customers cc join call_desk.campaigns c on c.id = cc.campaign_id',
    )
    expect(rows).toEqual([
      {
        name: 'Ask (removed number)',
        phone: BEN,
        customer: { name: 'Ben', variableValues: { ask: 'Ada, at (removed number)' } },
      },
    ])
  })

  const audited = async () =>
    (await db.query('select actor, action, detail from back_office.audit order by id')).rows
  /** Calls of Ben's that tell of Ada's number, one each, both here and at the platform. */
  async function tell(spellings: string[], state = 'ended') {
    for (const spelling of spellings) {
      const id = await stored.call(BEN, 'ben', state)
      const told = `AI: Ask ${spelling}.`
      await db.query(
        `update voice_platform.calls set transcript = $2, messages = jsonb_build_array(jsonb_build_object('message', $2::text)),
           assistant = jsonb_build_object('prompt', $2::text), overrides = jsonb_build_object('prompt', $2::text), assistant_given = jsonb_build_object('prompt', $2::text),
           customer = customer || jsonb_build_object('name', $2::text), name = $2 where id = $1`,
        [id, told],
      )
      await db.query(
        `update voice_platform.call_lines set message = jsonb_build_object('message', $2::text) where call_id = $1`,
        [id, told],
      )
      await db.query(
        `update call_desk.call_requests set transcript = $2, summary = $2, last_error = $2, ended_reason = $2 where platform_call_id = $1`,
        [id, told],
      )
      await db.query('insert into call_desk.inbox (id, body, last_error) values ($1, $2, $3)', [
        `tells ${id}`,
        JSON.stringify({ transcript: told }),
        told,
      ])
    }
  }

  it('is gone from what other people’s calls tell in whatever spelling, also in messages that are not dealt with', async () => {
    const spellings = [
      '(202) 555-0123',
      '202-555-0123',
      '2025550123',
      '+1 202 555 0123',
      '001 202.555.0123',
      '011 1 202 555 0123',
      '202·555·0123',
      '[202]:555_0123',
      '202\t555\n0123',
      '２０２－５５５－０１２３',
      '٢٠٢ ٥٥٥ ٠١٢٣',
    ]
    await tell(spellings)
    await tell([LONGER, '1202555012', '202 555 0124'])
    expect(await stored.people.erase({ number: ADA }, { name: 'op@example.com' })).toMatchObject({
      messages: 0,
      hidesLater: true,
    })
    const left = await leftOf()
    for (const spelling of spellings) expect(left.replaceAll(LONGER, ''), spelling).not.toContain(spelling)
    for (const other of [LONGER, '1202555012', '202 555 0124']) expect(left).toContain(`AI: Ask ${other}.`)
    expect(await audited()).toEqual([{ actor: 'op@example.com', action: 'person_erasing', detail: {} }])
    await later()
    expect((await audited())[1]).toEqual({
      ...{ actor: 'server', action: 'number_hidden', detail: { records: 3 * spellings.length } },
    })
  })

  it('stays while somebody else’s call tells of it, and is hidden when that has ended', async () => {
    await stored.call(ADA, 'ada')
    await tell(['(202) 555-0123'], 'in-progress')
    await tell(['202.555.0123'])
    expect(await stored.people.erase({ number: ADA })).toMatchObject({
      requests: 1,
      calls: 1,
      hidesLater: true,
    })
    expect((await stored.exported({ number: ADA })).get('back_office.hidings')).toMatchObject([
      { number: ADA, is_waiting: true },
    ])
    const records = async () => {
      const { rows } = await db.query<{ told: number }>(
        `select count(*)::int as told from voice_platform.calls where transcript not like '%(removed number).'`,
      )
      return rows[0]?.told
    }
    expect(await records()).toBe(1)
    for (const table of ['voice_platform.calls', 'call_desk.call_requests'])
      await db.exec(`update ${table} set created_at = created_at - interval '5 hours'`)
    await later()
    expect(await records()).toBe(1)
    // Its process has written its words anew, and so has the desk.
    await db.exec(`update voice_platform.calls set status = 'ended', ended_reason = 'x' where status <> 'ended';
      update call_desk.call_requests set state = 'ended', transcript = 'AI: Ask 202-555-0123.' where state <> 'ended'`)
    await continueHidings(db)
    expect(await records()).toBe(0)
    const left = [...(await stored.everything())]
      .filter(([table]) => table !== 'call_desk.do_not_call')
      .join()
    for (const spelling of [ADA, '(202) 555-0123', '202-555-0123']) expect(left).not.toContain(spelling)
    expect(await audited()).toMatchObject([
      { actor: 'command', action: 'person_erasing' },
      { actor: 'server', action: 'number_hidden' },
    ])
    expect((await db.query('select from back_office.hidings')).rows).toEqual([])
  })

  it('is hidden in what is written about old calls, and in sessions, after the erasing was answered', async () => {
    const id = await stored.call(BEN, 'ben')
    const old = "now() - interval '3 days'"
    await db.exec(
      `update call_desk.call_requests set created_at = ${old}; update voice_platform.calls set created_at = ${old}`,
    )
    const { rows } = await db.query<{ id: string }>(
      `insert into voice_platform.resources (family, settings, created_at) values ('session', '{}', now() - interval '20 days') returning id`,
    )
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ requests: 0, hidesLater: true })
    const told = 'AI: Ask 202-555-0123.'
    // The report of a hosted platform, the analysis of a call, what a session goes on with, and a chat that was being written.
    await db.query(
      `update call_desk.call_requests set transcript = $2, summary = $2 where platform_call_id = $1`,
      [id, told],
    )
    await db.query(
      `update voice_platform.calls set analysis = jsonb_build_object('summary', $2::text) where id = $1`,
      [id, told],
    )
    await db.query(
      `update voice_platform.resources set settings = jsonb_build_object('messages', $2::text), updated_at = now() where id = $1`,
      [rows[0]?.id, told],
    )
    await db.query(
      `insert into voice_platform.chats (id, input, messages, output) values (gen_random_uuid(), to_jsonb($1::text), '[]', '[]')`,
      [told],
    )
    await later(3)
    expect(await leftOf()).toContain(told)
    await later(1)
    expect(await leftOf()).not.toContain('202-555-0123')
    expect((await db.query('select from back_office.hidings')).rows).toEqual([])
    expect((await audited())[1]).toMatchObject({ action: 'number_hidden', detail: { records: 4 } })
  })

  it('is looked for once more after the last of several erasings', async () => {
    await stored.people.erase({ number: ADA })
    await later(3)
    await stored.people.erase({ number: ADA })
    await later(3)
    await tell(['202-555-0123'])
    expect(await leftOf()).toContain('202-555-0123')
    await later(1)
    expect(await leftOf()).not.toContain('202-555-0123')
  })

  /** A database that cancels what reads the desk's requests, once it has read so many parts. */
  function slow({ parts = 0, code = '57014', least = 0 }): Db {
    let read = 0
    return Object.assign(Object.create(db), {
      async query(...[sql, ...rest]: Parameters<Db['query']>) {
        const size = Number(/limit (\d+)$/.exec(sql)?.[1])
        if (/as likely\s+from call_desk.call_requests/.test(sql) && size > least && read++ >= parts)
          throw new DatabaseError('canceling statement due to statement timeout', { code })
        return await db.query(sql, ...rest)
      },
    })
  }
  const manyTell = () =>
    db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, transcript, created_at)
       select $1, 'ben', 'hash', 'ended', 'AI: Ask 202-555-0123.', now() - n * interval '1 minute' from generate_series(1, 250) n`,
      [BEN],
    )
  const telling = async () =>
    (await db.query("select from call_desk.call_requests where transcript = 'AI: Ask 202-555-0123.'"))
      .rowCount

  it.each([
    ['57014', 50],
    ['08006', 150],
  ])(
    'is said to be in some places still where hiding it was broken off (%s), and goes on there when asked again',
    async (code, left) => {
      await manyTell()
      const parts = (250 - left) / 100
      const broken = createPeople(slow({ parts, code }), createVisitors(db)).erase({ number: ADA })
      await expect(broken).rejects.toMatchObject({
        code: 'hiding_broken_off',
        message: expect.stringContaining('erase the number again, and it goes on where it stopped'),
        cause: { code },
      })
      expect(await telling()).toBe(left)
      expect(await audited()).toEqual([{ actor: 'command', action: 'person_erasing', detail: {} }])

      const again = createPeople(slow({ parts: 9 }), createVisitors(db))
      await db.exec(
        "update call_desk.call_requests set transcript = 'AI: Ask 202-555-0123.' where id = (select id from call_desk.call_requests order by created_at limit 1)",
      )
      expect(await again.erase({ number: ADA })).toMatchObject({ hidesLater: true })
      // What was looked at before is not looked at once more now: Ben said this later.
      expect(await telling()).toBe(1)
      await later()
      expect(await telling()).toBe(0)
      expect((await audited()).map((line) => Object(line).action)).toEqual([
        'person_erasing',
        'person_erasing',
        'number_hidden',
      ])
    },
  )

  it('is hidden by the server where nobody erases once more', async () => {
    await manyTell()
    await expect(
      createPeople(slow({ parts: 1 }), createVisitors(db)).erase({ number: ADA }),
    ).rejects.toMatchObject({ code: 'hiding_broken_off' })
    // A process may still be at it.
    await continueHidings(db)
    expect(await telling()).toBe(150)
    await db.exec('update back_office.hidings set lease_until = now()')
    await continueHidings(db)
    expect(await telling()).toBe(0)
    await later()
    expect(await audited()).toMatchObject([
      { action: 'person_erasing' },
      { actor: 'server', action: 'number_hidden', detail: { records: 250 } },
    ])
  })

  it('is hidden as soon as ever after a clock was ahead', async () => {
    await manyTell()
    await expect(
      createPeople(slow({ parts: 1 }), createVisitors(db)).erase({ number: ADA }),
    ).rejects.toMatchObject({ code: 'hiding_broken_off' })
    const ahead = "date_trunc('milliseconds', now() + interval '30 days')"
    await db.exec(
      `update back_office.hidings set begun_at = ${ahead}, again_from = ${ahead}, lease_until = ${ahead}`,
    )
    await continueHidings(db)
    expect(await telling()).toBe(0)
    await continueHidings(db)
    await manyTell()
    await later()
    expect(await telling()).toBe(0)
    expect(await audited()).toMatchObject([{ action: 'person_erasing' }, { action: 'number_hidden' }])
  })

  it('is looked for in smaller parts where the database finds no time for large ones', async () => {
    await manyTell()
    const patient = createPeople(slow({ least: 10 }), createVisitors(db))
    expect(await patient.erase({ number: ADA })).toMatchObject({ hidesLater: true })
    expect(await telling()).toBe(0)
  })
})
