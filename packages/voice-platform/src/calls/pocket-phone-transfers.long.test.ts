import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { tone } from '../link/link.contract.js'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { roomPeer } from '../testing/room-peer.js'
import type { TransferGate } from './transfers.js'

const CUSTOMER = '+12025550123'
const SALES = '+12025550142'
const NOW = { timeout: 8_000 }
const NOT_REACHED = 'I am sorry, the line is busy there. How else can I help you?'

let db: Db
let bench: PlatformBench
let gate: ReturnType<typeof vi.fn<TransferGate>>
const hearing: NodeJS.Timeout[] = []
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  gate = vi.fn<TransferGate>(async () => undefined)
  bench = await startPlatform(db, { clock: systemClock, transferGate: gate })
})
afterEach(async () => {
  for (const timer of hearing.splice(0)) clearInterval(timer)
  await bench.close()
})

type Phone = TestSocket & { callId(): string }
const openPhone = async (): Promise<Phone> => {
  const phone = await bench.openPhone()
  return { ...phone, callId: () => String(phone.texts.findLast(({ type }) => type === 'ring')?.callId) }
}
const send = (phone: Phone, type: 'answer' | 'decline') =>
  phone.socket.send(JSON.stringify({ type, callId: phone.callId() }))
const rung = (phone: Phone, times = 1) =>
  vi.waitFor(() => expect(phone.texts.filter(({ type }) => type === 'ring')).toHaveLength(times), NOW)

/** Answers the phone and comes into the room; what is said is heard at once. */
async function answer(phone: Phone) {
  send(phone, 'answer')
  await vi.waitFor(() => expect(phone.texts.at(-1)).toMatchObject({ type: 'answered' }), NOW)
  const room = bench.openRoom(String(phone.texts.at(-1)?.roomUrl))
  const peer = roomPeer(room.socket)
  hearing.push(setInterval(() => void peer.playAll(), 20))
  await vi.waitFor(() => expect(room.texts.map(({ type }) => type)).toContain('room.listening'), NOW)
  return { ...peer, room }
}

/** A phone call that somebody has answered, and that its operator transfers. Nobody has answered there yet. */
async function transferred(to = SALES, more: object = {}) {
  const phone = await openPhone()
  const created = await bench.request('POST', '/call', {
    assistant: { firstMessage: 'Hello.', maxDurationSeconds: 300, model: { provider: 'openai', model: 'x' } },
    customer: { number: CUSTOMER },
  })
  const { id } = await created.json()
  await rung(phone)
  const caller = await answer(phone)
  const call = () => bench.client.calls.get(id)
  const said = async () => JSON.stringify((await call()).messages)
  await vi.waitFor(async () => expect(await said()).toContain('Hello.'), NOW)
  const transfer = (number: string) =>
    bench.request('POST', `/call/${id}/control`, {
      type: 'transfer',
      destination: { type: 'number', number, message: 'One moment.', ...more },
    })
  const sales = await openPhone()
  expect((await transfer(to)).status).toBe(200)
  return { id, phone, caller, sales, call, said, transfer }
}
const ended = (call: () => Promise<object>, endedReason: string) =>
  vi.waitFor(async () => expect(await call()).toMatchObject({ status: 'ended', endedReason }), NOW)
/** Whether this sound is within what was heard. */
const heardIn = (all: Int16Array, part: Int16Array) =>
  Buffer.from(all.buffer).includes(Buffer.from(part.buffer, part.byteOffset, part.byteLength))

