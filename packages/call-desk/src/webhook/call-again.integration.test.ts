import { afterEach, expect, it } from 'vitest'
import { createCallOffice } from '../records/call-office.js'
import { callRequest, rowOf } from '../testing/desk.js'
import { addressOf, clearDesk, endCalls, openGate } from '../testing/gate-desk.js'
import { useOffice } from '../testing/office.js'
import { storeCall } from '../testing/stored-call.js'

const office = useOffice()
afterEach(() => clearDesk(office.db))
const key = 'one-press-of-the-button'
const address = '198.51.100.7'
const actor = 'ada@example.com'
const stored = (columns = {}) => storeCall(office.db, { created_at: new Date(Date.now() - 1000), ...columns })
const count = async () =>
  (await office.db.query<{ count: number }>('select count(*)::int as count from call_desk.call_requests'))
    .rows[0]?.count

it('calls the number and visitor of an earlier call, once for one press', async () => {
  const desk = await office.startedDesk({ gate: openGate, addressOf })
  const id = await stored()
  const first = await desk.again({ id, key, address, actor })
  expect(first).toEqual({ id: expect.any(String), accepted: true, refusal: null, reason: null })
  await office.becomes(first.id ?? '', {
    phone: '+14155552671',
    slug: 'acme',
    address,
    platform_call_id: 'call-1',
  })
  expect(await desk.again({ id, key, address, actor })).toEqual(first)
  expect(office.platform.dialled).toHaveLength(1)
  const { rows } = await office.db.query('select type, actor from timeline.events where call_id = $1', [
    first.id,
  ])
  expect(rows).toEqual([{ type: 'call.requested', actor }])
  await endCalls(office.db)
  expect(await desk.again({ id, key: 'another-press', address, actor })).toMatchObject({ accepted: true })
})

it('asks once where a press is sent twice at the same moment', async () => {
  const desk = office.desk({ gate: openGate })
  const id = await stored()
  const answers = await Promise.all([1, 2, 3].map(() => desk.again({ id, key, address: undefined, actor })))
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(1)
  expect(await count()).toBe(2)
})

it('is judged as a request from the page, and says why not in plain words', async () => {
  const desk = office.desk({
    gate: { ...openGate, numberLimits: [{ most: 1, windowMs: 60_000 }] },
    addressOf,
  })
  const id = await stored()
  const refused = await desk.again({ id, key, address, actor })
  expect(refused).toEqual({
    id: expect.any(String),
    accepted: false,
    refusal: 'limit_number',
    reason: 'The number had been called as often as it may be (CALL_LIMIT_NUMBER).',
  })
  expect(await rowOf(office.db, refused.id ?? '')).toMatchObject({ state: 'refused', address })
  expect(await desk.again({ id, key, address, actor })).toEqual(refused)
  expect(await count()).toBe(2)
})

it('counts the operator as the client, and needs no human check', async () => {
  const humanCheck = { isToken: () => false, verify: async () => undefined }
  const addressLimits = [{ most: 1, windowMs: 60_000 }]
  const desk = office.desk({ gate: { ...openGate, addressLimits }, addressOf, humanCheck })
  const id = await stored()
  expect(await desk.again({ id, key, address, actor })).toMatchObject({ accepted: true })
  await endCalls(office.db)
  expect(await desk.again({ id, key: 'another-press', address, actor })).toMatchObject({
    refusal: 'limit_address',
  })
})

it.each([
  ['not_a_phone_call', { kind: 'web', phone: null }, {}],
  ['visitor_gone', { slug: 'gone' }, {}],
  ['desk_off', {}, { phoneCalls: false }],
])('has nothing to ask for: %s', async (code, columns, changes) => {
  const desk = office.desk(changes)
  const id = await stored(columns)
  await expect(desk.again({ id, key, address, actor })).rejects.toMatchObject({ code })
})

it('keeps a key to its own call, and apart from the keys of pages', async () => {
  const desk = office.desk({ gate: openGate })
  const [id, other] = [await stored(), await stored({ phone: '+14155550100' })]
  await desk.again({ id, key, address, actor })
  await expect(desk.again({ id: other, key, address, actor })).rejects.toMatchObject({ code: 'key_used' })
  await endCalls(office.db)
  const page = await desk.webhook(
    callRequest({ phone: '+14155550101', slug: 'acme' }, { 'idempotency-key': key }),
  )
  expect(page.status).toBe(202)
})

it('is not dialled once an operator had it ended', async () => {
  const desk = office.desk({ gate: openGate })
  const { id } = await desk.again({ id: await stored(), key, address, actor })
  await office.db.query(
    "update call_desk.call_requests set hang_up_reason = 'operator', hang_up_at = now() where id = $1",
    [id],
  )
  await desk.start()
  await office.becomes(id ?? '', { state: 'refused', refusal: 'ended' })
  expect(office.platform.dialled).toEqual([])
  expect(await createCallOffice(office.db).show(id ?? '')).toMatchObject({ hangUpReason: 'operator' })
})
