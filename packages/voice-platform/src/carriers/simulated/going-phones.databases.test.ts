import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPlatformDb, PLATFORM_DBS } from '../../testing/platform-db.js'
import { CalleeLink } from './callee-link.js'
import { useLine } from './line-bench.contract.js'

describe.each(PLATFORM_DBS)('on %s, pocket phones', (kind) => {
  let db: Db
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  const line = useLine(() => db)
  const { clock, startProcess, newCall, dial, send, heardBy, until } = line

  it('that pick up and never come into the room end the call', async () => {
    const phone = await line.a.openPhone()
    const callId = await dial()
    await heardBy(phone, [{ type: 'ring' }])
    send(phone.socket, 'answer', callId)
    await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
    await vi.waitFor(() => {
      clock.advance(5_000)
      expect(line.a.events).toEqual(['ringing', 'ended failed'])
    })
    const link = new CalleeLink(clock)
    line.a.join(callId, link, link.gone)
    await link.gone
  })

  it('that pick up twice hear of it once', async () => {
    const phone = await line.a.openPhone()
    const other = await line.a.openPhone()
    const callId = await dial()
    for (const { heard } of [phone, other]) await vi.waitFor(() => expect(heard).toHaveLength(1))
    send(phone.socket, 'answer', callId)
    send(phone.socket, 'answer', callId)
    await heardBy(other, [{ type: 'ring' }, { type: 'stop', reason: 'answered-elsewhere' }])
    await heardBy(phone, [{ type: 'ring' }, { type: 'answered', callId }])
    const next = await dial()
    await heardBy(phone, [{ type: 'ring' }, { type: 'answered', callId }, { type: 'ring', callId: next }])
  })

  it('that pick up and cannot come end the call at once', async () => {
    const phone = await line.a.openPhone()
    const callId = await dial()
    await heardBy(phone, [{ type: 'ring' }])
    send(phone.socket, 'answer', callId)
    await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
    send(phone.socket, 'decline', callId)
    await until(['ringing', 'ended hung-up'])
  })

  it('that hang up before they hear that they have the call end it at once', async () => {
    const phone = await line.a.openPhone()
    const callId = await dial()
    await heardBy(phone, [{ type: 'ring' }])
    send(phone.socket, 'answer', callId)
    send(phone.socket, 'decline', callId)
    await until(['ringing', 'ended hung-up'])
    expect(phone.heard.map(({ type }) => type)).not.toContain('answered')
  })

  it('that are closed while they ring leave the call to the simulated callee', async () => {
    const phone = await line.a.openPhone()
    await dial()
    await heardBy(phone, [{ type: 'ring' }])
    clock.advance(3_000)
    phone.socket.terminate()
    await vi.waitFor(() => {
      clock.advance(500)
      expect(line.a.events).toEqual(['ringing', 'answered'])
    })
  })

  it('that are closed while others ring leave it to the others', async () => {
    const b = startProcess()
    const phones = [await line.a.openPhone(), await line.a.openPhone(), await b.openPhone()] as const
    const callId = await dial()
    for (const phone of phones) await heardBy(phone, [{ type: 'ring' }])
    phones[0].socket.terminate()
    phones[2].socket.terminate()
    await vi.waitFor(() => expect(phones.map(({ server }) => server.readyState)).toEqual([3, 1, 3]))
    await db.query('select 1')
    clock.advance(2_500)
    await db.query('select 1')
    expect(line.a.events).toEqual(['ringing'])
    send(phones[1].socket, 'decline', callId)
    await until(['ringing', 'ended busy'])
  })

  it('that are closed after the others have declined end it as busy', async () => {
    const b = startProcess()
    const phones = [await line.a.openPhone(), await b.openPhone(), await b.openPhone()] as const
    const callId = await dial()
    for (const phone of phones) await heardBy(phone, [{ type: 'ring' }])
    send(phones[0].socket, 'decline', callId)
    phones[1].socket.terminate()
    phones[2].socket.terminate()
    await until(['ringing', 'ended busy'])
  })

  it('that are opened again in time ring again', async () => {
    const phone = await line.a.openPhone()
    const callId = await dial()
    await heardBy(phone, [{ type: 'ring' }])
    phone.socket.terminate()
    await vi.waitFor(() => expect(phone.server.readyState).toBe(3))
    const again = await line.a.openPhone()
    await heardBy(again, [{ type: 'ring', callId }])
    await db.query('select 1')
    clock.advance(2_500)
    send(again.socket, 'answer', callId)
    await heardBy(again, [{ type: 'ring' }, { type: 'answered' }])
  })

  it('that are gone without a word do not count as open', async () => {
    const phone = await line.a.openPhone()
    await dial()
    await heardBy(phone, [{ type: 'ring' }])
    phone.socket.pause()
    clock.advance(20_000)
    expect(phone.server.readyState).toBe(1)
    clock.advance(10_000)
    await vi.waitFor(() => expect(phone.server.readyState).toBe(3))
  })

  it('do not ring for a call that has ended, whatever is left of it', async () => {
    const [over, unknown, rings] = [await newCall('ended'), crypto.randomUUID(), await newCall('ringing')]
    for (const id of [over, unknown, rings])
      await db.query(
        `insert into voice_platform.simulated_legs (call_id, caller, callee) values ($1, $2, $2)`,
        [id, '+12025550100'],
      )
    const phone = await line.a.openPhone()
    await heardBy(phone, [{ type: 'ring', callId: rings }])
    await line.a.carrier.hangUp(rings)
    await heardBy(phone, [
      { type: 'ring', callId: rings },
      { type: 'stop', callId: rings },
    ])
    await db.query('delete from voice_platform.simulated_legs')
  })

  it('stop when nobody told them that the call is over', async () => {
    const phone = await line.a.openPhone()
    const callId = await dial()
    await heardBy(phone, [{ type: 'ring' }])
    await db.query('delete from voice_platform.simulated_legs where call_id = $1', [callId])
    clock.advance(10_000)
    await heardBy(phone, [{ type: 'ring' }, { type: 'stop', callId, reason: 'canceled' }])
  })

  it('that have picked up and were forgotten end the call, also when no process heard of it', async () => {
    const callId = await dial()
    await db.query(
      `update voice_platform.simulated_legs set state = 'answered', answered_at = now() - interval '50 seconds'
       where call_id = $1`,
      [callId],
    )
    clock.advance(10_000)
    await db.query('select 1')
    expect(line.a.events).toEqual(['ringing'])
    await db.query(
      `update voice_platform.simulated_legs set answered_at = now() - interval '61 seconds' where call_id = $1`,
      [callId],
    )
    await vi.waitFor(() => {
      clock.advance(10_000)
      expect(line.a.events).toEqual(['ringing', 'ended failed'])
    })
  })
})
