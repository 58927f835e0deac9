import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallDesk } from '../index.js'
import { deskOf, requestCall, rowOf } from '../testing/desk.js'
import { clearDesk } from '../testing/gate-desk.js'
import { type Lost, Outage } from '../testing/outage.js'
import { json, type PlatformStandIn, startPlatformStandIn } from '../testing/platform-stand-in.js'

const CLAIM = /returning r\.id, r\.claim/
const LAST_LOOK = /judged as/
const POSTPONEMENT = /with late as/

describe.each(DATABASES)('a request whose database goes away while it is placed, on $name', ({ open }) => {
  let db: Db
  let platform: PlatformStandIn
  let desk: CallDesk
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db?.close())
  beforeEach(async () => {
    await clearDesk(db)
    platform = await startPlatformStandIn()
  })
  afterEach(async () => {
    await desk.close()
    await platform[Symbol.asyncDispose]()
  })

  /** A request, once a desk has met an outage over it. */
  async function requestedIn(begins: RegExp, lost: Lost): Promise<{ id: string; outage: Outage }> {
    const id = await requestCall(deskOf(db, platform.url))
    const outage = new Outage(db, begins, lost)
    desk = deskOf(outage.db, platform.url)
    await desk.start()
    await expect.poll(() => outage.isDown, { timeout: 10_000 }).toBe(true)
    return { id, outage }
  }
  const becomes = (id: string, fields: object) =>
    expect.poll(() => rowOf(db, id), { timeout: 10_000 }).toMatchObject(fields)

  it.each([
    ['claim', CLAIM],
    ['last look', LAST_LOOK],
  ])('is dialled once after the outage, whatever the %s came to', async (_, begins) => {
    for (const [place, lost] of (['answer', 'statement'] as const).entries()) {
      await clearDesk(db)
      const { id, outage } = await requestedIn(begins, lost)
      outage.isDown = false
      await becomes(id, { state: 'dialling', platform_call_id: expect.any(String), last_error: null })
      expect(platform.dialled, `the ${lost} was lost`).toHaveLength(place + 1)
      await desk.close()
    }
  })

  it('is tried again where the platform had refused for now', async () => {
    const { answer } = platform
    platform.answer = (place, response, count) =>
      count === 1 ? json(response, 429, { message: 'too many calls' }) : answer(place, response, count)
    const { id, outage } = await requestedIn(POSTPONEMENT, 'statement')
    expect(platform.dialled).toHaveLength(1)
    outage.isDown = false
    await becomes(id, { platform_call_id: expect.any(String), attempts: 2 })
    expect(platform.dialled).toHaveLength(2)
  })

  it('is dialled after an outage that outlasts the promise, as after a restart', async () => {
    const { id, outage } = await requestedIn(LAST_LOOK, 'answer')
    await db.exec("update call_desk.call_requests set created_at = created_at - interval '1 minute'")
    outage.isDown = false
    await becomes(id, { state: 'dialling', platform_call_id: 'call-1' })
  })

  it('is given up after one that outlasts every request', async () => {
    const { id, outage } = await requestedIn(LAST_LOOK, 'answer')
    await db.exec("update call_desk.call_requests set created_at = created_at - interval '5 minutes'")
    outage.isDown = false
    await becomes(id, { state: 'failed', sent_at: null, last_error: expect.stringMatching(/^outage/) })
    expect(platform.dialled).toHaveLength(0)
  })

  it('is not dialled where calls are paused meanwhile', async () => {
    const { id, outage } = await requestedIn(LAST_LOOK, 'answer')
    await db.exec('update call_desk.switches set paused_at = now()')
    outage.isDown = false
    await becomes(id, { state: 'failed', refusal: 'paused' })
    expect(platform.dialled).toHaveLength(0)
  })

  it('is not dialled where its number was put on the do-not-call list meanwhile', async () => {
    const { id, outage } = await requestedIn(LAST_LOOK, 'statement')
    await db.exec("insert into call_desk.do_not_call (phone, source) values ('+14155552671', 'command')")
    outage.isDown = false
    await becomes(id, { state: 'refused', refusal: 'dnc' })
    expect(platform.dialled).toHaveLength(0)
  })

  it('is failed where it was taken for lost meanwhile: nothing was sent', async () => {
    const { id, outage } = await requestedIn(LAST_LOOK, 'answer')
    await db.exec("update call_desk.call_requests set state = 'unknown', unknown_at = now()")
    outage.isDown = false
    await becomes(id, { state: 'failed', sent_at: null, last_error: expect.stringMatching(/^outage/) })
    expect(platform.dialled).toHaveLength(0)
  })

  it.each([
    ['claim', CLAIM],
    ['last look', LAST_LOOK],
  ])('is left to the worker that has it meanwhile, where the %s was lost', async (_, begins) => {
    const { id, outage } = await requestedIn(begins, 'answer')
    await db.exec('update call_desk.call_requests set claim = gen_random_uuid(), sent_at = now()')
    const taken = await rowOf(db, id)
    outage.isDown = false
    await expect.poll(() => outage.answered, { timeout: 10_000 }).toBeGreaterThan(20)
    expect(await rowOf(db, id)).toEqual(taken)
    expect(platform.dialled).toHaveLength(0)
  })
})
