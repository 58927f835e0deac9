import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eraseFromPlatform, hideOnPlatform, platformRowsOf } from './person-calls.js'

const SALES = '+12025550142'
const LONGER = `${SALES}7`

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
  const said = (number: string) => `The call was transferred to ${number}.`

  it('is told which calls those were, and nothing else of them', async () => {
    await add(SALES, SALES)
    await add(LONGER, LONGER)
    const told = []
    for await (const { rows } of platformRowsOf(db, { number: SALES, callIds: [] })) told.push(...rows)
    expect(told).toEqual([{ id: expect.any(String), created_at: expect.any(String), forwarded_to: SALES }])
  })

  it('leaves no number in them when erased, also where nobody answered there', async () => {
    await add(SALES, SALES)
    await add(null, SALES)
    await add(LONGER, LONGER)
    const erased = await db.transaction((tx) => eraseFromPlatform(tx, { number: SALES, callIds: [] }))
    expect(erased).toEqual({ running: false, erased: [] })
    await hideOnPlatform(db, SALES)
    const hidden = { forwarded_to: null, said: said('(removed number)') }
    expect(await stored()).toEqual([hidden, hidden, { forwarded_to: LONGER, said: said(LONGER) }])
  })

  it('is not erased while a call that tells of them runs; calls named by their ids are', async () => {
    await add(null, SALES, 'in-progress')
    const erase = (number?: string) => db.transaction((tx) => eraseFromPlatform(tx, { number, callIds: [] }))
    expect(await erase(SALES)).toEqual({ running: true })
    expect(await erase()).toEqual({ running: false, erased: [] })
    expect(await stored()).toEqual([{ forwarded_to: null, said: said(SALES) }])
  })

  it('is exported with what was said so far, and is not erased while the words of a running call tell of them', async () => {
    const say = (message: string) =>
      db.query(
        `insert into voice_platform.call_lines (call_id, position, speaker, message)
         select id, 0, 'AI', $1 from voice_platform.calls where status = 'in-progress'`,
        [{ role: 'bot', message }],
      )
    await add(null, LONGER, 'in-progress')
    await say(said(SALES))
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
    const erase = (number: string) => db.transaction((tx) => eraseFromPlatform(tx, { number, callIds: [] }))
    expect(await erase(SALES)).toEqual({ running: true })
    expect(await erase('+1202555014')).toEqual({ running: false, erased: [] })
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