describe('a call that is transferred', () => {
  it('rings the other phones, joins two with sound both ways, and ends with whoever hangs up', async () => {
    const { phone, caller, sales, call } = await transferred()
    await rung(sales)
    expect(sales.texts[0]).toMatchObject({ type: 'ring', from: '+12025550100', to: SALES })
    const callee = await answer(sales)
    const [question, reply] = [tone(320, 0.2), tone(320, 0.6)]
    await vi.waitFor(() => {
      caller.sendAudio(question)
      expect(heardIn(callee.heardAudio(), question)).toBe(true)
    }, NOW)
    callee.sendAudio(reply)
    await vi.waitFor(() => expect(heardIn(caller.heardAudio(), reply)).toBe(true), NOW)
    expect((await call()).status).toBe('in-progress')
    // The phone that the call comes from is not rung.
    expect(phone.texts.filter(({ type }) => type === 'ring')).toHaveLength(1)
    const [asked] = gate.mock.calls[0] ?? []
    expect(asked?.number).toBe(SALES)
    expect(asked?.seconds).toBeLessThanOrEqual(300)
    callee.hangUp()
    expect((await caller.room.closed).reason).toBe('assistant-forwarded-call')
    await ended(call, 'assistant-forwarded-call')
    expect((await call()).destination).toEqual({ type: 'number', number: SALES })
    expect((await call()).messages?.map(({ message }) => message)).toContain(
      `The call was transferred to ${SALES}.`,
    )
  })

  it('ends for the other phone when the caller hangs up, also while it rings', async () => {
    const first = await transferred()
    await rung(first.sales)
    const callee = await answer(first.sales)
    first.caller.hangUp()
    await callee.room.closed
    await ended(first.call, 'assistant-forwarded-call')
    for (const phone of [first.phone, first.sales]) phone.socket.close()

    const second = await transferred()
    await rung(second.sales)
    second.caller.hangUp()
    await vi.waitFor(() => expect(second.sales.texts.at(-1)?.type).toBe('stop'), NOW)
    await ended(second.call, 'assistant-forwarded-call')
  })

  it('lets the other side hear keys, first those of the extension', async () => {
    const { caller, sales } = await transferred(SALES, { extension: '12' })
    await rung(sales)
    const callee = await answer(sales)
    const loud = () => callee.heardAudio().filter((sample) => Math.abs(sample) > 2_000).length
    await vi.waitFor(() => expect(loud()).toBeGreaterThan(1_000), NOW)
    const before = loud()
    caller.press?.('5')
    await vi.waitFor(() => expect(loud()).toBeGreaterThan(before + 500), NOW)
  })

  it('is answered by the simulated callee where no other phone is open', async () => {
    const { caller, sales, call } = await transferred()
    sales.socket.close()
    await vi.waitFor(async () => {
      const { rows } = await db.query<{ state: string }>(
        `select state from voice_platform.simulated_legs where transfer_of is not null`,
      )
      expect(rows).toEqual([{ state: 'connected' }])
    }, NOW)
    caller.hangUp()
    await ended(call, 'assistant-forwarded-call')
  })

  it('is back with its assistant when the other phone declines, and can be transferred again', async () => {
    const { caller, sales, call, said, transfer } = await transferred()
    await rung(sales)
    send(sales, 'decline')
    await vi.waitFor(async () => expect(await said()).toContain(NOT_REACHED), NOW)
    expect(await said()).toContain('the line was busy')
    expect((await call()).status).toBe('in-progress')
    // The call is one call, and nobody was rung twice.
    expect(sales.texts.filter(({ type }) => type === 'ring')).toHaveLength(1)
    await transfer(SALES)
    await rung(sales, 2)
    const callee = await answer(sales)
    const question = tone(320, 0.2)
    await vi.waitFor(() => {
      caller.sendAudio(question)
      expect(heardIn(callee.heardAudio(), question)).toBe(true)
    }, NOW)
    callee.hangUp()
    await ended(call, 'assistant-forwarded-call')
    expect(gate).toHaveBeenCalledTimes(2)
  })

  it('is back where the line is busy by its number, and goes on as any call', async () => {
    const { caller, call, said } = await transferred('+12025550102')
    await vi.waitFor(async () => expect(await said()).toContain(NOT_REACHED), NOW)
    caller.hangUp()
    await ended(call, 'customer-ended-call')
    expect(await call()).not.toHaveProperty('destination')
  })

  it('ends for both when its operator ends it', async () => {
    const { id, caller, sales, call } = await transferred()
    await rung(sales)
    const callee = await answer(sales)
    const over = await bench.request('POST', `/call/${id}/control`, { type: 'end-call' })
    expect(over.status).toBe(200)
    await Promise.all([caller.room.closed, callee.room.closed])
    await ended(call, 'assistant-ended-call')
  })

  it('goes on where the gate refuses the number: nothing rings', async () => {
    gate.mockResolvedValue('dnc')
    const { caller, sales, call, said } = await transferred()
    await vi.waitFor(async () => expect(await said()).toContain('I cannot transfer this call'), NOW)
    expect(sales.texts).toEqual([])
    caller.hangUp()
    await ended(call, 'customer-ended-call')
  })

  it('lets nobody else into the room of whoever was called', async () => {
    const { caller, sales } = await transferred()
    await rung(sales)
    const callee = await answer(sales)
    const again = bench.openRoom(String(sales.texts.at(-1)?.roomUrl))
    expect((await again.closed).code).toBe(4008)
    expect(callee.room.socket.readyState).toBe(callee.room.socket.OPEN)
    caller.hangUp()
    await callee.room.closed
  })
})
