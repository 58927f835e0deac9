import { type Db, hideInRows, type Queryable } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { writtenNumber } from '@heyline/kit/written-number'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DESK_TEXTS } from '../people/told-numbers.js'
import type { Said } from '../placing/stop-calling.js'
import { drained, inboxWorkerOf, insertPlaced } from '../testing/followed-calls.js'
import { storeMessages } from './inbox-rows.js'
import type { InboxWorker, InboxWorkerOptions } from './inbox-worker.js'

/** For a machine with much else to do. */
const patient = { timeout: 5000 }

describe.each(DATABASES)('the inbox’s worker on $name', ({ open }) => {
  let db: Db
  const workers: InboxWorker[] = []

  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => db.exec('delete from call_desk.call_requests; delete from call_desk.inbox'))
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.close())))

  const started = async (changes: Partial<InboxWorkerOptions> = {}): Promise<InboxWorker> => {
    const worker = inboxWorkerOf(db, changes)
    workers.push(worker)
    await worker.start()
    return worker
  }
  const ended = (callId: string, fields: object = {}) => ({
    kind: 'status',
    callId,
    status: 'ended',
    ...fields,
  })
  const said = (callId: string, text: string) => ({ kind: 'said', callId, text })
  const store = (messages: Record<string, object | string>) =>
    storeMessages(
      db,
      Object.entries(messages).map(([id, body]) => ({
        id,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })),
    )
  const states = async () => {
    const { rows } = await db.query<{ state: string; count: number }>(
      'select state, count(*) from call_desk.call_requests group by 1 order by 1',
    )
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  }
  const inbox = async (id: string) =>
    (await db.query('select * from call_desk.inbox where id = $1', [id])).rows[0]
  /** What waits for its next try is due. */
  const makeDue = () =>
    db.exec("update call_desk.inbox set run_at = now() where done_at is null and run_at < 'infinity'")

  it('deals with a message out of whose words a number was taken that is spelled like its times and ids', async () => {
    const at = '2026-11-23T18:17:51.483Z'
    const callId = '20261123-0000-4000-8000-000020261123'
    await insertPlaced(db, [callId])
    const message = { kind: 'report', callId, at, endedAt: at, status: 'ended', cost: 20261123 }
    await store({
      msg_told: { ...message, transcript: `AI: On 2026-11-23 call 20 26 11 23.`, summary: '20261123' },
    })
    const danish = writtenNumber({ callingCode: '45', national: '20261123' })
    for (const place of DESK_TEXTS) await hideInRows(db, place, danish, { size: 100 })
    expect(JSON.parse(String((await inbox('msg_told'))?.body))).toEqual({
      ...message,
      transcript: 'AI: On 2026-11-23 call (removed number).',
      summary: '(removed number)',
    })
    await started()
    await drained(db)
    expect(await inbox('msg_told')).toMatchObject({ attempts: 0, last_error: null })
    expect((await db.query('select state, transcript, summary from call_desk.call_requests')).rows).toEqual([
      { state: 'ended', transcript: 'AI: On 2026-11-23 call (removed number).', summary: '(removed number)' },
    ])
  })

  it('deals with all of many, sharing them with another', async () => {
    const callIds = Array.from({ length: 250 }, (_, index) => `call-${index}`)
    await insertPlaced(db, callIds)
    await Promise.all([started(), started()])
    await store(Object.fromEntries(callIds.map((callId) => [`msg_${callId}`, ended(callId)])))
    await drained(db)
    expect(await states()).toEqual({ ended: 250 })
    expect(await inbox('msg_call-7')).toMatchObject({ body: null, attempts: 0, done_at: expect.any(Date) })
  })

  it('loses nothing of a transaction that broke off', async () => {
    const callIds = ['call-1', 'call-2', 'call-3']
    await insertPlaced(db, callIds)
    // As a process that is killed before it commits, after the first, second or third statement of its transactions.
    const deaths = [2, 3, 1, 2, 3, 1, 2, 3, 1]
    const dying: Db = {
      ...db,
      transaction: (run, options) =>
        db.transaction((tx) => {
          const death = deaths.shift()
          let count = 0
          const counted: Queryable = {
            exec: (sql) => tx.exec(sql),
            async query<Row>(sql: string, parameters?: readonly unknown[]) {
              const result = await tx.query<Row>(sql, parameters)
              count += 1
              if (count === death) throw new Error('killed')
              return result
            },
          }
          return run(counted)
        }, options),
    }
    await store(Object.fromEntries(callIds.map((callId) => [`msg_${callId}`, ended(callId)])))
    await started({ db: dying })
    await expect
      .poll(async () => {
        await makeDue()
        return deaths
      }, patient)
      .toEqual([])
    await makeDue()
    await drained(db)
    expect(await states()).toEqual({ ended: 3 })
  })

  it('puts a message that fails off, again and again, and gives it up in the end; no other waits', async () => {
    const lines: { level: number; reason?: string }[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    await insertPlaced(db, ['call-1', 'call-2'])
    await store({ msg_1: ended('call-1'), msg_2: '{"kind":"of another version"}', msg_3: ended('call-2') })
    await started({ logger })
    await expect.poll(states, patient).toEqual({ ended: 2 })
    for (let attempts = 1; attempts < 8; attempts++) {
      await expect
        .poll(() => inbox('msg_2'), patient)
        .toMatchObject({ attempts, last_error: 'ZodError', done_at: null })
      expect(lines).toEqual([])
      await makeDue()
    }
    await expect.poll(() => inbox('msg_2'), patient).toMatchObject({ attempts: 8 })
    await expect.poll(() => lines, patient).toMatchObject([{ level: 50, reason: 'ZodError' }])
    await makeDue()
    await store({ msg_4: ended('call-1') })
    await expect.poll(() => inbox('msg_4'), patient).toMatchObject({ body: null })
    expect(await inbox('msg_2')).toMatchObject({ attempts: 8, body: '{"kind":"of another version"}' })
  })

  it('tells what was said, until it is heard', async () => {
    const heard: Said[] = []
    let isDeaf = true
    await insertPlaced(db, ['call-1'])
    await store({ msg_1: said('call-1', 'Hello'), msg_2: ended('call-1') })
    await started({
      onSaid: async (words) => {
        heard.push(words)
        if (isDeaf) throw new Error('no connection')
      },
    })
    await expect
      .poll(() => inbox('msg_1'), patient)
      .toMatchObject({ attempts: 1, last_error: 'Error', done_at: null })
    expect(await states()).toEqual({ ended: 1 })
    isDeaf = false
    await makeDue()
    await drained(db)
    expect(heard).toEqual(Array.from({ length: 2 }, () => ({ callId: 'call-1', text: 'Hello' })))
  })

  it.each([
    ['turns', { text: 'Hello.\nPlease stop calling me!\nBye.', transcript: 'User: Hello.' }],
    ['a transcript alone', { transcript: 'AI: Say stop.\nUser: Hello.\nUser: Please stop calling me!' }],
  ])('tells that a report has “stop calling me” in %s', async (_, words) => {
    const heard: Said[] = []
    await insertPlaced(db, ['call-1'])
    await store({ msg_1: { kind: 'report', callId: 'call-1', ...words } })
    await started({ onSaid: async (said) => heard.push(said) })
    await drained(db)
    expect(heard).toEqual([{ callId: 'call-1', text: 'Please stop calling me!' }])
    expect(await states()).toEqual({ ended: 1 })
  })

  it.each([
    ['the assistant’s', { transcript: 'AI: Say stop calling me.\nUser: Hello.' }],
    ['others', { text: 'Hello.\nStop calling it a demo.' }],
  ])('tells nothing of a report’s words that are %s', async (_, words) => {
    const heard: Said[] = []
    await insertPlaced(db, ['call-1'])
    await store({ msg_1: { kind: 'report', callId: 'call-1', ...words } })
    await started({ onSaid: async (said) => heard.push(said) })
    await drained(db)
    expect(heard).toEqual([])
  })

  it('tells again what was said when a process that was told is gone', async () => {
    await store({ msg_1: said('call-1', 'Hello') })
    let forget = () => {}
    let isTold = false
    const gone = await started({
      onSaid: () =>
        new Promise<void>((_, reject) => {
          forget = () => reject(new Error('gone'))
          isTold = true
        }),
    })
    await expect.poll(() => isTold, patient).toBe(true)
    // Nobody else takes it meanwhile.
    const heard: Said[] = []
    await started({ onSaid: async (words) => heard.push(words) })
    await store({ msg_2: said('call-1', 'Bye') })
    await expect.poll(() => heard, patient).toMatchObject([{ text: 'Bye' }])
    await makeDue()
    await expect.poll(() => heard, patient).toMatchObject([{ text: 'Bye' }, { text: 'Hello' }])
    forget()
    await gone.close()
    await drained(db)
  })

  it('warns that the assistant is late', async () => {
    const lines: { callId?: string }[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    await started({ logger })
    await store({ msg_1: { kind: 'hang', callId: 'call-1' } })
    await expect.poll(() => lines, patient).toMatchObject([{ callId: 'call-1' }])
  })
})
