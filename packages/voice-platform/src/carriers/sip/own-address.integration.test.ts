import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import type { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freeUdpPort } from '../../testing/baresip.js'
import {
  answeredSip,
  openSipBench,
  passing,
  type SipBench,
  sipDial,
  untilSip,
} from '../../testing/sip-bench.js'
import { probeOwnAddress } from './probe-own-address.js'

const HOST = '127.0.0.1'
const silent = pino({ level: 'silent' })

let port: number
const benches: SipBench[] = []
const sockets: Socket[] = []
beforeEach(async () => {
  port = await freeUdpPort()
})
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close()
  for (const socket of sockets.splice(0)) socket.close()
})

async function open(options: Parameters<typeof openSipBench>[0] = {}): Promise<SipBench> {
  const bench = await openSipBench({ bind: { host: HOST, port }, ...options })
  benches.push(bench)
  return bench
}

/** Another program has our port. */
async function take(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, HOST)
  await once(socket, 'listening')
  sockets.push(socket)
  return socket
}

/** So many seconds pass, with time for the machine to answer. */
async function seconds(clock: ManualClock, count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    clock.advance(1_000)
    for (let n = 0; n < 5; n++) await turn()
  }
}

const canDial = ({ carrier }: SipBench) => carrier.canDial?.()
const dials = (bench: SipBench) => untilSip(() => expect(canDial(bench)).toBe(true))
const linesOf = ({ log }: SipBench, text: string) => log.filter((line) => line.includes(text))

describe('our address for SIP', () => {
  it('is open from the start, before anybody is called', async () => {
    await dials(await open())
    await expect(take()).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('is waited for where it is taken, and nothing is dialled meanwhile', async () => {
    const taken = await take()
    const bench = await open()
    await untilSip(() => expect(linesOf(bench, 'SIP_BIND is taken')).toHaveLength(1))
    expect(canDial(bench)).toBe(false)
    await expect(bench.carrier.prepare?.()).rejects.toMatchObject({ code: 'sip-socket', mayPass: true })
    await expect(bench.carrier.dial(sipDial())).rejects.toMatchObject({ code: 'sip-socket', mayPass: true })
    await seconds(bench.clock, 3)
    expect(canDial(bench)).toBe(false)
    sockets.pop()
    taken.close()
    await once(taken, 'close')
    bench.clock.advance(1_000)
    await dials(bench)
    expect(linesOf(bench, 'SIP_BIND is free')).toHaveLength(1)
  })

  it('that is not of this machine is an error in the log, at once and every ten minutes', async () => {
    const bench = await open({ bind: { host: '192.0.2.1', port } })
    const errors = () => linesOf(bench, '"level":50')
    await untilSip(() => expect(errors()).toHaveLength(1))
    expect(errors()[0]).toContain('SIP_BIND is not of this machine')
    expect(canDial(bench)).toBe(false)
    await expect(bench.carrier.prepare?.()).rejects.toMatchObject({ code: 'sip-socket', mayPass: false })
    await seconds(bench.clock, 590)
    expect(errors()).toHaveLength(1)
    await seconds(bench.clock, 20)
    expect(errors()).toHaveLength(2)
  })

  it('is no fault of the settings where it is taken', async () => {
    const bench = await open()
    await dials(bench)
    await expect(probeOwnAddress({ ...bench, host: HOST, port, logger: silent })).resolves.toBeUndefined()
  })
})

describe('a process that is about to stop', () => {
  it.each([undefined, 'trunk'] as const)(
    'gives its address at once to the next one, where no call needs it (inbound: %s)',
    async (inbound) => {
      const options = inbound && { inbound }
      const before = await open(options)
      await dials(before)
      const next = await open(options)
      await untilSip(() => expect(linesOf(next, 'SIP_BIND is taken')).toHaveLength(1))
      before.carrier.leave?.()
      await seconds(before.clock, 2)
      await untilSip(() => expect(canDial(before)).toBe(false))
      next.clock.advance(1_000)
      await dials(next)
      next.phone.callees.set('+12025550123', 'answers')
      await next.carrier.dial(sipDial())
      await untilSip(() => expect(next.reports).toContain('answered'))
    },
  )

  it('keeps its address until its last call is over', async () => {
    const bench = await open()
    await answeredSip(bench)
    bench.carrier.leave?.()
    await seconds(bench.clock, 10)
    expect(canDial(bench)).toBe(true)
    bench.phone.send('BYE')
    await untilSip(() => expect(bench.reports).toContain('ended hung-up'))
    await untilSip(() => expect(bench.phone.answers.at(-1)?.status).toBe(200))
    await seconds(bench.clock, 2)
    await untilSip(() => expect(canDial(bench)).toBe(false))
    await take()
  })

  it('says goodbye before it gives its address back', async () => {
    const bench = await open()
    await answeredSip(bench)
    bench.carrier.leave?.()
    await bench.carrier.hangUp(sipDial().callId)
    await untilSip(() => expect(bench.phone.requests('BYE')).toHaveLength(1))
    await seconds(bench.clock, 4)
    await untilSip(() => expect(canDial(bench)).toBe(false))
  })

  it('waits no longer for an address that is taken', async () => {
    const taken = await take()
    const bench = await open()
    await untilSip(() => expect(linesOf(bench, 'SIP_BIND is taken')).toHaveLength(1))
    bench.carrier.leave?.()
    sockets.pop()
    taken.close()
    await once(taken, 'close')
    await seconds(bench.clock, 5)
    expect(canDial(bench)).toBe(false)
  })

  it('sends a text by its address, where that is still free, and gives it back once more', async () => {
    const bench = await open()
    await dials(bench)
    bench.carrier.leave?.()
    await seconds(bench.clock, 2)
    await untilSip(() => expect(canDial(bench)).toBe(false))
    const text = { to: '+12025550123', from: '+12025550100', body: 'We called you.' }
    await passing(bench.clock, bench.carrier.sendText(text))
    expect(bench.phone.requests('MESSAGE')).toHaveLength(1)
    await seconds(bench.clock, 2)
    await untilSip(() => expect(canDial(bench)).toBe(false))
    await take()
    await expect(bench.carrier.sendText(text)).rejects.toMatchObject({ code: 'sip-socket' })
  })
})
