import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { requestCall, rowOf } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'
import { createStopCalling } from './stop-calling.js'

const office = useOffice()
const logger = pino({ level: 'silent' })
beforeEach(() =>
  office.db.exec(
    'update call_desk.switches set paused_at = null; delete from call_desk.do_not_call; delete from call_desk.audit',
  ),
)

async function placed(): Promise<string> {
  const desk = await office.startedDesk()
  const id = await requestCall(desk)
  await office.becomes(id, { platform_call_id: 'call-1' })
  await desk.close()
  return id
}

const listed = async () =>
  (await office.db.query('select phone, source, request_id from call_desk.do_not_call')).rows
const audited = async () => (await office.db.query('select action, detail from call_desk.audit')).rows

describe('“stop calling me”', () => {
  it('enters the number, and has the call ended', async () => {
    const id = await placed()
    let told = 0
    const unlisten = await office.db.listen('call_desk_switches', () => told++)
    const heard = createStopCalling({ db: office.db, logger })
    await heard({ callId: 'call-1', text: 'Please, stop calling me!' })
    expect(await listed()).toEqual([{ phone: '+14155552671', source: 'caller', request_id: id }])
    expect(await rowOf(office.db, id)).toMatchObject({
      hang_up_reason: 'stop_calling',
      hang_up_at: expect.any(Date),
    })
    expect(await audited()).toEqual([
      { action: 'do_not_call_added', detail: { source: 'caller', requestId: id } },
    ])
    await expect.poll(() => told).toBe(1)
    await unlisten()
  })

  it('said again changes nothing more', async () => {
    const id = await placed()
    const heard = createStopCalling({ db: office.db, logger })
    await heard({ callId: 'call-1', text: 'Stop calling me.' })
    const before = await rowOf(office.db, id)
    await heard({ callId: 'call-1', requestId: id, text: 'STOP CALLING ME' })
    expect(await rowOf(office.db, id)).toEqual(before)
    expect(await audited()).toHaveLength(1)
  })

  it('is known by our own id before the platform’s is stored', async () => {
    const id = await placed()
    // Also of a call that was taken for refused, and is to be tried again.
    await office.db.exec('update call_desk.call_requests set platform_call_id = null, sent_at = null')
    await createStopCalling({ db: office.db, logger })({
      callId: 'call-1',
      requestId: id,
      text: 'Unsubscribe',
    })
    expect(await listed()).toHaveLength(1)
  })

  it('of somebody who called us is believed where their number is proven; else the call is ended, and the number stays', async () => {
    const id = await placed()
    const heard = createStopCalling({ db: office.db, logger })
    await office.db.exec('update call_desk.call_requests set inbound = true, unproven = true')
    await heard({ callId: 'call-1', text: 'Stop calling me' })
    expect([await listed(), await audited()]).toEqual([[], []])
    const ended = { hang_up_reason: 'stop_calling', hang_up_at: expect.any(Date) }
    expect(await rowOf(office.db, id)).toMatchObject(ended)
    await office.db.exec('update call_desk.call_requests set unproven = false, hang_up_reason = null')
    await heard({ callId: 'call-1', text: 'Stop calling me' })
    expect(await listed()).toEqual([{ phone: '+14155552671', source: 'caller', request_id: id }])
  })

  it('that is heard when the call is over enters the number all the same', async () => {
    const id = await placed()
    await office.db.exec("update call_desk.call_requests set state = 'ended', ended_at = now()")
    await createStopCalling({ db: office.db, logger })({ callId: 'call-1', text: 'Stop calling me' })
    expect(await listed()).toHaveLength(1)
    expect(await rowOf(office.db, id)).toMatchObject({ hang_up_reason: 'stop_calling', hang_up_at: null })
  })

  it('is read in the record of a call that no messages came of, where the person said it', async () => {
    const desk = await office.startedDesk({ timings: { newsMs: 20 } })
    /** Requests a call that ends with this in its record. */
    const recorded = async (callId: string, artifact: object) => {
      const id = await requestCall(desk)
      await office.becomes(id, { platform_call_id: callId })
      const endedAt = new Date(Date.now() - 60_000).toISOString()
      Object.assign(office.platform.calls.get(callId) ?? {}, {
        status: 'ended',
        endedAt,
        cost: 0.1,
        artifact,
      })
      await office.becomes(id, { state: 'ended', recorded_at: expect.any(Date) })
      return id
    }
    await recorded('call-1', { transcript: 'AI: Say stop calling me.\nUser: Hello.' })
    expect(await listed()).toEqual([])
    const listedBy = (request_id: string) => [{ phone: '+14155552671', source: 'caller', request_id }]
    const inTranscript = await recorded('call-2', { transcript: 'AI: Hello.\nUser: Stop calling me.' })
    expect(await listed()).toEqual(listedBy(inTranscript))
    await office.db.exec('delete from call_desk.do_not_call')
    // Its assistant's plan gives the person another name, or has no transcript made: then the turns tell.
    const inTurns = await recorded('call-3', {
      transcript: 'AI: Hello.\nCaller: Stop calling me.',
      messages: [{ role: 'user', message: 'Stop calling me.' }],
    })
    expect(await listed()).toEqual(listedBy(inTurns))
  })

  it('of a call that is not ours, or other words, do nothing', async () => {
    const id = await placed()
    const heard = createStopCalling({ db: office.db, logger })
    await heard({ callId: 'call-9', text: 'Stop calling me' })
    await heard({ callId: 'call-1', text: 'Stop calling it a demo.' })
    expect(await listed()).toEqual([])
    expect(await rowOf(office.db, id)).toMatchObject({ hang_up_reason: null, hang_up_at: null })
  })

  it('is both or neither', async () => {
    const id = await placed()
    const broken = {
      ...office.db,
      kind: office.db.kind,
      transaction: <T>(run: Parameters<typeof office.db.transaction<T>>[0]) =>
        office.db.transaction<T>((tx) =>
          run({
            exec: (sql) => tx.exec(sql),
            query: (sql, parameters) =>
              sql.includes('insert into call_desk.do_not_call')
                ? Promise.reject(new Error('no room'))
                : tx.query(sql, parameters),
          }),
        ),
    }
    const heard = createStopCalling({ db: broken, logger })
    await expect(heard({ callId: 'call-1', text: 'Stop calling me' })).rejects.toThrow('no room')
    expect(await rowOf(office.db, id)).toMatchObject({ hang_up_reason: null, hang_up_at: null })
  })
})
