import type { Db } from '@heyline/database'
import type { PhoneServerMessage } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { Link } from '../../link.js'
import { ManualClock } from '../../testing/manual-clock.js'
import { openPlatformDb, PLATFORM_DBS } from '../../testing/platform-db.js'
import { socketPair } from '../../testing/socket-pair.js'
import { describeCarrier } from '../carrier.contract.js'
import type { Carrier, CarrierRooms } from '../carrier.js'
import { CalleeLink } from './callee-link.js'
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
    const clock = new ManualClock()
    const closing: (() => Promise<unknown>)[] = []
    const carriers: Carrier[] = []
    let a: ReturnType<typeof startProcess>
    beforeEach(() => {
      a = startProcess()
    })
    afterEach(async () => {
      for (const carrier of carriers.splice(0)) await carrier.close()
      for (const close of closing.splice(0)) await close()
    })

    /** One server process of an installation: its carrier, and the rooms that its platform would have. */
    function startProcess() {
      const events: string[] = []
      let joined: Parameters<CarrierRooms['onJoin']>[0] = () => undefined
      const carrier = createSimulatedCarrier({ db, logger, clock })
      carrier.connect(
        {
          ringing: () => void events.push('ringing'),
          answered: () => void events.push('answered'),
          ended: (_callId, end) => void events.push(`ended ${end}`),
        },
        {
          address: async (callId) => `ws://rooms.example/${callId}`,
          onJoin: (handler) => {
            joined = handler
          },
        },
      )
      carriers.push(carrier)
      return {
        carrier,
        events,
        join: (callId: string, link: Link, gone: Promise<void>) => joined(callId, link, gone),
        openPhone: async () => {
          const pair = await socketPair('phone.v1')
          closing.push(() => pair.close())
          const heard: PhoneServerMessage[] = []
          pair.client.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())))
          carrier.acceptPhone(pair.server)
          return { socket: pair.client, heard }
        },
      }
    }
    const dial = async (to = '+12025550123') => {
      const callId = crypto.randomUUID()
      await a.carrier.dial({ callId, to, from: '+12025550100', ringSeconds: 30 })
      return callId
    }
    const send = (socket: WebSocket, type: 'answer' | 'decline', callId: string) =>
      socket.send(JSON.stringify({ type, callId }))
    const heardBy = (phone: { heard: PhoneServerMessage[] }, messages: Partial<PhoneServerMessage>[]) =>
      vi.waitFor(() => expect(phone.heard).toMatchObject(messages))
    const until = (events: string[]) => vi.waitFor(() => expect(a.events).toEqual(events))

    it('all ring, the first answer wins, and the others stop', async () => {
      const b = startProcess()
      const phones = [await a.openPhone(), await a.openPhone(), await b.openPhone()] as const
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
      expect(a.events).toEqual(['ringing'])
    })

    it('count as answered when the winner comes into the room, in whichever process', async () => {
      const b = startProcess()
      const phone = await a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      send(phone.socket, 'answer', callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
      const link = new CalleeLink(clock)
      b.join(callId, link, link.gone)
      await vi.waitFor(() => expect(b.events).toEqual(['answered']))
      link.close('customer-ended-call')
      await vi.waitFor(() => expect(b.events).toEqual(['answered', 'ended hung-up']))
      expect(a.events).toEqual(['ringing'])
      await vi.waitFor(() => expect(clock.pending).toBe(0))
    })

    it('can be hung up from another process', async () => {
      const b = startProcess()
      const phone = await a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      send(phone.socket, 'answer', callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
      const link = new CalleeLink(clock)
      b.join(callId, link, link.gone)
      await vi.waitFor(() => expect(b.events).toEqual(['answered']))
      await a.carrier.hangUp(callId)
      await vi.waitFor(() => expect(b.events).toEqual(['answered', 'ended hung-up']))
    })

    it('are busy when every one has declined', async () => {
      const b = startProcess()
      const phones = [await a.openPhone(), await a.openPhone(), await b.openPhone()] as const
      const callId = await dial()
      for (const phone of phones) await heardBy(phone, [{ type: 'ring' }])
      const declines: string[] = []
      const stop = await db.listen('voice_platform_phone_line', (payload) => {
        if (payload.includes('declined')) declines.push(payload)
      })
      closing.push(stop)
      send(phones[0].socket, 'decline', callId)
      send(phones[1].socket, 'decline', callId)
      await vi.waitFor(() => expect(declines).toHaveLength(1))
      await db.query('select 1')
      expect(a.events).toEqual(['ringing'])
      send(phones[2].socket, 'decline', callId)
      await until(['ringing', 'ended busy'])
    })

    it('ring no longer than they should', async () => {
      const phone = await a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      await vi.waitFor(() => {
        clock.advance(3_000)
        expect(a.events).toEqual(['ringing', 'ended no-answer'])
      })
      await heardBy(phone, [{ type: 'ring' }, { type: 'stop', callId, reason: 'no-answer' }])
    })

    it('stop when the call is cancelled', async () => {
      const phone = await a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      await a.carrier.hangUp(callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'stop', callId, reason: 'canceled' }])
      expect(a.events).toEqual(['ringing', 'ended canceled'])
    })

    it('ring for a call that began before they were opened', async () => {
      const callId = await dial()
      const phone = await a.openPhone()
      await heardBy(phone, [{ type: 'ring', callId }])
      await db.query('select 1')
      clock.advance(2_500)
      send(phone.socket, 'answer', callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
    })

    it('do not ring for a magic number', async () => {
      const phone = await a.openPhone()
      await dial('+12025550101')
      const late = await a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring', callId }])
      await heardBy(late, [{ type: 'ring', callId }])
    })

    it('that pick up and never come into the room end the call', async () => {
      const phone = await a.openPhone()
      const callId = await dial()
      await heardBy(phone, [{ type: 'ring' }])
      send(phone.socket, 'answer', callId)
      await heardBy(phone, [{ type: 'ring' }, { type: 'answered' }])
      await vi.waitFor(() => {
        clock.advance(5_000)
        expect(a.events).toEqual(['ringing', 'ended failed'])
      })
      const link = new CalleeLink(clock)
      a.join(callId, link, link.gone)
      await link.gone
    })

    it('get nothing for a call that they were not rung for', async () => {
      const phone = await a.openPhone()
      const other = await a.openPhone()
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
      const phone = await a.openPhone()
      const code = new Promise((resolve) => phone.socket.once('close', resolve))
      phone.socket.send(text)
      expect(await code).toBe(1007)
    })

    it('are closed with the carrier', async () => {
      const phone = await a.openPhone()
      const code = new Promise((resolve) => phone.socket.once('close', resolve))
      await a.carrier.close()
      expect(await code).toBe(1001)
    })
  })
})
