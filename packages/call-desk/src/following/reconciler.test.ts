import type { Db } from '@heyline/database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallDesk } from '../index.js'
import { deskOf, openDeskDb, requestCall, rowOf } from '../testing/desk.js'
import { type PlatformStandIn, startPlatformStandIn } from '../testing/platform-stand-in.js'

let db: Db
let platform: PlatformStandIn
let desk: CallDesk

beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.exec('delete from call_desk.call_requests')
  platform = await startPlatformStandIn()
  await restart()
})
afterEach(async () => {
  await desk.close()
  await platform[Symbol.asyncDispose]()
})

async function restart(): Promise<void> {
  desk = deskOf(db, platform.url, { timings: { newsMs: 1 } })
  await desk.start()
}
const becomes = (id: string, row: object) =>
  expect.poll(() => rowOf(db, id), { timeout: 5000 }).toMatchObject(row)
const change = (fields: object) => Object.assign(platform.calls.get('call-1') ?? {}, fields)

async function placedCall(): Promise<string> {
  const id = await requestCall(desk)
  await becomes(id, { platform_call_id: 'call-1' })
  return id
}

describe('a call that no message comes for', () => {
  it('is followed by asking the platform, to its end', async () => {
    const id = await placedCall()
    change({ status: 'ringing' })
    await becomes(id, { state: 'ringing', ringing_at: expect.any(Date) })
    change({ status: 'in-progress', startedAt: '2026-01-01T00:00:05.000Z' })
    await becomes(id, { state: 'in-progress', in_progress_at: new Date('2026-01-01T00:00:05Z') })
    change({ status: 'ended', endedAt: '2026-01-01T00:00:30.000Z', endedReason: 'customer-ended-call' })
    await becomes(id, {
      state: 'ended',
      ended_at: new Date('2026-01-01T00:00:30Z'),
      ended_reason: 'customer-ended-call',
    })
  })

  it('is asked about no more when it has ended', async () => {
    const id = await placedCall()
    change({ status: 'ended', endedReason: 'customer-busy' })
    await becomes(id, { state: 'ended' })
    const { asked } = platform
    await db.exec('update call_desk.call_requests set check_at = now()')
    const other = await requestCall(desk, '+442079460958')
    await becomes(other, { platform_call_id: 'call-2' })
    await expect.poll(() => platform.asked).toBeGreaterThan(asked)
    platform.calls.set('call-2', { id: 'call-2', status: 'ended' })
    await becomes(other, { state: 'ended' })
    expect(await rowOf(db, id)).toMatchObject({ ended_reason: 'customer-busy' })
  })

  it('has ended when the platform knows it no more', async () => {
    const id = await placedCall()
    platform.calls.clear()
    await becomes(id, { state: 'ended', ended_reason: 'not-found' })
  })

  it('is closed as lost after hours', async () => {
    const id = await placedCall()
    change({ status: 'in-progress' })
    await becomes(id, { state: 'in-progress' })
    await desk.close()
    await db.exec("update call_desk.call_requests set sent_at = now() - interval '7 hours', check_at = now()")
    await restart()
    await becomes(id, { state: 'ended', ended_reason: 'lost' })
  })

  it('is followed on by the next start', async () => {
    const id = await placedCall()
    await desk.close()
    change({ status: 'ended', endedReason: 'customer-ended-call' })
    await restart()
    await becomes(id, { state: 'ended', ended_reason: 'customer-ended-call' })
    expect(platform.dialled).toHaveLength(1)
  })

  it('waits for no more than a few others, and leaves nothing behind', async () => {
    const warnings: string[] = []
    const heard = (warning: Error) => warnings.push(warning.message)
    process.on('warning', heard)
    const phones = Array.from({ length: 25 }, (_, index) => `+1415555${2000 + index}`)
    await Promise.all(phones.map((phone) => requestCall(desk, phone)))
    await expect.poll(() => platform.calls.size, { timeout: 5000 }).toBe(25)
    for (const call of platform.calls.values())
      Object.assign(call, { status: 'ended', endedReason: 'customer-busy' })
    await db.exec('update call_desk.call_requests set check_at = now()')
    const open = "select count(*) as open from call_desk.call_requests where state <> 'ended'"
    await expect.poll(async () => (await db.query(open)).rows, { timeout: 10_000 }).toEqual([{ open: 0 }])
    process.off('warning', heard)
    expect(warnings).toEqual([])
  })
})
