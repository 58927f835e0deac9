import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPlatformDb, PLATFORM_DBS } from '../../testing/platform-db.js'
import { describeCarrier } from '../carrier.contract.js'
import { CalleeLink } from './callee-link.js'
import { useLine } from './line-bench.contract.js'
import { createSimulatedCarrier } from './simulated-carrier.js'

const logger = pino({ level: 'silent' })
describe.each(PLATFORM_DBS)('on %s', (kind) => {
  let db: Db
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())

  describeCarrier('the simulated carrier', {
    async makeCarrier() {
      const clock = new ManualClock()
      return {
        carrier: createSimulatedCarrier({ db, logger, clock }),
        numbers: {
          answers: '+12025550199',
          doesNotAnswer: '+12025550101',
          isBusy: '+12025550102',
          isVoicemail: '+12025550103',
          isRefused: '555-0100',
        },
        async pass() {
          clock.advance(250)
          await db.query('select 1')
        },
        // The simulated callee, not spoken to, loses patience.
        calleeHangsUp: async () => clock.advance(10_000),
        close: async () => expect(clock.pending).toBe(0),
      }
    },
  })

  describe('pocket phones', () => {
    const line = useLine(() => db)
    const { clock, startProcess, dial, send, heardBy, until } = line

    it('all ring, the first answer wins, and the others stop', async () => {
      const b = startProcess()
      const phones = [await line.a.openPhone(), await line.a.openPhone(), await b.openPhone()] as const
      const callId = await dial()
      for (const phone of phones)
        await heardBy(phone, [{ type: 'ring', callId, from: '+12025550100', to: '+12025550123' }])
      await until(['ringing'])
      for (const { socket } of phones) send(socket, 'answer', callId)
      await vi.waitFor(() => {
        const ends = phones.map(({ heard }) => heard[1]?.type)
        expect(ends.sort()).toEqual(['answered', 'stop', 'stop'])
      })
      const winner = phones.find(({ heard }) => heard[1]?.type === 'answered')
      expect(winner?.heard[1]).toEqual({ type: 'answered', callId, roomUrl: `ws://rooms.example/${callId}` })
      for (const phone of phones)
        if (phone !== winner)
          expect(phone.heard[1]).toEqual({ type: 'stop', callId, reason: 'answered-elsewhere' })
      expect(line.a.events).toEqual(['ringing'])
    })

    it('count as answered when the winner comes into the room, in whichever process', async () => {
      const b = startProcess()
      const phone = await line.a.openPhone()
      const idle = clock.pending
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      send(phone.socket, 'answer', callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
      const link = new CalleeLink(clock)
      b.join(callId, link, link.gone)
      await vi.waitFor(() => expect(b.events).toEqual(['answered']))
      link.close('customer-ended-call')
      await vi.waitFor(() => expect(b.events).toEqual(['answered', 'ended hung-up']))
      expect(line.a.events).toEqual(['ringing'])
      await vi.waitFor(() => {
        clock.advance(10_000)
        expect(clock.pending).toBe(idle)
      })
    })

    it('can be hung up from another process', async () => {
      const b = startProcess()
      const phone = await line.a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      send(phone.socket, 'answer', callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
      const link = new CalleeLink(clock)
      b.join(callId, link, link.gone)
      await vi.waitFor(() => expect(b.events).toEqual(['answered']))
      await line.a.carrier.hangUp(callId)
      await vi.waitFor(() => expect(b.events).toEqual(['answered', 'ended hung-up']))
    })

    it('are busy when every one has declined', async () => {
      const b = startProcess()
      const phones = [await line.a.openPhone(), await line.a.openPhone(), await b.openPhone()] as const
      const callId = await dial()
      for (const phone of phones) await heardBy(phone, [{ type: 'ring' }])
      const declines: string[] = []
      const stop = await db.listen('voice_platform_phone_line', (payload) => {
        if (payload.includes('declined')) declines.push(payload)
      })
      line.closing.push(stop)
      send(phones[0].socket, 'decline', callId)
      send(phones[1].socket, 'decline', callId)
      await vi.waitFor(() => expect(declines).toHaveLength(1))
      await db.query('select 1')
      expect(line.a.events).toEqual(['ringing'])
      send(phones[2].socket, 'decline', callId)
      await until(['ringing', 'ended busy'])
    })

    it('ring no longer than they should', async () => {
      const phone = await line.a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      await vi.waitFor(() => {
        clock.advance(3_000)
        expect(line.a.events).toEqual(['ringing', 'ended no-answer'])
      })
      await heardBy(phone, [{ type: 'ring' }, { type: 'stop', callId, reason: 'no-answer' }])
    })

    it('stop when the call is cancelled', async () => {
      const phone = await line.a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      await line.a.carrier.hangUp(callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'stop', callId, reason: 'canceled' }])
      expect(line.a.events).toEqual(['ringing', 'ended canceled'])
    })

    it('ring for a call that began before they were opened', async () => {
      const callId = await dial()
      const phone = await line.a.openPhone()
      await heardBy(phone, [{ type: 'ring', callId }])
      await db.query('select 1')
      clock.advance(2_500)
      send(phone.socket, 'answer', callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
    })

    it('do not ring for a magic number', async () => {
      const phone = await line.a.openPhone()
      await dial('+12025550101')
      const late = await line.a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring', callId }])
      await heardBy(late, [{ type: 'ring', callId }])
    })

    it('get nothing for a call that they were not rung for', async () => {
      const phone = await line.a.openPhone()
      const other = await line.a.openPhone()
      const callId = await dial('+12025550101')
      send(phone.socket, 'answer', callId)
      send(phone.socket, 'answer', crypto.randomUUID())
      const rung = await dial()
      await heardBy(other, [{ type: 'ring', callId: rung }])
      await heardBy(phone, [{ type: 'ring', callId: rung }])
    })

    it.each([
      ['nonsense'],
      ['{"type":"answer"}'],
      ['{"type":"answer","callId":"7"}'],
      ['[]'],
      [`{"type":"answer","callId":"${'x'.repeat(2_000)}"}`],
    ])('that send %.40s are closed with 1007', async (text) => {
      const phone = await line.a.openPhone()
      const code = new Promise((resolve) => phone.socket.once('close', resolve))
      phone.socket.send(text)
      expect(await code).toBe(1007)
    })

    it('are closed with the carrier', async () => {
      const phone = await line.a.openPhone()
      const code = new Promise((resolve) => phone.socket.once('close', resolve))
      await line.a.carrier.close()
      expect(await code).toBe(1001)
    })
  })
})
