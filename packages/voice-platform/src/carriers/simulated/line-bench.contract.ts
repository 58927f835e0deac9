import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { hashOf } from '@heyline/kit/secret'
import type { PhoneServerMessage } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { Link } from '../../link/link.js'
import { socketPair } from '../../testing/socket-pair.js'
import type { CarrierRooms, GuestRoom } from '../carrier.js'
import { createSimulatedCarrier } from './simulated-carrier.js'

/** Server processes of one installation, each with its carrier and its pocket phones; `a` is the one that dials. */
export function useLine(db: () => Db) {
  const clock = new ManualClock()
  const closing: (() => Promise<unknown>)[] = []
  /** Every line that was logged in the test. */
  const log: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) })

  /** One process: its carrier, and the rooms that its platform would have. */
  function startProcess() {
    const events: string[] = []
    /** What the platform was given. */
    const links: Link[] = []
    let joined: Parameters<CarrierRooms['onJoin']>[0] = () => undefined
    const guests = new Map<string, GuestRoom>()
    const carrier = createSimulatedCarrier({ db: db(), logger, clock })
    carrier.connect(
      {
        onRinging: () => void events.push('ringing'),
        onAnswered(_callId, link) {
          events.push('answered')
          links.push(link)
        },
        onMachine: () => undefined,
        onBackFromTransfer(_callId, link, why) {
          events.push(`back ${why}`)
          links.push(link)
        },
        onIncoming: async () => ({ refusal: 'rejected' }),
        onEnded: (_callId, end) => void events.push(`ended ${end}`),
      },
      {
        async address(callId) {
          await db().query('select 1')
          return `ws://rooms.example/${callId}`
        },
        onJoin(handler) {
          joined = handler
        },
        guestAddress: (id, secret) => `ws://rooms.example/${id}?secret=${secret}`,
        openGuestRoom(id, guest) {
          guests.set(id, guest)
          return () => guests.delete(id)
        },
      },
    )
    closing.unshift(() => carrier.close())
    return {
      carrier,
      events,
      links,
      /** Somebody comes to this process with the address of a guest's room. False where they are not let in. */
      async enter(address: string, link: Link, gone: Promise<void>) {
        const { pathname, searchParams } = new URL(address)
        const guest = guests.get(pathname.slice(1))
        if (!(await guest?.admit(hashOf(searchParams.get('secret') ?? '')))) return false
        guest?.joined(link, gone)
        return true
      },
      join: (callId: string, link: Link, gone: Promise<void>) => joined(callId, link, gone),
      async openPhone() {
        const pair = await socketPair('phone.v1')
        closing.push(() => pair.close())
        const heard: PhoneServerMessage[] = []
        pair.client.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())))
        carrier.acceptPhone(pair.server)
        return { socket: pair.client, server: pair.server, heard }
      },
    }
  }

  let started: ReturnType<typeof startProcess> | undefined
  const line = {
    clock,
    log,
    /** What is done after the test. */
    closing,
    startProcess,
    /** The process that dials, made anew for every test. */
    get a(): ReturnType<typeof startProcess> {
      if (!started) throw new Error('There is a process only while a test runs.')
      return started
    },
    async newCall(status = 'ringing'): Promise<string> {
      const { rows } = await db().query<{ id: string }>(
        `insert into voice_platform.calls (type, assistant, owner, status, ended_reason)
         values ('outboundPhoneCall', '{}', $1, $2, $3) returning id`,
        [crypto.randomUUID(), status, status === 'ended' ? 'worker-shutdown' : null],
      )
      return rows[0]?.id ?? ''
    },
    async dial(to = '+12025550123'): Promise<string> {
      const callId = await line.newCall()
      await line.a.carrier.dial({ callId, to, from: '+12025550100', ringSeconds: 30 })
      return callId
    },
    send: (socket: WebSocket, type: 'answer' | 'decline', callId: string) =>
      socket.send(JSON.stringify({ type, callId })),
    heardBy: (phone: { heard: PhoneServerMessage[] }, messages: Partial<PhoneServerMessage>[]) =>
      vi.waitFor(() => expect(phone.heard).toMatchObject(messages)),
    /** Until the process that dials has reported this. */
    until: (events: string[]) => vi.waitFor(() => expect(line.a.events).toEqual(events)),
  }
  beforeEach(() => {
    log.length = 0
    started = startProcess()
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  return line
}
