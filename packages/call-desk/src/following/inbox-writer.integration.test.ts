import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOOK_SECRET, hookRequest, openDeskDb } from '../testing/desk.js'
import { createHook } from './hook.js'
import { Inbox } from './inbox-writer.js'

let db: Db
/** How many messages each statement stored. */
let stored: number[]
/** Statements wait for this. */
let gate: Promise<void>

beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.exec('delete from call_desk.inbox')
  stored = []
  gate = Promise.resolve()
})

const watched = (): Db => ({
  ...db,
  async query(sql, parameters, options) {
    const [messages] = parameters ?? []
    stored.push(Array.isArray(messages) ? messages.length : 0)
    await gate
    return db.query(sql, parameters, options)
  },
})
const ids = async () =>
  (await db.query<{ id: string }>('select id from call_desk.inbox')).rows.map(({ id }) => id).sort()
const message = (id: string, body = '{}') => ({ id, body })

describe('the inbox', () => {
  it('stores what arrives while it stores in one more statement', async () => {
    let open = () => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    const inbox = new Inbox(watched())
    const all = Array.from({ length: 300 }, (_, index) => inbox.store(message(`msg_${index}`)))
    let answered = 0
    for (const one of all) void one.then(() => answered++)
    await new Promise(setImmediate)
    expect(stored).toEqual([1])
    expect(answered).toBe(0)
    open()
    await Promise.all(all)
    expect(stored).toEqual([1, 299])
    expect(await ids()).toHaveLength(300)
  })

  it('answers each when it is durable', async () => {
    const inbox = new Inbox(db)
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await inbox.store(message(`msg_${index}`))
        expect((await db.query('select from call_desk.inbox where id = $1', [`msg_${index}`])).rowCount).toBe(
          1,
        )
      }),
    )
  })

  it('stores a message once, however often it comes', async () => {
    const inbox = new Inbox(db)
    const bodies = ['{"first":true}', '{"second":true}']
    await Promise.all(
      ['a', 'b', 'a', 'a', 'b'].map((id, index) => inbox.store(message(id, bodies[index % 2]))),
    )
    await inbox.store(message('a', '{"late":true}'))
    expect(await ids()).toEqual(['a', 'b'])
    const { rows } = await db.query("select body from call_desk.inbox where id = 'a'")
    expect(rows).toEqual([{ body: '{"first":true}' }])
  })

  it('puts no more than 500 messages, or 4 MB, into a statement', async () => {
    const inbox = new Inbox(watched())
    const large = '"'.padEnd(1_500_000, 'a')
    await Promise.all([
      ...Array.from({ length: 1100 }, (_, index) => inbox.store(message(`small_${index}`))),
      ...Array.from({ length: 4 }, (_, index) => inbox.store(message(`large_${index}`, large))),
    ])
    expect(stored).toEqual([1, 500, 500, 101, 2])
    expect(await ids()).toHaveLength(1104)
  })

  it('tells everybody whose message could not be stored, and goes on', async () => {
    gate = Promise.reject(new Error('no connection'))
    const inbox = new Inbox(watched())
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => inbox.store(message(id))))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    gate = Promise.resolve()
    await inbox.store(message('d'))
    expect(await ids()).toEqual(['d'])
  })

  it('knows a message by its body, under whatever id it comes', async () => {
    const hook = createHook({ db, secrets: [HOOK_SECRET], logger: pino({ level: 'silent' }) })
    const hang = (timestamp: number) => hookRequest({ type: 'hang', call: { id: 'call-1' }, timestamp })
    const named = hang(3)
    named.headers.set('webhook-id', 'msg_1')
    const requests = [hang(1), hang(1), hang(2), named, hang(3)]
    for (const request of requests) expect((await hook(request)).status).toBe(200)
    expect(await ids()).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^sha256:[0-9a-f]{64}$/)),
    )
  })
})
