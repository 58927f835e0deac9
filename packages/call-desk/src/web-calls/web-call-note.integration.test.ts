import { beforeEach, describe, expect, it } from 'vitest'
import type { CallDesk } from '../index.js'
import { removeCall } from '../operating/remove-call.js'
import { eraseFromDesk } from '../people/erase-from-desk.js'
import { findToldMessages } from '../people/told-messages.js'
import { hookRequest } from '../testing/desk.js'
import { ADDRESS_HEADER, addressOf, clearDesk } from '../testing/gate-desk.js'
import { useOffice } from '../testing/office.js'
import { openWebGate, reservedWeb, reserveWeb } from '../testing/web-desk.js'

const office = useOffice()
beforeEach(async () => {
  await clearDesk(office.db)
  await office.db.exec('delete from timeline.events; delete from timeline.visitors')
})
const START = '2026-01-01T00:00:00Z'
const END = '2026-01-01T00:01:10Z'

const noteRequest = (body: unknown, headers: Record<string, string> = {}) =>
  new Request('http://localhost/functions/v1/web-call-note', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const noted = async (desk: CallDesk, slug = 'ACME', callId = 'hosted-1') =>
  (await desk.webCalls.note(noteRequest({ slug, callId }))).status

/** A call that a page has started at a hosted platform. */
function hostedCall(fields: object = {}) {
  const call = {
    id: 'hosted-1',
    type: 'webCall',
    assistantId: 'assistant-1',
    status: 'in-progress',
    createdAt: new Date().toISOString(),
    ...fields,
  }
  office.platform.calls.set('hosted-1', call)
  return call
}
const hosted = (newsMs = 60_000) =>
  office.startedDesk({ webGate: openWebGate, hasUnaskedCalls: true, addressOf, timings: { newsMs } })
const rows = async () =>
  (await office.db.query<{ slug: string; state: string }>('select slug, state from call_desk.call_requests'))
    .rows
const told = async () => {
  const { rows } = await office.db.query<{ type: string; slug: string | null }>(
    'select type, slug from timeline.events order by seq',
  )
  return rows.map(({ type, slug }) => [type, slug])
}
const tell = (desk: CallDesk, message: object) =>
  desk.hook(hookRequest({ call: hostedCall(), timestamp: Date.now(), ...message }))
const dealtWith = () =>
  expect
    .poll(async () => (await office.db.query('select from call_desk.inbox where done_at is null')).rows)
    .toEqual([])
const report = {
  type: 'end-of-call-report',
  endedReason: 'customer-ended-call',
  startedAt: START,
  endedAt: END,
}
const whole = (slug: string | null) => [
  ['webcall.started', slug],
  ['webcall.completed', slug],
]

describe('a note of a call that a page started at a hosted platform', () => {
  it('stores the call, which is followed to its end by asking', async () => {
    const desk = await hosted(1)
    const call = hostedCall()
    expect(await noted(desk)).toBe(204)
    expect(await noted(desk, 'other')).toBe(204)
    await expect.poll(told, { timeout: 15_000 }).toEqual([['webcall.started', 'acme']])
    Object.assign(call, { status: 'ended', ...report })
    await expect.poll(told, { timeout: 15_000 }).toEqual(whole('acme'))
    expect(await rows()).toEqual([{ slug: 'acme', state: 'ended' }])
  })

  it('names a call of which a message came first, and nothing is told before', async () => {
    const desk = await hosted()
    await tell(desk, { type: 'status-update', status: 'in-progress' })
    await expect.poll(rows, { timeout: 15_000 }).toEqual([{ slug: '', state: 'in-progress' }])
    expect(await told()).toEqual([])
    await noted(desk)
    expect(await told()).toEqual([['webcall.started', 'acme']])
    await tell(desk, report)
    await expect.poll(told, { timeout: 15_000 }).toEqual(whole('acme'))
  })

  it.each([
    ['is of another assistant', { assistantId: 'another' }],
    ['is a phone call', { type: 'outboundPhoneCall' }],
    ['is old', { createdAt: START }],
    ['is another one', { id: 'hosted-2' }],
  ])('changes nothing where the call %s', async (_, fields) => {
    const desk = await hosted()
    hostedCall(fields)
    expect(await noted(desk)).toBe(204)
    expect(await rows()).toEqual([])
  })

  it('changes nothing where the platform knows no such call, or nobody has the slug', async () => {
    const desk = await office.startedDesk({ hasUnaskedCalls: true, findVisitor: async () => null })
    expect(await noted(desk)).toBe(204)
    hostedCall()
    expect(await noted(desk, 'nobody')).toBe(204)
    expect(await rows()).toEqual([])
  })

  it('names nobody who was erased after the lookup', async () => {
    let erasures = 0
    const desk = await office.startedDesk({
      webGate: openWebGate,
      hasUnaskedCalls: true,
      findVisitor: async (slug) => {
        const told = await findToldMessages(office.db, { visitor: slug })
        await office.db.transaction((tx) => eraseFromDesk(tx, { visitor: slug }, told))
        erasures += 1
        return { slug }
      },
    })
    hostedCall()
    expect(await noted(desk)).toBe(204)
    expect(erasures).toBe(1)
    expect(await rows()).toEqual([])
  })

  it('is refused where it is none, and asks the platform only so often for one address', async () => {
    const desk = await hosted()
    for (const body of [
      {},
      { slug: 'acme' },
      { slug: 'acme', callId: 'x'.repeat(201) },
      { slug: 'a\0', callId: 'x' },
    ])
      expect((await desk.webCalls.note(noteRequest(body))).status).toBe(400)
    expect((await desk.webCalls.note(noteRequest({ slug: 'x'.repeat(20_000), callId: 'x' }))).status).toBe(
      413,
    )
    const headers = { [ADDRESS_HEADER]: '192.0.2.1' }
    for (let count = 0; count < 40; count++)
      await desk.webCalls.note(noteRequest({ slug: 'acme', callId: `none-${count}` }, headers))
    expect(office.platform.asked).toBe(30)
  })

  it('asks the platform only so often for all addresses of a /64, and of a network', async () => {
    const desk = await hosted()
    const ask = async (address: string, callId: string) => {
      const headers = { [ADDRESS_HEADER]: address }
      expect((await desk.webCalls.note(noteRequest({ slug: 'acme', callId }, headers))).status).toBe(204)
    }
    for (let count = 0; count < 40; count++) await ask(`2001:db8:1:1::${count.toString(16)}`, `a-${count}`)
    expect(office.platform.asked).toBe(30)
    for (let count = 0; count < 200; count++) await ask(`2001:db8:2:${count.toString(16)}::1`, `b-${count}`)
    expect(office.platform.asked).toBe(150)
  })

  it('is of no use for guessing: a call that was noted for three who are nobody is deaf', async () => {
    let looked = 0
    const findVisitor = async (slug: string) => {
      looked += 1
      return slug === 'acme' ? { slug, name: 'Acme' } : null
    }
    const desk = await office.startedDesk({ webGate: openWebGate, findVisitor })
    const call = await reservedWeb(desk, { slug: undefined })
    await call.started('web-1')
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((slug) => noted(desk, slug, 'web-1')))
    looked = 0
    expect(await noted(desk, 'acme', 'web-1')).toBe(204)
    expect([looked, (await rows()).map(({ slug }) => slug)]).toEqual([0, ['']])
  })

  it('is taken after two that named nobody', async () => {
    const desk = await hosted()
    hostedCall()
    office.platform.calls.delete('hosted-1')
    for (const slug of ['a', 'b']) await noted(desk, slug)
    hostedCall()
    await noted(desk)
    expect((await rows()).map(({ slug }) => slug)).toEqual(['acme'])
  })
})

