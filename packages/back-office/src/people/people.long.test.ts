import { createVisitors, VisitorError } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADA, BEN, LONGER, StoredPeople } from '../testing/stored-people.js'
import { undoable } from '../undo/visitor-undo.js'
import { createPeople } from './people.js'

describe.each(DATABASES)('a person in the tables, on $name', ({ open }) => {
  let db: Db
  let stored: StoredPeople

  beforeAll(async () => {
    db = await open()
    stored = new StoredPeople(db)
  })
  afterAll(() => db.close())
  beforeEach(() => stored.clear())

  /** An account has its number without the plus. */
  const digits = (number: string) => number.replace('+', '')
  const account = (phone: string) =>
    db.query("insert into auth.users (email, phone) values ('op@example.com', $1)", [digits(phone)])

  const campaign = (phones: string[]) =>
    db.query(
      `with made as (insert into call_desk.campaigns (name, assistant_id, phone_number_id) values ('Reminders', 'a', 'n') returning id)
       insert into call_desk.campaign_customers (campaign_id, position, phone, customer, run_at)
       select made.id, given.position, given.phone, '{"name": "My name"}', now()
       from made, jsonb_array_elements_text($1::jsonb) with ordinality given (phone, position)`,
      [phones],
    )

  const counts = (found: Map<string, unknown[]>) =>
    Object.fromEntries([...found].map(([table, rows]) => [table, rows.length]))

  /** Somebody is told of calls. */
  const tellOfCalls = () =>
    db.query(
      `insert into timeline.endpoints (name, kind, target, events) values ('a tool', 'webhook', 'http://127.0.0.1:1', '{call.requested}')`,
    )

  it('is exported by number from every table, with nobody else', async () => {
    await tellOfCalls()
    await stored.call(ADA, 'ada')
    await stored.call(BEN, 'ben')
    await stored.call(LONGER, 'longer')
    await account(ADA)
    await campaign([ADA, BEN])
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal) values ($1, 'ben', 'hash', 'refused', 'dnc')`,
      [ADA],
    )
    const found = await stored.exported({ number: ADA })
    expect(counts(found)).toEqual({
      'call_desk.call_requests': 2,
      'call_desk.ledger': 1,
      'call_desk.do_not_call': 1,
      'call_desk.inbox': 2,
      'call_desk.campaign_customers': 1,
      'voice_platform.calls': 1,
      'voice_platform.call_lines': 0,
      'voice_platform.recordings': 0,
      'voice_platform.resources': 0,
      'voice_platform.chats': 0,
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
    expect([...found.keys()]).toEqual(expect.arrayContaining(await stored.whereIs(digits(ADA))))
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
    expect((await stored.exported({ number: ADA })).get('auth.mfa_factors')).toMatchObject([
      { phone: ADA, status: 'verified' },
    ])
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ factors: 1, requests: 0 })
    expect(await stored.whereIs(ADA)).toEqual(['back_office.hidings'])
    expect(await stored.whereIs(BEN)).toEqual(['auth.mfa_factors'])
    const { rows } = await db.query('select aal, factor_id from auth.sessions')
    expect(rows).toEqual([{ aal: 'aal1', factor_id: null }])
    expect(await stored.people.erase({ visitor: 'ada' })).toMatchObject({ factors: 0 })
  })

  it('is exported and erased with the number of an account, which keeps everything else', async () => {
    await db.query(
      `insert into auth.users (id, email, email_confirmed_at, encrypted_password, phone, phone_confirmed_at) values
         ('00000000-0000-4000-8000-000000000001', 'op@example.com', now(), 'a hash', $1, now()),
         ('00000000-0000-4000-8000-000000000002', 'other@example.com', now(), 'a hash', $2, now())`,
      [digits(ADA), digits(BEN)],
    )
    const exports = (await stored.exported({ number: ADA })).get('auth.users')
    expect(exports).toMatchObject([{ email: 'op@example.com', phone: digits(ADA) }])
    expect(JSON.stringify(exports)).not.toContain('a hash')
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ accounts: 1, factors: 0 })
    expect(await stored.whereIs(digits(ADA))).toEqual(['back_office.hidings'])
    expect(await stored.whereIs(digits(BEN))).toEqual(['auth.users'])
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
    await stored.call(ADA, 'ada')
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
    const found = await stored.exported({ number: ADA })
    expect(counts(found)).toMatchObject({ 'call_desk.call_requests': 451, 'voice_platform.calls': 121 })
    const ids = found.get('call_desk.call_requests')?.map((row) => Object(row).id)
    expect(new Set(ids).size).toBe(451)
  })

  it('is exported to the end, also where retention removes rows meanwhile', async () => {
    await manyCalls()
    const found: unknown[] = []
    for await (const parts of stored.people.export({ number: ADA }))
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

  it('is exported and erased with sessions that have the number in another spelling', async () => {
    await db.query("insert into voice_platform.resources (family, settings) values ('session', $1)", [
      { customer: { number: '(202) 555-0123' }, messages: [{ role: 'user', content: 'My name is ada.' }] },
    ])
    expect(counts(await stored.exported({ number: ADA }))).toMatchObject({ 'voice_platform.resources': 1 })
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ sessions: 1 })
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ sessions: 0 })
  })

  it('is gone from every table but the do-not-call list, and others stay as they were', async () => {
    const platformId = await stored.call(ADA, 'ada')
    await stored.call(BEN, 'ben')
    await stored.call(LONGER, 'longer')
    await account(ADA)
    await campaign([ADA, BEN])
    const erased = await stored.people.erase({ number: ADA })
    expect(erased).toEqual({
      ...{ requests: 1, calls: 1, messages: 2, doNotCall: true, visitor: false, formerSlugs: [] },
      ...{ customers: 1, sessions: 0, chats: 0, factors: 0, accounts: 1 },
      hostedCalls: [],
      hidesLater: true,
    })
    const left = await stored.everything()
    for (const [table, rows] of left) {
      const stays = ['call_desk.do_not_call', 'back_office.hidings'].includes(table)
      expect(rows.replaceAll(digits(LONGER), '').includes(digits(ADA)), table).toBe(stays)
      if (table !== 'call_desk.inbox') expect(rows.includes(platformId), table).toBe(false)
      expect(rows.includes('My name is ada'), table).toBe(false)
    }
    expect(counts(await stored.exported({ number: BEN }))).toMatchObject({
      'call_desk.call_requests': 1,
      'call_desk.inbox': 2,
      'call_desk.campaign_customers': 1,
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

  it('keeps nobody else waiting: what everybody’s calls tell is read outside of the gate’s lock', async () => {
    await stored.call(ADA, 'ada')
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
    await stored.call(ADA, 'ada')
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
    expect(await stored.whereIs(digits(ADA))).toEqual(['back_office.hidings', 'call_desk.do_not_call'])
  })

  it('is not erased while a carrier may still have a call in hand', async () => {
    await stored.call(ADA, 'ada')
    await db.exec("update voice_platform.carrier_legs set created_at = now() - interval '1 minute'")
    await expect(stored.people.erase({ number: ADA })).rejects.toMatchObject({ code: 'call_running' })
    await db.exec('delete from voice_platform.carrier_legs')
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ calls: 1 })
  })

  it('is not erased while a call runs, by the desk or by the platform alone, and then nothing is', async () => {
    await stored.call(ADA, 'ada', 'in-progress')
    const before = await stored.everything()
    await expect(stored.people.erase({ number: ADA })).rejects.toMatchObject({
      code: 'call_running',
      message: expect.stringContaining('heyline calls pause'),
    })
    expect(await stored.everything()).toEqual(before)
    await db.exec("update call_desk.call_requests set state = 'ended'")
    await expect(stored.people.erase({ number: ADA })).rejects.toMatchObject({ code: 'call_running' })
    await db.exec("update voice_platform.calls set status = 'ended', ended_reason = 'x'")
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ requests: 1, calls: 1 })
  })

  it('keeps the row of a visitor, too, while the platform has a call that runs', async () => {
    await db.exec(`insert into public.visitors (slug, name) values ('ada', 'Ada')`)
    await stored.call(ADA, 'ada', 'in-progress')
    await db.exec("update call_desk.call_requests set state = 'ended'")
    const before = await stored.everything()
    await expect(stored.people.erase({ visitor: 'ada' })).rejects.toMatchObject({ code: 'call_running' })
    expect(await stored.everything()).toEqual(before)
  })

  it('is kept whole where the visitors could not be reached', async () => {
    await stored.call(ADA, 'ada')
    const before = await stored.everything()
    const unreachable = createPeople(db, {
      ...createVisitors(db),
      remove: () => Promise.reject(new VisitorError('visitors_unreachable', 'no answer')),
    })
    await expect(unreachable.erase({ visitor: 'ada' })).rejects.toMatchObject({
      code: 'visitors_unreachable',
    })
    const after = await stored.everything()
    // It was begun: nobody knows whether a table that does not answer still has the row.
    expect(after.get('back_office.audit')).toContain('person_erasing')
    const audit = before.get('back_office.audit') ?? ''
    expect(after.set('back_office.audit', audit)).toEqual(before)
  })

  it('is a visitor, too: the row, the calls from the page, and what is counted under the slug', async () => {
    await db.exec(
      `insert into public.visitors (slug, name, system) values ('Ada', 'Ada', 'A prompt.'), ('ben', 'Ben', null)`,
    )
    await tellOfCalls()
    await stored.call(ADA, 'Ada')
    await stored.call(BEN, 'ben')
    await db.exec(`insert into call_desk.slug_resets values ('Ada');
      insert into call_desk.caller_ids (slug, phone_number_id) values ('Ada', 'number-2'), ('ben', 'number-2');
      insert into call_desk.slug_totals values ('Ada', 'phone', 3);
      insert into call_desk.audit (action, detail) values ('slug_reset', '{"slug": "Ada"}'), ('slug_reset', '{"slug": "ben"}');
      insert into back_office.audit (actor, action, detail) values ('op@example.com', 'visitor_added', '{"slug": "Ada"}'),
        ('op@example.com', 'visitor_changed', '{"slug": "ADA", "more": 1}'), ('op@example.com', 'visitor_added', '{"slug": "ben"}')`)
    const found = await stored.exported({ visitor: 'ada' })
    expect(counts(found)).toEqual({
      'public.visitors': 1,
      'back_office.undo_visitors': 0,
      'voice_platform.files': 0,
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
      'voice_platform.recordings': 0,
      'voice_platform.resources': 0,
      'voice_platform.chats': 0,
      'voice_platform.simulated_legs': 1,
      'voice_platform.carrier_legs': 1,
      'timeline.events': 2,
      'timeline.deliveries': 1,
      'timeline.visitors': 1,
    })
    expect(await stored.people.erase({ visitor: 'ADA' })).toMatchObject({
      visitor: true,
      requests: 1,
      calls: 1,
    })
    for (const name of ['Ada', 'ADA']) expect(await stored.whereIs(name)).toEqual([])
    const { rows: audit } = await db.query('select action, detail from back_office.audit order by id')
    expect(audit).toEqual([
      { action: 'visitor_added', detail: {} },
      { action: 'visitor_changed', detail: { more: 1 } },
      { action: 'visitor_added', detail: { slug: 'ben' } },
      { action: 'person_erasing', detail: {} },
    ])
    expect(await stored.whereIs('ben')).toEqual(
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
      const found = await stored.exported({ visitor: slug })
      expect(found.get('back_office.undo_visitors')).toHaveLength(3)
      await stored.people.erase({ visitor: slug })
      expect(await stored.whereIs('A prompt.')).toEqual([])
      expect(await stored.whereIs('ben')).toEqual([
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
      await stored.call(ADA, 'ada-one')
      await db.exec(`insert into call_desk.slug_resets values ('ada-one');
        insert into back_office.audit (actor, action, detail) values ('op@example.com', 'visitor_changed', '{"slug": "Ada-One"}')`)
      await rename('ada-one', 'ada-two')
      await stored.call(ADA, 'ada-two')
      await rename('ada-two', 'ada-three')
    })

    it('is exported with what is under the former slugs, which the file names', async () => {
      const found = await stored.exported({ visitor: 'ADA-THREE' })
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
      expect(await stored.people.erase({ visitor: 'ada-three' })).toMatchObject({
        visitor: true,
        requests: 2,
        calls: 2,
        formerSlugs: ['ada-two', 'ada-one'],
      })
      for (const text of ['ada-one', 'Ada-One', 'ada-two', 'ada-three'])
        expect(await stored.whereIs(text)).toEqual([])
    })

    it('is not erased while a call from the page at a former slug runs', async () => {
      await stored.call(BEN, 'ada-one', 'in-progress')
      await expect(stored.people.erase({ visitor: 'ada-three' })).rejects.toMatchObject({
        code: 'call_running',
      })
    })

    it('leaves a former slug to another visitor who has it now', async () => {
      await db.exec(`insert into public.visitors (slug, name) values ('ADA-TWO', 'Ben')`)
      expect(await stored.people.erase({ visitor: 'ada-three' })).toMatchObject({
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
      expect(await stored.people.erase({ visitor: 'ada-four' })).toMatchObject({
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
    expect(await stored.whereIs('A prompt.')).toEqual([])
  })

  it('loses what the timeline tells: the events of a number, and everything of a visitor, former slugs too', async () => {
    await tellOfCalls()
    await stored.call(ADA, 'ada')
    await stored.call(BEN, 'ada')
    await stored.people.erase({ number: ADA })
    const told = async () =>
      (await db.query('select slug, type, payload from timeline.events order by seq')).rows
    expect(await told()).toEqual([{ slug: 'ada', type: 'call.requested', payload: {} }])
    // How often a visitor talked says nothing of a number.
    expect((await db.query('select slug, calls from timeline.visitors')).rows).toEqual([
      { slug: 'ada', calls: 2 },
    ])
    await db.exec(`insert into public.visitors (slug, name) values ('ada', 'Somebody');
      update public.visitors set slug = 'somebody'; insert into public.visitors (slug, name) values ('ADA', 'Somebody')`)
    expect(await stored.people.erase({ visitor: 'ada' })).toMatchObject({ visitor: true, requests: 1 })
    expect(await told()).toEqual([
      { slug: 'somebody', type: 'visitor.changed', payload: { fields: ['slug'] } },
    ])
    for (const name of ['ada', 'ADA']) expect(await stored.whereIs(name)).toEqual([])
  })

  it('has calls that only a hosted platform has records of: their ids are told', async () => {
    await db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, platform_call_id, recorded_at)
       values ($1, 'ada', 'hash', 'ended', 'hosted-1', now())`,
      [ADA],
    )
    expect(await stored.people.erase({ number: ADA })).toMatchObject({
      requests: 1,
      calls: 0,
      hostedCalls: ['hosted-1'],
    })
  })

  it('is not erased by a process that stands still, which lets the gate go', async () => {
    await stored.call(ADA, 'ada')
    let stands = false
    const standing: Db = {
      ...db,
      query: (...asked) => db.query(...asked),
      transaction: (run, options) =>
        db.transaction(
          (tx) =>
            run({
              exec: (script) => tx.exec(script),
              query: (sql, ...asked) => {
                if (stands) return new Promise(() => {})
                stands = sql.includes('pg_advisory_xact_lock')
                return tx.query(sql, ...asked)
              },
            }),
          options,
        ),
    }
    const erasing = createPeople(standing, createVisitors(db)).erase({ number: ADA })
    await expect(erasing).rejects.toMatchObject({ code: '25P03' })
    expect(stands).toBe(true)
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ requests: 1 })
  })

  it('of whom nothing is stored is exported as empty tables, and erased without a word', async () => {
    expect(Object.values(counts(await stored.exported({ number: ADA })))).toEqual(Array(17).fill(0))
    expect(await stored.people.erase({ number: ADA })).toMatchObject({ requests: 0, calls: 0 })
    expect((await db.query('select from call_desk.audit')).rows).toEqual([])
  })
})
