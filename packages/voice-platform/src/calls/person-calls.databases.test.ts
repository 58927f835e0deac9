import { type Db, hideInRows } from '@heyline/database'
import { DATABASES, lockWaits } from '@heyline/database/testing'
import { writtenNumber } from '@heyline/kit/written-number'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ChatSessions } from '../chats/chat-sessions.js'
import { ChatStore, type NewChat } from '../chats/chat-store.js'
import { CallStore } from './call-store.js'
import {
  CALL_TEXTS,
  CHAT_TEXTS,
  eraseFromPlatform,
  oldestOpenCall,
  platformRowsOf,
  RESOURCE_TEXTS,
} from './person-calls.js'

const SALES = '+12025550142'
const LONGER = `${SALES}7`
const WRITTEN = writtenNumber({ callingCode: '1', national: '2025550142' })

const chat = (goesOnFrom: Partial<NewChat>): NewChat => ({
  ...{ id: crypto.randomUUID(), name: null, assistant_id: null, assistant_given: null, overrides: null },
  ...{ session_id: null, previous_chat_id: null, is_streamed: false, input: 'It is Ada.' },
  ...{ messages: [], output: [], costs: null, ...goesOnFrom },
})

describe.each(DATABASES)('somebody to whom calls went, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => db.exec('delete from voice_platform.calls'))

  const add = (forwardedTo: string | null, told: string, status = 'ended') =>
    db.query(
      `insert into voice_platform.calls (type, status, ended_reason, assistant, customer, messages, transcript, forwarded_to, owner)
       values ('outboundPhoneCall', $1, case when $1 = 'ended' then 'assistant-ended-call' end, '{}', '{"number": "+12025550123"}', $2,
         'AI: Hello.', $3, gen_random_uuid())`,
      [status, [{ role: 'system', message: `The call was transferred to ${told}.` }], forwardedTo],
    )
  const stored = async () =>
    (
      await db.query(
        `select forwarded_to, messages -> 0 ->> 'message' as said from voice_platform.calls order by said`,
      )
    ).rows
  const hide = () => hideInRows(db, CALL_TEXTS, WRITTEN, { size: 100 })
  const said = (number: string) => `The call was transferred to ${number}.`

  it('is told which calls those were, and nothing else of them', async () => {
    await add(SALES, SALES)
    await add(LONGER, LONGER)
    const told = []
    for await (const { rows } of platformRowsOf(db, { number: SALES, callIds: [] })) told.push(...rows)
    expect(told).toEqual([{ id: expect.any(String), created_at: expect.any(String), forwarded_to: SALES }])
  })

  it('is told nothing of the secrets of whoever answered', async () => {
    const server = { url: 'https://a.example/', secret: 'hush', headers: { 'x-key': 'hush' } }
    const tools = [{ type: 'function', sealedSecrets: 'v1.hush' }]
    const assistant = { name: 'Sam', server, model: { tools } }
    await db.query(
      `insert into voice_platform.calls (type, status, ended_reason, assistant, assistant_given, overrides, script, customer, messages, owner)
       values ('inboundPhoneCall', 'ended', 'assistant-ended-call', $1, $1, $2, $3, $4, $5, gen_random_uuid())`,
      [
        assistant,
        { server },
        { squad: { members: [{ assistant }] } },
        { number: SALES, assistantOverrides: { server, model: { tools } } },
        [{ role: 'user', message: 'My token is 5.' }],
      ],
    )
    await db.query(`insert into voice_platform.resources (family, settings) values ('session', $1)`, [
      { customer: { number: SALES, assistantOverrides: { server } }, messages: [] },
    ])
    const told = []
    for await (const { rows } of platformRowsOf(db, { number: SALES, callIds: [] })) told.push(...rows)
    const shownServer = { url: server.url }
    const shown = { name: 'Sam', server: shownServer, model: { tools: [{ type: 'function' }] } }
    expect(told).toMatchObject([
      {
        assistant: shown,
        assistant_given: shown,
        overrides: { server: shownServer },
        script: { squad: { members: [{ assistant: shown }] } },
        customer: { number: SALES, assistantOverrides: { server: shownServer } },
        messages: [{ message: 'My token is 5.' }],
      },
      { settings: { customer: { number: SALES, assistantOverrides: { server: shownServer } } } },
    ])
    expect(JSON.stringify(told)).not.toContain('hush')
    await db.exec('delete from voice_platform.resources')
  })

  it('leaves no number in them when erased, also where nobody answered there', async () => {
    await add(SALES, SALES)
    await add(null, SALES)
    await add(LONGER, LONGER)
    const erased = await db.transaction((tx) => eraseFromPlatform(tx, { number: SALES, callIds: [] }))
    expect(erased).toEqual({ running: false, erased: [], sessions: 0, chats: 0 })
    await hide()
    const hidden = { forwarded_to: null, said: said('(removed number)') }
    expect(await stored()).toEqual([hidden, hidden, { forwarded_to: LONGER, said: said(LONGER) }])
  })

  it('has sessions told and erased, and is hidden in those of others', async () => {
    const session = (number: string, content: string) =>
      db.query(
        "insert into voice_platform.resources (family, settings) values ('session', jsonb_build_object('customer', jsonb_build_object('number', $1::text), 'messages', $2::jsonb))",
        [number, [{ role: 'user', content }]],
      )
    await session(SALES, 'I am theirs.')
    await session(LONGER, `Call ${SALES}.`)
    const told = []
    for await (const part of platformRowsOf(db, { number: SALES, callIds: [] }))
      if (part.table === 'voice_platform.resources') told.push(...part.rows)
    expect(told).toEqual([expect.objectContaining({ family: 'session' })])
    expect(await db.transaction((tx) => eraseFromPlatform(tx, { number: SALES, callIds: [] }))).toMatchObject(
      { sessions: 1, chats: 0 },
    )
    await hideInRows(db, RESOURCE_TEXTS, WRITTEN, { size: 100 })
    const { rows } = await db.query('select settings from voice_platform.resources')
    expect(rows).toEqual([
      {
        settings: {
          customer: { number: LONGER },
          messages: [{ role: 'user', content: 'Call (removed number).' }],
        },
      },
    ])
  })

  it('has sessions told and erased with their chats, however the number is written there', async () => {
    await db.exec('delete from voice_platform.resources; delete from voice_platform.chats')
    const theirs = ['(202) 555-0142', '202.555.0142', '1 202 555 0142', SALES]
    await db.query(
      `with session as (
         insert into voice_platform.resources (family, settings)
         select 'session', jsonb_build_object('customer', jsonb_build_object('number', number))
         from jsonb_array_elements_text($1::jsonb) number returning id)
       insert into voice_platform.chats (id, session_id, input, messages, output)
       select gen_random_uuid(), id, '"Hi."', '[]', '[]' from session`,
      [[...theirs, LONGER, '+44 202 555 0142']],
    )
    const person = { number: SALES, written: WRITTEN, callIds: [] }
    const told = new Map<string, unknown[]>()
    for await (const { table, rows } of platformRowsOf(db, person)) told.set(table, rows)
    expect(told.get('voice_platform.resources')).toMatchObject(
      theirs.map(() => ({ settings: { customer: { number: expect.any(String) } } })),
    )
    expect(told.get('voice_platform.chats')).toHaveLength(theirs.length)
    expect(await db.transaction((tx) => eraseFromPlatform(tx, person))).toMatchObject({
      sessions: theirs.length,
      chats: theirs.length,
    })
    const left = await db.query(
      "select settings #>> '{customer,number}' as number from voice_platform.resources order by 1",
    )
    expect(left.rows.map(({ number }) => number).sort()).toEqual([LONGER, '+44 202 555 0142'].sort())
    expect((await db.query('select from voice_platform.chats')).rowCount).toBe(2)
    await db.exec('delete from voice_platform.resources; delete from voice_platform.chats')
  })

  it('has chats of sessions and of a page told and erased, and is hidden in those of others', async () => {
    const { rows: sessions } = await db.query<{ id: string }>(
      "insert into voice_platform.resources (family, settings) values ('session', jsonb_build_object('customer', jsonb_build_object('number', $1::text))) returning id",
      [SALES],
    )
    const page = crypto.randomUUID()
    const chat = async (sessionId: string | undefined, before?: string) => {
      const id = crypto.randomUUID()
      await db.query(
        `insert into voice_platform.chats (id, session_id, previous_chat_id, input, messages, output) values ($1, $2, $3, $4::jsonb, '[]', '[]')`,
        [id, sessionId, before, JSON.stringify(`Call ${SALES}.`)],
      )
      return id
    }
    // Those that go on from it hold its words.
    const first = await chat(sessions[0]?.id)
    await chat(undefined, await chat(undefined, first))
    await chat(page)
    await chat(undefined)
    const person = { number: SALES, callIds: [page] }
    const told = []
    for await (const part of platformRowsOf(db, person))
      if (part.table === 'voice_platform.chats') told.push(...part.rows)
    expect(told).toHaveLength(4)
    expect(await db.transaction((tx) => eraseFromPlatform(tx, person))).toMatchObject({
      sessions: 1,
      chats: 4,
    })
    await hideInRows(db, CHAT_TEXTS, WRITTEN, { size: 100 })
    expect((await db.query('select input from voice_platform.chats')).rows).toEqual([
      { input: 'Call (removed number).' },
    ])
  })

  it('has chats told and erased whose session was removed, with what goes on from them', async () => {
    await db.exec('delete from voice_platform.resources; delete from voice_platform.chats')
    const { rows } = await db.query<{ id: string }>(
      `insert into voice_platform.resources (family, settings)
       select 'session', jsonb_build_object('customer', jsonb_build_object('number', number))
       from jsonb_array_elements_text($1::jsonb) number returning id`,
      [['(202) 555-0142', LONGER]],
    )
    const first = rows.map(({ id }) => chat({ session_id: id }))
    const next = first.map(({ id }) => chat({ previous_chat_id: id }))
    for (const each of [...first, ...next]) expect(await new ChatStore(db).add(each)).toBeDefined()
    await db.exec('delete from voice_platform.resources')
    const person = { number: SALES, written: WRITTEN, callIds: [] }
    const told = new Map<string, unknown[]>()
    for await (const part of platformRowsOf(db, person)) told.set(part.table, part.rows)
    const ids = (of: unknown[] | undefined) =>
      of?.map((row) => z.object({ id: z.string() }).parse(row).id).sort()
    expect(ids(told.get('voice_platform.chats'))).toEqual([first[0]?.id, next[0]?.id].sort())
    expect(await db.transaction((tx) => eraseFromPlatform(tx, person))).toMatchObject({
      sessions: 0,
      chats: 2,
    })
    const left = await db.query('select id from voice_platform.chats')
    expect(ids(left.rows)).toEqual([first[1]?.id, next[1]?.id].sort())
    await db.exec('delete from voice_platform.chats')
  })

  it('has a chat erased that is stored at that moment, with what it goes on from', async () => {
    await db.exec('delete from voice_platform.chats')
    const page = crypto.randomUUID()
    await db.query(
      'insert into voice_platform.web_chats (session_id, assistant_id, turns_left) values ($1, $1, 9)',
      [page],
    )
    const first = chat({ session_id: page })
    const late = chat({ previous_chat_id: first.id })
    await new ChatStore(db).add(first)
    let erasing: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      expect(await new ChatStore(tx).add(late)).toMatchObject({ id: late.id })
      erasing = db.transaction((other) => eraseFromPlatform(other, { callIds: [page] }))
      // PGlite has one transaction at a time.
      if (db.kind === 'postgres') await expect.poll(() => lockWaits(db)).toBe(1)
    })
    expect(await erasing).toMatchObject({ chats: 2 })
    expect(await new ChatStore(db).add(chat({ previous_chat_id: late.id }))).toBeUndefined()
    expect(await new ChatStore(db).add(chat({ session_id: page }))).toBeUndefined()
    expect((await db.query('select from voice_platform.chats')).rowCount).toBe(0)
  })

  it('is hidden in whatever the call was told and said, in any spelling, and in nothing that is no number', async () => {
    const told = (number: string) => ({
      model: { messages: [{ role: 'system', content: `Transfer to ${number}.` }] },
      variableValues: { sales: 2025550142, [number]: true },
      maxDurationSeconds: 600,
    })
    await db.query(
      `insert into voice_platform.calls (type, status, ended_reason, name, assistant, assistant_given, overrides, customer, messages, transcript, owner)
       values ('webCall', 'ended', 'call.error-transfer-202.555.0142', 'For 202 555 0142', $1, $1, $1, $2, $3, 'AI: It is 202-555-0142.', gen_random_uuid())`,
      [
        told('(202) 555-0142'),
        { number: SALES, name: '001 202 555 0142' },
        [{ role: 'bot', message: 'It is 1 202 555 0142.', time: 1.2025550142 }],
      ],
    )
    await hide()
    const { rows } = await db.query(
      'select name, ended_reason, assistant, assistant_given, overrides, customer, messages, transcript from voice_platform.calls',
    )
    const hidden = {
      model: { messages: [{ role: 'system', content: 'Transfer to (removed number).' }] },
      variableValues: { sales: '(removed number)', '(removed number)': true },
      maxDurationSeconds: 600,
    }
    expect(rows).toEqual([
      {
        name: 'For (removed number)',
        ended_reason: 'call.error-transfer-(removed number)',
        ...{ assistant: hidden, assistant_given: hidden, overrides: hidden },
        customer: { number: '(removed number)', name: '(removed number)' },
        messages: [{ role: 'bot', message: 'It is (removed number).', time: 1.2025550142 }],
        transcript: 'AI: It is (removed number).',
      },
    ])
  })

  it('is hidden in what was added to old calls and sessions, by a look at what has changed since', async () => {
    await db.exec('delete from voice_platform.resources')
    const from = new Date(Date.now() - 3_600_000)
    const before = new Date(from.getTime() - 3_600_000)
    await db.query(
      `insert into voice_platform.calls (type, status, ended_reason, assistant, owner, created_at, updated_at)
       values ('webCall', 'ended', 'x', '{}', gen_random_uuid(), $1, $1)`,
      [before],
    )
    await db.query(
      `insert into voice_platform.resources (family, settings, created_at, updated_at) values ('session', '{}', $1, $1)`,
      [before],
    )
    const calls = new CallStore(db, crypto.randomUUID())
    const { rows } = await db.query<{ id: string }>(
      'select id from voice_platform.calls union all select id from voice_platform.resources',
    )
    await calls.analysed(rows[0]?.id ?? '', { summary: `Call ${SALES}.` })
    await new ChatSessions(db).add(db, rows[1]?.id ?? '', [{ role: 'user', content: `Call ${SALES}.` }])
    for (const place of [CALL_TEXTS, RESOURCE_TEXTS])
      expect(await hideInRows(db, place, WRITTEN, { size: 100, from })).toMatchObject({ hidden: 1 })
  })

  it('is erased while calls run that tell of them: these stay as they are until they have ended', async () => {
    await add(null, SALES, 'in-progress')
    await db.query(
      `insert into voice_platform.calls (type, status, assistant, customer, owner)
       values ('webCall', 'in-progress', '{}', $1, gen_random_uuid())`,
      [{ number: SALES }],
    )
    const before = await stored()
    const erased = await db.transaction((tx) => eraseFromPlatform(tx, { number: SALES, callIds: [] }))
    expect(erased).toEqual({ running: false, erased: [], sessions: 0, chats: 0 })
    expect(await hide()).toMatchObject({ hidden: 0 })
    expect(await stored()).toEqual(before)
    expect(await oldestOpenCall(db, new Date(Date.now() + 60_000))).toBeInstanceOf(Date)
    expect(await oldestOpenCall(db, new Date(0))).toBeUndefined()
    await db.exec("update voice_platform.calls set status = 'ended', ended_reason = 'x'")
    expect(await hide()).toMatchObject({ hidden: 2 })
    expect(JSON.stringify(await stored())).not.toContain(SALES)
  })

  it('is not erased while a phone of theirs is in a call, or one of their own runs', async () => {
    await add(null, LONGER, 'in-progress')
    const erase = (number: string) => db.transaction((tx) => eraseFromPlatform(tx, { number, callIds: [] }))
    expect(await erase('+12025550123')).toEqual({ running: true })
    expect(await erase(SALES)).toEqual({ running: false, erased: [], sessions: 0, chats: 0 })
    await db.query(
      `insert into voice_platform.simulated_legs (call_id, caller, callee, transfer_of)
       select gen_random_uuid(), '+12025550100', $1, id from voice_platform.calls`,
      [SALES],
    )
    expect(await erase(SALES)).toEqual({ running: true })
    await db.exec('delete from voice_platform.simulated_legs')
  })

  it('is exported with what was said so far', async () => {
    await add(null, LONGER, 'in-progress')
    await db.query(
      `insert into voice_platform.call_lines (call_id, position, speaker, message)
       select id, 0, 'AI', $1 from voice_platform.calls where status = 'in-progress'`,
      [{ role: 'bot', message: said(SALES) }],
    )
    const found = new Map<string, unknown[]>()
    for await (const { table, rows } of platformRowsOf(db, { number: '+12025550123', callIds: [] }))
      found.set(table, rows)
    expect(found.get('voice_platform.call_lines')).toEqual([
      {
        call_id: expect.any(String),
        position: 0,
        speaker: 'AI',
        message: { role: 'bot', message: said(SALES) },
      },
    ])
  })

  it('leaves no line of a call that is erased', async () => {
    await add(null, SALES, 'in-progress')
    await db.exec(`insert into voice_platform.call_lines (call_id, position, message)
      select id, 0, '{"role": "user", "message": "Hello."}' from voice_platform.calls`)
    await db.exec("update voice_platform.calls set status = 'ended', ended_reason = 'x'")
    const erased = await db.transaction((tx) =>
      eraseFromPlatform(tx, { number: '+12025550123', callIds: [] }),
    )
    expect(erased).toMatchObject({ running: false, erased: [expect.any(String)] })
    for (const table of ['calls', 'call_lines'])
      expect((await db.query(`select from voice_platform.${table}`)).rowCount).toBe(0)
  })
})
