import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CallDesk, DEFAULT_GATE } from '../index.js'
import { deskOf, hookRequest, openDeskDb, requestCall, rowOf } from '../testing/desk.js'
import { insertPlaced } from '../testing/followed-calls.js'
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
/** For a machine with much else to do. */
const patient = { timeout: 5000 }
const becomes = (id: string, row: object) => expect.poll(() => rowOf(db, id), patient).toMatchObject(row)
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
    await expect.poll(() => platform.asked, patient).toBeGreaterThan(asked)
    platform.calls.set('call-2', { id: 'call-2', status: 'ended' })
    await becomes(other, { state: 'ended' })
    expect(await rowOf(db, id)).toMatchObject({ ended_reason: 'customer-busy' })
  })

  it('has ended when the platform knows it no more', async () => {
    const id = await placedCall()
    platform.calls.clear()
    await becomes(id, { state: 'ended', ended_reason: 'not-found' })
  })

  it('is asked about its record when it has ended, until that comes', async () => {
    const id = await placedCall()
    // Just over: the platform still works on its record.
    change({ status: 'ended', endedReason: 'customer-ended-call', endedAt: new Date().toISOString() })
    await becomes(id, { state: 'ended', outcome: 'completed', recorded_at: null })
    // Nothing was said, so there is no transcript to wait for.
    change({ cost: 0.05, analysis: { summary: 'They greeted.' } })
    const { check_at } = await rowOf(db, id)
    expect(Number(check_at) - Date.now()).toBeGreaterThan(20_000)
    await db.exec('update call_desk.call_requests set check_at = now()')
    await becomes(id, {
      recorded_at: expect.any(Date),
      cost_microusd: 50_000,
      transcript: null,
      summary: 'They greeted.',
      check_at: null,
    })
  })

  it('is asked about its record for hours, no longer', async () => {
    const [id = ''] = (await insertPlaced(db, ['call-7'])).values()
    const ended = "state = 'ended', ended_at = now(), ended_reason = 'silence-timed-out', outcome = 'silence'"
    platform.calls.set('call-7', { id: 'call-7', status: 'in-progress' })
    const old = async (hours: number) => {
      const { asked } = platform
      await db.query(
        `update call_desk.call_requests set ${ended}, sent_at = now() - $1::int * interval '1 hour', check_at = now()`,
        [hours],
      )
      await expect.poll(() => platform.asked, patient).toBeGreaterThan(asked)
    }
    await old(5)
    expect(await rowOf(db, id)).toMatchObject({ state: 'ended', recorded_at: null })
    await old(7)
    await becomes(id, { state: 'ended', ended_reason: 'silence-timed-out', recorded_at: expect.any(Date) })
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

describe('a request that may or may not have been placed', () => {
  const unknown = async (sentAgo: string): Promise<string> => {
    const [id = ''] = (await insertPlaced(db, ['nobody knows'])).values()
    await db.exec(
      `update call_desk.call_requests set state = 'unknown', unknown_at = now(), platform_call_id = null,
         sent_at = now() - interval '${sentAgo}'`,
    )
    return id
  }
  const spent = async (id: string) =>
    (await db.query('select spent from call_desk.ledger where request_id = $1', [id])).rows[0]
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

  it('is found in the platform’s list by its name, and followed to its end', async () => {
    for (let index = 0; index < 250; index++)
      platform.calls.set(`other-${index}`, {
        id: `other-${index}`,
        name: crypto.randomUUID(),
        status: 'ended',
        createdAt: secondsAgo(index / 10),
      })
    const call = { id: 'call-9', status: 'in-progress', createdAt: secondsAgo(29) }
    platform.calls.set('call-9', call)
    const id = await unknown('30 seconds')
    Object.assign(call, { name: id })
    await becomes(id, { state: 'unknown', platform_call_id: 'call-9' })
    Object.assign(call, {
      status: 'ended',
      endedAt: secondsAgo(60),
      endedReason: 'customer-ended-call',
      cost: 0.1,
    })
    await becomes(id, { state: 'ended', ended_reason: 'customer-ended-call', cost_microusd: 100_000 })
    // The report may still say more.
    expect(await spent(id)).toEqual({ spent: null })
    await db.exec("update call_desk.call_requests set recorded_at = recorded_at - interval '6 minutes'")
    await expect.poll(() => spent(id), patient).toEqual({ spent: 100_000 })
  })

  it('is failed, and costs nothing, when the platform has no such call for ten minutes', async () => {
    platform.calls.set('other', {
      id: 'other',
      name: crypto.randomUUID(),
      status: 'ended',
      createdAt: secondsAgo(660),
    })
    const id = await unknown('11 minutes')
    await becomes(id, {
      state: 'failed',
      failed_at: expect.any(Date),
      last_error: expect.stringMatching(/^not_placed/),
    })
    expect(await spent(id)).toEqual({ spent: 0 })
  })

  it.each([-59, 59])('is found where the platform’s clock goes wrong by %d minutes', async (minutes) => {
    const call = { id: 'call-9', status: 'in-progress', createdAt: secondsAgo(660 + minutes * 60) }
    await desk.close()
    const id = await unknown('11 minutes')
    platform.calls.set('call-9', { ...call, name: id })
    await restart()
    await becomes(id, { state: 'unknown', platform_call_id: 'call-9' })
  })

  it('stays unknown where its call is there and cannot be read', async () => {
    await desk.close()
    const id = await unknown('11 minutes')
    const call = { id: 'x'.repeat(300), name: id, status: 'in-progress', createdAt: secondsAgo(650) }
    platform.calls.set('call-9', call)
    await restart()
    await becomes(id, { check_at: expect.any(Date) })
    await desk.close()
    expect(await rowOf(db, id)).toMatchObject({ state: 'unknown', recorded_at: null })
  })

  it('is asked about no more, and stays unknown, when nobody could tell for hours', async () => {
    await desk.close()
    const id = await unknown('7 hours')
    desk = deskOf(db, 'http://127.0.0.1:1', { timings: { newsMs: 1 } })
    await desk.start()
    await becomes(id, { state: 'unknown', recorded_at: expect.any(Date), check_at: null })
    expect(await spent(id)).toEqual({ spent: null })
  })

  it('is followed and ended when it was taken for not placed and has a call all the same', async () => {
    const lines: { level: number; requestId?: string }[] = []
    const logger = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    await desk.close()
    desk = deskOf(db, platform.url, { timings: { newsMs: 1 }, logger })
    await desk.start()
    const id = await unknown('11 minutes')
    await becomes(id, { state: 'failed', last_error: expect.stringMatching(/^not_placed/) })
    expect(await spent(id)).toEqual({ spent: 0 })
    platform.calls.set('call-9', { id: 'call-9', name: id, status: 'in-progress' })
    const call = {
      id: 'call-9',
      name: id,
      status: 'in-progress',
      monitor: { controlUrl: `${platform.url}/call/call-9/control` },
    }
    await desk.hook(hookRequest({ type: 'status-update', status: 'in-progress', call }))
    await becomes(id, { state: 'failed', platform_call_id: 'call-9', hang_up_reason: 'not_placed' })
    expect(await spent(id)).toEqual({ spent: null })
    await expect.poll(() => platform.commands, patient).toMatchObject([{ callId: 'call-9' }])
    expect(lines).toMatchObject([{ level: 50, requestId: id }])
    Object.assign(platform.calls.get('call-9') ?? {}, {
      status: 'ended',
      endedAt: secondsAgo(60),
      cost: 0.3,
    })
    await db.exec('update call_desk.call_requests set check_at = now()')
    await becomes(id, { state: 'failed', cost_microusd: 300_000, recorded_at: expect.any(Date) })
    await db.exec("update call_desk.call_requests set recorded_at = recorded_at - interval '6 minutes'")
    await expect.poll(() => spent(id), patient).toEqual({ spent: 300_000 })
    await db.exec('update call_desk.call_requests set hang_up_at = now()')
    await becomes(id, { hang_up_at: null })
  })

  it('stays unknown before that, and where the platform cannot be asked', async () => {
    const id = await unknown('9 minutes')
    await expect.poll(() => rowOf(db, id), patient).toMatchObject({ check_at: expect.any(Date) })
    expect(await rowOf(db, id)).toMatchObject({ state: 'unknown' })
    await desk.close()
    await db.exec(
      "update call_desk.call_requests set sent_at = now() - interval '11 minutes', check_at = null",
    )
    desk = deskOf(db, 'http://127.0.0.1:1', { timings: { newsMs: 1 } })
    await desk.start()
    await expect.poll(() => rowOf(db, id), patient).toMatchObject({ check_at: expect.any(Date) })
    await desk.close()
    expect(await rowOf(db, id)).toMatchObject({ state: 'unknown' })
  })
})

describe('beside that', () => {
  it('the circuit breaker is looked at', async () => {
    const lines: { level: number; reason?: string }[] = []
    const logger = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    await insertPlaced(db, ['call-1', 'call-2', 'call-3', 'call-4', 'call-5'])
    await db.exec("update call_desk.call_requests set state = 'failed'")
    const guarded = deskOf(db, platform.url, { gate: DEFAULT_GATE, logger })
    await guarded.start()
    await expect.poll(() => lines, patient).toMatchObject([{ level: 50, reason: 'failures' }])
    await guarded.close()
    const { rows } = await db.query('select breaker_reason from call_desk.switches')
    expect(rows).toEqual([{ breaker_reason: 'failures' }])
    await db.exec('update call_desk.switches set breaker_at = null, breaker_reason = null')
  })
})
