import { beforeEach, describe, expect, it } from 'vitest'
import { pauseCalls } from '../gate/switches.js'
import { createCallOffice } from '../index.js'
import { hookRequest, requestCall, rowOf } from '../testing/desk.js'
import { clearDesk } from '../testing/gate-desk.js'
import { useOffice } from '../testing/office.js'
import { openWebGate, reservedWeb, webMoney } from '../testing/web-desk.js'

const office = useOffice()
beforeEach(() => clearDesk(office.db))
const webGate = { ...openWebGate, minutePrice: 200_000, maxSeconds: 300 }
const money = (spent: number | null) => [{ reserved: 1_000_000, spent }]

/** The platform has a call, as it made it for the public key. */
function platformCall(fields: object = {}) {
  const call = {
    id: 'web-1',
    type: 'webCall',
    status: 'queued',
    createdAt: new Date().toISOString(),
    ...fields,
  }
  office.platform.calls.set('web-1', call)
  return call
}

async function begun(newsMs = 60_000) {
  const desk = await office.startedDesk({ webGate, timings: { newsMs } })
  const call = await reservedWeb(desk)
  platformCall({ monitor: { controlUrl: `${office.platform.url}/call/web-1/control` } })
  await call.started('web-1')
  return { desk, ...call }
}

describe('a browser call', () => {
  it('follows the platform’s messages to its final row', async () => {
    const { desk, id } = await begun()
    const tell = (message: object) =>
      desk.hook(hookRequest({ call: { id: 'web-1', type: 'webCall' }, timestamp: Date.now(), ...message }))
    await tell({ type: 'status-update', status: 'in-progress' })
    await office.becomes(id, { state: 'in-progress', in_progress_at: expect.any(Date) })
    await tell({
      type: 'end-of-call-report',
      endedReason: 'customer-ended-call',
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:01:10Z',
      cost: 0.0712,
      artifact: { transcript: 'AI: Hello' },
    })
    await office.becomes(id, {
      state: 'ended',
      kind: 'web',
      outcome: 'completed',
      ended_reason: 'customer-ended-call',
      cost_microusd: 71_200,
      transcript: 'AI: Hello',
      recorded_at: expect.any(Date),
    })
    expect(await webMoney(office.db)).toEqual(money(71_200))
  })

  it('is followed by asking the platform, where no message comes', async () => {
    const { id } = await begun(1)
    Object.assign(office.platform.calls.get('web-1') ?? {}, {
      status: 'ended',
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:01:10Z',
      endedReason: 'customer-ended-call',
      cost: 0,
    })
    await office.becomes(id, { state: 'ended', outcome: 'completed' })
    // The platform does not know what its engines cost: the two minutes count.
    await office.db.exec("update call_desk.call_requests set recorded_at = now() - interval '10 minutes'")
    await expect.poll(() => webMoney(office.db), { timeout: 5000 }).toEqual(money(400_000))
  })

  it('that nobody joins costs nothing', async () => {
    const { desk, id } = await begun()
    await desk.hook(
      hookRequest({
        type: 'end-of-call-report',
        call: { id: 'web-1' },
        endedReason: 'assistant-did-not-receive-customer-audio',
        endedAt: new Date().toISOString(),
      }),
    )
    await office.becomes(id, { state: 'ended', outcome: 'silence', in_progress_at: null })
    expect(await webMoney(office.db)).toEqual(money(0))
  })

  it('that the platform no longer knows keeps what was reserved', async () => {
    const { id } = await begun(1)
    office.platform.calls.delete('web-1')
    await office.becomes(id, { state: 'ended', ended_reason: 'not-found' })
    expect(await webMoney(office.db)).toEqual(money(null))
  })

  it('is ended by a pause, though the platform named no address for that', async () => {
    const { id } = await begun()
    await pauseCalls(office.db)
    await expect
      .poll(() => office.platform.commands, { timeout: 5000 })
      .toMatchObject([{ callId: 'web-1', body: { type: 'end-call' } }])
    expect(await rowOf(office.db, id)).toMatchObject({ hang_up_reason: 'paused' })
  })

  it('begun while calls were paused is ended at once', async () => {
    const desk = await office.startedDesk({ webGate })
    const call = await reservedWeb(desk)
    await pauseCalls(office.db)
    platformCall({ monitor: { controlUrl: `${office.platform.url}/call/web-1/control` } })
    await call.started('web-1')
    await expect.poll(() => office.platform.commands, { timeout: 5000 }).toMatchObject([{ callId: 'web-1' }])
  })

  it('whose process went away before the platform named it is closed, and named later it is ended and paid for', async () => {
    const desk = await office.startedDesk({ webGate })
    const call = await reservedWeb(desk)
    await office.db.exec("update call_desk.call_requests set created_at = created_at - interval '61 seconds'")
    await office.becomes(call.id, { state: 'failed', last_error: expect.stringMatching(/^not_begun: /) })
    expect(await webMoney(office.db)).toEqual(money(0))
    platformCall({ monitor: { controlUrl: `${office.platform.url}/call/web-1/control` } })
    await call.started('web-1')
    expect(await rowOf(office.db, call.id)).toMatchObject({ state: 'failed', hang_up_reason: 'not_placed' })
    expect(await webMoney(office.db)).toEqual(money(null))
    await expect.poll(() => office.platform.commands, { timeout: 5000 }).toMatchObject([{ callId: 'web-1' }])
  })

  it('is never dialled, in whatever state it is left', async () => {
    const desk = await office.startedDesk({ webGate })
    const call = await reservedWeb(desk)
    // As a desk would leave it that thought it was a phone call.
    for (const [place, state] of ['queued', 'dialling'].entries()) {
      await office.db.query(
        `update call_desk.call_requests set state = $1, sent_at = null, run_at = now() - interval '1 minute' where id = $2`,
        [state, call.id],
      )
      const id = await requestCall(desk, `+1415555267${place}`)
      await office.becomes(id, { platform_call_id: expect.any(String) })
    }
    expect(office.platform.dialled.map(({ customer }) => customer.number)).toEqual([
      '+14155552670',
      '+14155552671',
    ])
    expect(await rowOf(office.db, call.id)).toMatchObject({ attempts: 1, claim: null })
  })

  it('in which somebody says “stop calling me” goes on, and puts no number on the list', async () => {
    const { desk, id } = await begun()
    await desk.hook(
      hookRequest({
        type: 'transcript',
        transcriptType: 'final',
        role: 'user',
        transcript: 'Please stop calling me.',
        call: { id: 'web-1' },
      }),
    )
    await expect
      .poll(async () => (await office.db.query('select from call_desk.inbox where done_at is null')).rowCount)
      .toBe(0)
    expect(await rowOf(office.db, id)).toMatchObject({ hang_up_reason: null, hang_up_at: null })
    expect((await office.db.query('select from call_desk.do_not_call')).rows).toEqual([])
  })
})

