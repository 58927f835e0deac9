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
})