describe('a call that nobody noted', () => {
  it('is stored without a visitor, and is in nobody’s timeline', async () => {
    const desk = await hosted()
    await tell(desk, { type: 'status-update', status: 'in-progress' })
    await tell(desk, report)
    await tell(desk, report)
    await expect.poll(told, { timeout: 15_000 }).toEqual(whole(null))
    expect(await rows()).toEqual([{ slug: '', state: 'ended' }])
    expect((await office.db.query('select from timeline.visitors')).rows).toEqual([])
  })

  it('is not stored where it is of another assistant, or a built-in platform asks us for each', async () => {
    const desk = await hosted()
    const other = hostedCall({ assistantId: 'another' })
    await desk.hook(hookRequest({ ...report, call: other }))
    await dealtWith()
    await desk.close()
    const builtIn = await office.startedDesk({ webGate: openWebGate })
    await tell(builtIn, report)
    await dealtWith()
    expect(await rows()).toEqual([])
  })
})

it('stores no call again that was removed, whether a report or a note tells of it', async () => {
  const desk = await hosted()
  hostedCall()
  await noted(desk)
  await tell(desk, report)
  await dealtWith()
  expect(await rows()).toEqual([{ slug: 'acme', state: 'ended' }])
  const { rows: calls } = await office.db.query<{ id: string }>('select id from call_desk.call_requests')
  await office.db.transaction((tx) => removeCall(tx, calls[0]?.id ?? ''))
  await tell(desk, { ...report, timestamp: Date.now() + 1 })
  await dealtWith()
  await noted(desk)
  expect(await rows()).toEqual([])
})

describe('the limits of a page', () => {
  const slugLimits = [{ most: 2, windowMs: 3_600_000 }]

  it('count a call by the slug that it was admitted under, so that no note fills them', async () => {
    const desk = await office.startedDesk({ webGate: { ...openWebGate, slugLimits } })
    for (const callId of ['web-1', 'web-2']) {
      const call = await reservedWeb(desk, { slug: undefined })
      await call.started(callId)
      await noted(desk, 'acme', callId)
    }
    expect((await rows()).map(({ slug }) => slug)).toEqual(['acme', 'acme'])
    expect(await reserveWeb(desk)).toMatchObject({ result: 'reserved' })
    expect(await reserveWeb(desk, { slug: undefined })).toMatchObject({ result: 'refused' })
  })

  it('count no call that a page started at a hosted platform', async () => {
    const desk = await office.startedDesk({ webGate: { ...openWebGate, slugLimits }, hasUnaskedCalls: true })
    for (const callId of ['hosted-1', 'hosted-2']) {
      office.platform.calls.set(callId, { ...hostedCall(), id: callId })
      await noted(desk, 'acme', callId)
    }
    expect((await rows()).map(({ slug }) => slug)).toEqual(['acme', 'acme'])
    expect(await reserveWeb(desk)).toMatchObject({ result: 'reserved' })
  })
})
