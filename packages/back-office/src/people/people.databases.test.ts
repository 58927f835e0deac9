import { createVisitors, VisitorError } from '@heyline/backend'
import { DatabaseError, type Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { undoable } from '../undo/visitor-undo.js'
import { continueHidings } from './hiding.js'
import { createPeople, type People } from './people.js'

const ADA = '+12025550123'
const BEN = '+12025550124'
/** Looks like Ada's, and is longer. */
const LONGER = '+120255501234'

describe.each(DATABASES)('a person in the tables, on $name', ({ open }) => {
  let db: Db
  let people: People

  beforeAll(async () => {
    db = await open()
    people = createPeople(db, createVisitors(db))
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    for (const table of await tables()) if (!KEPT.includes(table)) await db.exec(`delete from ${table}`)
  })

  /** One row each: they hold settings of the installation. */
  const KEPT = ['call_desk.switches', 'voice_platform.settings', 'supabase_migrations.schema_migrations']

  const tables = async () => {
    const { rows } = await db.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    )
    return rows.map(({ name }) => name)
  }

  /** Everything that is stored, by table. */
  async function everything(): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const table of await tables()) {
      const { rows } = await db.query(`select to_jsonb(t) as row from ${table} t`)
      found.set(table, JSON.stringify(rows))
    }
    return found
  }
  /** Ids and checksums: they may hold any short word of hexadecimal digits. */
  const RANDOM = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/g
  const whereIs = async (text: string) =>
    [...(await everything())]
      .filter(([, rows]) => rows.replace(RANDOM, '').includes(text))
      .map(([table]) => table)

  /** One call of a number from a visitor's page, in every table that a call can be in. Resolves with the platform's id. */
  async function call(phone: string, slug: string, state = 'ended'): Promise<string> {
    const { rows } = await db.query<{ id: string }>(
      `insert into voice_platform.calls (type, status, ended_reason, assistant, customer, messages, transcript, owner)
       values ('outboundPhoneCall', case when $2 = 'ended' then 'ended' else 'in-progress' end,
         case when $2 = 'ended' then 'customer-ended-call' end, '{}', jsonb_build_object('number', $1::text), '[]',
         'User: My name is ' || $3, gen_random_uuid()) returning id`,
      [phone, state, slug],
    )
    const platformId = rows[0]?.id ?? ''
    await db.query(
      `insert into voice_platform.call_lines (call_id, position, speaker, message)
       select id, 0, 'User', jsonb_build_object('message', 'My name is ' || $2::text) from voice_platform.calls where id = $1 and status <> 'ended'`,
      [platformId, slug],
    )
    await db.query(
      `with request as (
         insert into call_desk.call_requests (phone, slug, body_hash, state, platform_call_id, transcript, recorded_at)
         values ($1, $2, 'hash', $3, $4, 'User: My name is ' || $2, now()) returning id),
       money as (insert into call_desk.ledger (request_id, at, reserved) select id, now(), 5 from request)
       insert into call_desk.do_not_call (phone, source, request_id) select $1, 'caller', id from request
       on conflict do nothing`,
      [phone, slug, state, platformId],
    )
    await db.query(
      `insert into voice_platform.simulated_legs (call_id, caller, callee) values ($1, '+12025550100', $2)`,
      [platformId, phone],
    )
    // A carrier's leg that was left over.
    await db.query(
      `insert into voice_platform.carrier_legs (call_id, provider_id, holder, look_at, stream_key_hash, created_at)
       values ($1, 'CA1', gen_random_uuid(), now(), 'secret_hash', now() - interval '25 hours')`,
      [platformId],
    )
    await db.query(`insert into call_desk.inbox (id, body) values ($1, $2), ($3, $4), ($5, null)`, [
      `by number ${platformId}`,
      JSON.stringify({ customer: { number: phone } }),
      `by id ${platformId}`,
      JSON.stringify({ callId: platformId }),
      `done ${platformId}`,
    ])
    return platformId
  }

  /** An account has its number without the plus. */
  const digits = (number: string) => number.replace('+', '')
  const account = (phone: string) =>
    db.query("insert into auth.users (email, phone) values ('op@example.com', $1)", [digits(phone)])

  async function exported(person: Parameters<People['export']>[0]): Promise<Map<string, unknown[]>> {
    const found = new Map<string, unknown[]>()
    for await (const parts of people.export(person))
      for (const { table, rows } of parts) found.set(table, [...(found.get(table) ?? []), ...rows])
    return found
  }
  const counts = (found: Map<string, unknown[]>) =>
    Object.fromEntries([...found].map(([table, rows]) => [table, rows.length]))

  /** Somebody is told of calls. */
  const tellOfCalls = () =>
    db.query(
      `insert into timeline.endpoints (name, kind, target, events) values ('a tool', 'webhook', 'http://127.0.0.1:1', '{call.requested}')`,
    )

  it('is exported by number from every table, with nobody else', async () => {
    await tellOfCalls()
    await call(ADA, 'ada')
    await call(BEN, 'ben')
    await call(LONGER, 'longer')
    await account(ADA)
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal) values ($1, 'ben', 'hash', 'refused', 'dnc')`,
      [ADA],
    )
    const found = await exported({ number: ADA })
    expect(counts(found)).toEqual({
      'call_desk.call_requests': 2,
      'call_desk.ledger': 1,
      'call_desk.do_not_call': 1,
      'call_desk.inbox': 2,
      'voice_platform.calls': 1,
      'voice_platform.call_lines': 0,
      'voice_platform.simulated_legs': 1,
      'voice_platform.carrier_legs': 1,
      // Two were asked for, and one of those was refused.
      'timeline.events': 2,
      'timeline.deliveries': 1,
      'back_office.hidings': 0,
      'auth.mfa_factors': 0,
      'auth.users': 1,
    })
    const text = JSON.stringify([...found])
    expect(text).toContain('My name is ada')
    for (const other of [BEN, LONGER, 'My name is ben', 'control_url', 'secret_hash'])
      expect(text).not.toContain(other)
    // Every table that has the number is in the file.
    expect([...found.keys()]).toEqual(expect.arrayContaining(await whereIs(digits(ADA))))
  })

  it('is exported and erased with the second factors that send codes to the number', async () => {
    await db.exec(
      `insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'op@example.com')`,
    )
    await db.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, phone)
       select gen_random_uuid(), '00000000-0000-4000-8000-000000000001', phone, 'phone', 'verified', phone
       from jsonb_array_elements_text($1) phone`,
      [[ADA, BEN]],
    )
    await db.exec(
      `insert into auth.sessions (user_id, aal, factor_id) select user_id, 'aal2', id from auth.mfa_factors where phone = '${ADA}'`,
    )
    expect((await exported({ number: ADA })).get('auth.mfa_factors')).toMatchObject([
      { phone: ADA, status: 'verified' },
    ])
    expect(await people.erase({ number: ADA })).toMatchObject({ factors: 1, requests: 0 })
    expect(await whereIs(ADA)).toEqual([])
    expect(await whereIs(BEN)).toEqual(['auth.mfa_factors'])
    const { rows } = await db.query('select aal, factor_id from auth.sessions')
    expect(rows).toEqual([{ aal: 'aal1', factor_id: null }])
    expect(await people.erase({ visitor: 'ada' })).toMatchObject({ factors: 0 })
  })

  it('is exported and erased with the number of an account, which keeps everything else', async () => {
    await db.query(
      `insert into auth.users (id, email, email_confirmed_at, encrypted_password, phone, phone_confirmed_at) values
         ('00000000-0000-4000-8000-000000000001', 'op@example.com', now(), 'a hash', $1, now()),
         ('00000000-0000-4000-8000-000000000002', 'other@example.com', now(), 'a hash', $2, now())`,
      [digits(ADA), digits(BEN)],
    )
    const exports = (await exported({ number: ADA })).get('auth.users')
    expect(exports).toMatchObject([{ email: 'op@example.com', phone: digits(ADA) }])
    expect(JSON.stringify(exports)).not.toContain('a hash')
    expect(await people.erase({ number: ADA })).toMatchObject({ accounts: 1, factors: 0 })
    expect(await whereIs(digits(ADA))).toEqual([])
    expect(await whereIs(digits(BEN))).toEqual(['auth.users'])
    const { rows } = await db.query(
      `select phone, phone_confirmed_at, encrypted_password, confirmed_at is not null as confirmed
       from auth.users where email = 'op@example.com'`,
    )
    expect(rows).toEqual([
      { phone: null, phone_confirmed_at: null, encrypted_password: 'a hash', confirmed: true },
    ])
  })

  /** 451 requests and 121 calls of Ada's. */
  async function manyCalls() {
    await call(ADA, 'ada')
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state)
       select $1, 'ada', 'hash', 'ended' from generate_series(1, 450)`,
      [ADA],
    )
    await db.query(
      `insert into voice_platform.calls (type, status, ended_reason, assistant, customer, owner)
       select 'outboundPhoneCall', 'ended', 'x', '{}', jsonb_build_object('number', $1::text), gen_random_uuid()
       from generate_series(1, 120)`,
      [ADA],
    )
  }

  it('is exported in parts, however many calls there were', async () => {
    await manyCalls()
    const found = await exported({ number: ADA })
    expect(counts(found)).toMatchObject({ 'call_desk.call_requests': 451, 'voice_platform.calls': 121 })
    const ids = found.get('call_desk.call_requests')?.map((row) => Object(row).id)
    expect(new Set(ids).size).toBe(451)
  })

  it('is exported to the end, also where retention removes rows meanwhile', async () => {
    await manyCalls()
    const found: unknown[] = []
    for await (const parts of people.export({ number: ADA }))
      for (const { table, rows } of parts) {
        if (!['call_desk.call_requests', 'voice_platform.calls'].includes(table)) continue
        const ids = rows.map((row) => Object(row).id)
        found.push(...ids)
        await db.query(
          `delete from ${table} where id in (select jsonb_array_elements_text($1::jsonb)::uuid)`,
          [ids],
        )
      }
    expect(new Set(found).size).toBe(451 + 121)
  })

  it('is gone from every table but the do-not-call list, and others stay as they were', async () => {
    const platformId = await call(ADA, 'ada')
    await call(BEN, 'ben')
    await call(LONGER, 'longer')
    await account(ADA)
    const erased = await people.erase({ number: ADA })
    expect(erased).toEqual({
      ...{ requests: 1, calls: 1, messages: 2, doNotCall: true, visitor: false, formerSlugs: [] },
      ...{ factors: 0, accounts: 1 },
      hostedCalls: [],
      hidesLater: false,
    })
    const left = await everything()
    for (const [table, rows] of left) {
      const stays = table === 'call_desk.do_not_call'
      expect(rows.replaceAll(digits(LONGER), '').includes(digits(ADA)), table).toBe(stays)
      if (table !== 'call_desk.inbox') expect(rows.includes(platformId), table).toBe(false)
      expect(rows.includes('My name is ada'), table).toBe(false)
    }
    expect(counts(await exported({ number: BEN }))).toMatchObject({
      'call_desk.call_requests': 1,
      'call_desk.inbox': 2,
      'voice_platform.calls': 1,
    })
    const money = await db.query('select sum(reserved)::int as sum from call_desk.ledger')
    expect(money.rows).toEqual([{ sum: 15 }])
    // Nothing is left of the request that put the number on the list.
    const { rows } = await db.query('select request_id from call_desk.do_not_call where phone = $1', [ADA])
    expect(rows).toEqual([{ request_id: null }])
    const audit = await db.query("select detail from call_desk.audit where action = 'person_erased'")
    expect(audit.rows).toEqual([{ detail: { requests: 1, messages: 2 } }])
    // The visitor's lifetime limit still counts the call.
    expect((await db.query('select slug, calls from call_desk.slug_totals')).rows).toEqual([
      { slug: 'ada', calls: 1 },
    ])
  })

  it('is gone from what other people’s calls tell, in both copies, however many they are', async () => {
    const tells = (number: string) => `AI: I transfer you to ${number}.`
    await call(BEN, 'ben')
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
    expect(await people.erase({ number: ADA })).toMatchObject({ requests: 0, calls: 0 })
    const left = [...(await everything()).values()].join()
    expect(left.replaceAll(LONGER, '')).not.toContain(ADA)
    expect(left).toContain(tells(LONGER))
    const { rows } = await db.query(
      `select count(*)::int as calls from call_desk.call_requests where transcript = $1 and summary = $1`,
      [tells('(removed number)')],
    )
    expect(rows).toEqual([{ calls: 450 }])
  })

  const audited = async () =>
    (await db.query('select actor, action, detail from back_office.audit order by id')).rows
  /** Calls of Ben's that tell of Ada's number, one each, both here and at the platform. */
  async function tell(spellings: string[], state = 'ended') {
    for (const spelling of spellings) {
      const id = await call(BEN, 'ben', state)
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
    expect(await people.erase({ number: ADA }, { name: 'op@example.com' })).toMatchObject({
      messages: 0,
      hidesLater: false,
    })
    const left = [...(await everything()).values()].join()
    for (const spelling of spellings) expect(left.replaceAll(LONGER, ''), spelling).not.toContain(spelling)
    for (const other of [LONGER, '1202555012', '202 555 0124']) expect(left).toContain(`AI: Ask ${other}.`)
    expect(await audited()).toEqual([
      { actor: 'op@example.com', action: 'person_erasing', detail: {} },
      { actor: 'op@example.com', action: 'number_hidden', detail: { records: 3 * spellings.length } },
    ])
  })

  it('is erased while somebody else’s call tells of the number, which is hidden when that has ended', async () => {
    await call(ADA, 'ada')
    await tell(['(202) 555-0123'], 'in-progress')
    await tell(['202.555.0123'])
    expect(await people.erase({ number: ADA })).toMatchObject({ requests: 1, calls: 1, hidesLater: true })
    expect((await exported({ number: ADA })).get('back_office.hidings')).toMatchObject([
      { number: ADA, is_waiting: true },
    ])
    const records = async () => {
      const { rows } = await db.query<{ told: number }>(
        `select count(*)::int as told from voice_platform.calls where transcript not like '%(removed number).'`,
      )
      return rows[0]?.told
    }
    expect(await records()).toBe(1)
    await continueHidings(db)
    expect(await records()).toBe(1)
    // Its process has written its words anew, and so has the desk.
    await db.exec(`update voice_platform.calls set status = 'ended', ended_reason = 'x' where status <> 'ended';
      update call_desk.call_requests set state = 'ended', transcript = 'AI: Ask 202-555-0123.' where state <> 'ended'`)
    await continueHidings(db)
    expect(await records()).toBe(0)
    const left = [...(await everything())].filter(([table]) => table !== 'call_desk.do_not_call').join()
    for (const spelling of [ADA, '(202) 555-0123', '202-555-0123']) expect(left).not.toContain(spelling)
    expect(await audited()).toMatchObject([
      { actor: 'command', action: 'person_erasing' },
      { actor: 'server', action: 'number_hidden' },
    ])
    expect((await db.query('select from back_office.hidings')).rows).toEqual([])
  })

  /** A database that cancels what reads the desk's requests, once it has read so many parts. */
  function slow({ parts = 0, asked = [] as string[], code = '57014', least = 0 }) {
    let read = 0
    return Object.assign(Object.create(db), {
      async query(...[sql, ...rest]: Parameters<Db['query']>) {
        asked.push(sql)
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
    'says that the number is not hidden everywhere where that was broken off (%s), and goes on there',
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

      const asked: string[] = []
      const again = createPeople(slow({ parts: 9, asked }), createVisitors(db))
      await db.exec(
        "update call_desk.call_requests set transcript = 'AI: Ask 202-555-0123.' where id = (select id from call_desk.call_requests order by created_at limit 1)",
      )
      expect(await again.erase({ number: ADA })).toMatchObject({ hidesLater: false })
      // What was looked at before is not looked at once more: Ben said this later.
      expect(await telling()).toBe(1)
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
    expect(await audited()).toMatchObject([
      { action: 'person_erasing' },
      { actor: 'server', action: 'number_hidden', detail: { records: 250 } },
    ])
  })

  it('is looked for in smaller parts where the database finds no time for large ones', async () => {
    await manyTell()
    const patient = createPeople(slow({ least: 10 }), createVisitors(db))
    expect(await patient.erase({ number: ADA })).toMatchObject({ hidesLater: false })
    expect(await telling()).toBe(0)
  })

  it('keeps nobody else waiting: what everybody’s calls tell is read outside of the gate’s lock', async () => {
    await call(ADA, 'ada')
    const locked: string[] = []
    const watched = Object.assign(Object.create(db), {
      transaction: (...[work, options]: Parameters<Db['transaction']>) =>
        db.transaction((tx) => {
          const query: typeof tx.query = (sql, ...rest) => {
            locked.push(sql)
            return tx.query(sql, ...rest)
          }
          return work(Object.assign(Object.create(tx), { query }))
        }, options),
    })
    await createPeople(watched, createVisitors(db)).erase({ number: ADA })
    const reading = locked.filter((sql) => /::text ~|body ~/.test(sql))
    expect(reading.length).toBeGreaterThan(0)
    // Of calls those that run, of messages those that came meanwhile.
    for (const sql of reading) expect(sql).toMatch(/c\.status <> 'ended'|i\.received_at > \$3/)
  })

  it('is erased with a message that comes while the others are found', async () => {
    await call(ADA, 'ada')
    let isLate = false
    const disturbed = Object.assign(Object.create(db), {
      async transaction(...asked: Parameters<Db['transaction']>) {
        if (!isLate)
          await db.query('insert into call_desk.inbox (id, body) values ($1, $2)', [
            'late',
            JSON.stringify({ customer: { number: ADA } }),
          ])
        isLate = true
        return await db.transaction(...asked)
      },
    })
    expect(await createPeople(disturbed, createVisitors(db)).erase({ number: ADA })).toMatchObject({
      messages: 3,
    })
    expect(await whereIs(digits(ADA))).toEqual(['call_desk.do_not_call'])
  })

  it('is not erased while a carrier may still have a call in hand', async () => {
    await call(ADA, 'ada')
    await db.exec("update voice_platform.carrier_legs set created_at = now() - interval '1 minute'")
    await expect(people.erase({ number: ADA })).rejects.toMatchObject({ code: 'call_running' })
    await db.exec('delete from voice_platform.carrier_legs')
    expect(await people.erase({ number: ADA })).toMatchObject({ calls: 1 })
  })

  it('is not erased while a call runs, by the desk or by the platform alone, and then nothing is', async () => {
    await call(ADA, 'ada', 'in-progress')
    const before = await everything()
    await expect(people.erase({ number: ADA })).rejects.toMatchObject({
      code: 'call_running',
      message: expect.stringContaining('heyline calls pause'),
    })
    expect(await everything()).toEqual(before)
    await db.exec("update call_desk.call_requests set state = 'ended'")
    await expect(people.erase({ number: ADA })).rejects.toMatchObject({ code: 'call_running' })
    await db.exec("update voice_platform.calls set status = 'ended', ended_reason = 'x'")
    expect(await people.erase({ number: ADA })).toMatchObject({ requests: 1, calls: 1 })
  })

  it('keeps the row of a visitor, too, while the platform has a call that runs', async () => {
    await db.exec(`insert into public.visitors (slug, name) values ('ada', 'Ada')`)
    await call(ADA, 'ada', 'in-progress')
    await db.exec("update call_desk.call_requests set state = 'ended'")
    const before = await everything()
    await expect(people.erase({ visitor: 'ada' })).rejects.toMatchObject({ code: 'call_running' })
    expect(await everything()).toEqual(before)
  })

  it('is kept whole where the visitors could not be reached', async () => {
    await call(ADA, 'ada')
    const before = await everything()
    const unreachable = createPeople(db, {
      ...createVisitors(db),
      remove: () => Promise.reject(new VisitorError('visitors_unreachable', 'no answer')),
    })
    await expect(unreachable.erase({ visitor: 'ada' })).rejects.toMatchObject({
      code: 'visitors_unreachable',
    })
    expect(await everything()).toEqual(before)
  })

  it('is a visitor, too: the row, the calls from the page, and what is counted under the slug', async () => {
    await db.exec(
      `insert into public.visitors (slug, name, system) values ('Ada', 'Ada', 'A prompt.'), ('ben', 'Ben', null)`,
    )
    await tellOfCalls()
    await call(ADA, 'Ada')
    await call(BEN, 'ben')
    await db.exec(`insert into call_desk.slug_resets values ('Ada');
      insert into call_desk.caller_ids (slug, phone_number_id) values ('Ada', 'number-2'), ('ben', 'number-2');
      insert into call_desk.slug_totals values ('Ada', 'phone', 3);
      insert into call_desk.audit (action, detail) values ('slug_reset', '{"slug": "Ada"}'), ('slug_reset', '{"slug": "ben"}');
      insert into back_office.audit (actor, action, detail) values ('op@example.com', 'visitor_added', '{"slug": "Ada"}'),
        ('op@example.com', 'visitor_changed', '{"slug": "ADA", "more": 1}'), ('op@example.com', 'visitor_added', '{"slug": "ben"}')`)
    const found = await exported({ visitor: 'ada' })
    expect(counts(found)).toEqual({
      'public.visitors': 1,
      'back_office.undo_visitors': 0,
      'call_desk.call_requests': 1,
      'call_desk.ledger': 1,
      'call_desk.do_not_call': 1,
      'call_desk.inbox': 1,
      'call_desk.slug_resets': 1,
      'call_desk.caller_ids': 1,
      'call_desk.slug_totals': 1,
      'call_desk.audit': 1,
      'back_office.audit': 2,
      'voice_platform.calls': 1,
      'voice_platform.call_lines': 0,
      'voice_platform.simulated_legs': 1,
      'voice_platform.carrier_legs': 1,
      'timeline.events': 2,
      'timeline.deliveries': 1,
      'timeline.visitors': 1,
    })
    expect(await people.erase({ visitor: 'ADA' })).toMatchObject({ visitor: true, requests: 1, calls: 1 })
    for (const name of ['Ada', 'ADA']) expect(await whereIs(name)).toEqual([])
    const { rows: audit } = await db.query('select action, detail from back_office.audit order by id')
    expect(audit).toEqual([
      { action: 'visitor_added', detail: {} },
      { action: 'visitor_changed', detail: { more: 1 } },
      { action: 'visitor_added', detail: { slug: 'ben' } },
      { action: 'person_erasing', detail: {} },
    ])
    expect(await whereIs('ben')).toEqual(
      expect.arrayContaining(['public.visitors', 'call_desk.call_requests', 'call_desk.audit']),
    )
  })

  /** An operator's change of the visitors of these slugs. */
  const changed = (slugs: string[], sql: string) =>
    undoable(db, { userId: '00000000-0000-4000-8000-000000000001', what: 'visitor_changed' }, (tx, kept) =>
      kept(slugs, () => tx.exec(sql)),
    )

  it('is a visitor who had another slug and was removed: exported and erased by either, with nobody else', async () => {
    for (const slug of ['ada', 'lovelace']) {
      await changed(
        ['ada'],
        "insert into public.visitors (slug, name, system) values ('ada', 'Ada', 'A prompt.')",
      )
      await changed(['ada', 'lovelace'], "update public.visitors set slug = 'lovelace' where slug = 'ada'")
      await changed(['lovelace'], "delete from public.visitors where slug = 'lovelace'")
      await changed(['ben'], "insert into public.visitors (slug, name) values ('ben', 'Ben')")
      const found = await exported({ visitor: slug })
      expect(found.get('back_office.undo_visitors')).toHaveLength(3)
      await people.erase({ visitor: slug })
      expect(await whereIs('A prompt.')).toEqual([])
      expect(await whereIs('ben')).toEqual([
        'back_office.undo_visitors',
        'public.visitors',
        'timeline.events',
      ])
      await db.exec('delete from public.visitors; delete from back_office.undo')
    }
  })

  describe('who was renamed twice', () => {
    const rename = (from: string, to: string) =>
      db.query('update public.visitors set slug = $2 where slug = $1', [from, to])
    beforeEach(async () => {
      await tellOfCalls()
      await db.exec(`insert into public.visitors (slug, name) values ('ada-one', 'Ada')`)
      await call(ADA, 'ada-one')
      await db.exec(`insert into call_desk.slug_resets values ('ada-one');
        insert into back_office.audit (actor, action, detail) values ('op@example.com', 'visitor_changed', '{"slug": "Ada-One"}')`)
      await rename('ada-one', 'ada-two')
      await call(ADA, 'ada-two')
      await rename('ada-two', 'ada-three')
    })

    it('is exported with what is under the former slugs, which the file names', async () => {
      const found = await exported({ visitor: 'ADA-THREE' })
      expect(found.get('formerSlugs')).toEqual(['ada-two', 'ada-one'])
      expect(counts(found)).toMatchObject({
        'call_desk.call_requests': 2,
        'call_desk.slug_resets': 1,
        'back_office.audit': 1,
        'voice_platform.calls': 2,
        'timeline.events': 5,
        'timeline.visitors': 2,
      })
    })

    it('is erased with all of it, and the answer names the slugs', async () => {
      expect(await people.erase({ visitor: 'ada-three' })).toMatchObject({
        visitor: true,
        requests: 2,
        calls: 2,
        formerSlugs: ['ada-two', 'ada-one'],
      })
      for (const text of ['ada-one', 'Ada-One', 'ada-two', 'ada-three'])
        expect(await whereIs(text)).toEqual([])
    })

    it('is not erased while a call from the page at a former slug runs', async () => {
      await call(BEN, 'ada-one', 'in-progress')
      await expect(people.erase({ visitor: 'ada-three' })).rejects.toMatchObject({ code: 'call_running' })
    })

    it('leaves a former slug to another visitor who has it now', async () => {
      await db.exec(`insert into public.visitors (slug, name) values ('ADA-TWO', 'Ben')`)
      expect(await people.erase({ visitor: 'ada-three' })).toMatchObject({
        requests: 1,
        formerSlugs: ['ada-one'],
      })
      const { rows } = await db.query('select slug from call_desk.call_requests')
      expect(rows).toEqual([{ slug: 'ada-two' }])
    })

    it('has nothing of somebody who had the slug before', async () => {
      await db.exec("delete from public.visitors where slug = 'ada-three'")
      await db.exec(`insert into public.visitors (slug, name) values ('ada-three', 'Ben')`)
      await rename('ada-three', 'ada-four')
      expect(await people.erase({ visitor: 'ada-four' })).toMatchObject({
        requests: 0,
        formerSlugs: ['ada-three'],
      })
    })
  })

  it('is a visitor whom somebody changes while they are erased', async () => {
    await db.exec("insert into public.visitors (slug, name, system) values ('ada', 'Ada', 'A prompt.')")
    const visitors = createVisitors(db)
    const disturbed = createPeople(db, {
      ...visitors,
      async remove(slug) {
        await changed(['ada'], "update public.visitors set name = 'Ada L.' where slug = 'ada'")
        return await visitors.remove(slug)
      },
    })
    await disturbed.erase({ visitor: 'ada' })
    expect(await whereIs('A prompt.')).toEqual([])
  })

  it('loses what the timeline tells: the events of a number, and everything of a visitor, former slugs too', async () => {
    await tellOfCalls()
    await call(ADA, 'ada')
    await call(BEN, 'ada')
    await people.erase({ number: ADA })
    const told = async () =>
      (await db.query('select slug, type, payload from timeline.events order by seq')).rows
    expect(await told()).toEqual([{ slug: 'ada', type: 'call.requested', payload: {} }])
    // How often a visitor talked says nothing of a number.
    expect((await db.query('select slug, calls from timeline.visitors')).rows).toEqual([
      { slug: 'ada', calls: 2 },
    ])
    await db.exec(`insert into public.visitors (slug, name) values ('ada', 'Somebody');
      update public.visitors set slug = 'somebody'; insert into public.visitors (slug, name) values ('ADA', 'Somebody')`)
    expect(await people.erase({ visitor: 'ada' })).toMatchObject({ visitor: true, requests: 1 })
    expect(await told()).toEqual([
      { slug: 'somebody', type: 'visitor.changed', payload: { fields: ['slug'] } },
    ])
    for (const name of ['ada', 'ADA']) expect(await whereIs(name)).toEqual([])
  })

  it('has calls that only a hosted platform has records of: their ids are told', async () => {
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, platform_call_id, recorded_at)
       values ($1, 'ada', 'hash', 'ended', 'hosted-1', now())`,
      [ADA],
    )
    expect(await people.erase({ number: ADA })).toMatchObject({
      requests: 1,
      calls: 0,
      hostedCalls: ['hosted-1'],
    })
  })

  it('of whom nothing is stored is exported as empty tables, and erased without a word', async () => {
    expect(Object.values(counts(await exported({ number: ADA })))).toEqual(Array(13).fill(0))
    expect(await people.erase({ number: ADA })).toMatchObject({ requests: 0, calls: 0 })
    expect((await db.query('select from call_desk.audit')).rows).toEqual([])
  })
})