describe('the records', () => {
  it('show browser calls with their visitor and kind, and their money apart', async () => {
    const { id } = await begun()
    const calls = createCallOffice(office.db)
    expect((await calls.list({ limit: 10 })).calls).toMatchObject([
      { id, kind: 'web', phone: null, slug: 'acme', state: 'dialling', reservedMicrousd: 1_000_000 },
    ])
    expect(await calls.show(id)).toMatchObject({ kind: 'web', phone: null, maxSeconds: 300 })
    for await (const part of calls.export()) expect(part).toMatchObject([{ id, kind: 'web' }])
    expect(await calls.status()).toMatchObject({
      inFlight: 1,
      day: { spent: 0, reserved: 0 },
      requests: { total: 0 },
      web: { day: { spent: 0, reserved: 1_000_000 }, requests: { total: 1, outcomes: { dialling: 1 } } },
    })
  })

  it('tell the changes of a browser call', async () => {
    const calls = createCallOffice(office.db)
    const stop = new AbortController()
    const changes = calls.follow(stop.signal)[Symbol.asyncIterator]()
    await changes.next()
    const desk = await office.startedDesk({ webGate })
    const { id } = await reservedWeb(desk)
    expect((await changes.next()).value).toMatchObject([
      { id, kind: 'web', phone: null, state: 'queued' },
      { state: 'dialling' },
    ])
    stop.abort()
    await changes.next()
  })
})
