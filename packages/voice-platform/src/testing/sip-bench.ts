import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import type { DialRequest, IncomingAnswer, IncomingCall, IncomingWait, LegEnd } from '../carriers/carrier.js'
import { createSipCarrier, type SipCarrier, type SipCarrierOptions } from '../carriers/sip/sip-carrier.js'
import type { Link } from '../link/link.js'
import { SipPhone } from './sip-phone.js'

export const SIP_CALL_ID = '8f14e45f-ceea-467f-a8f0-3d2c1b5a9e01'

/** A SIP carrier and a phone at the other end, on this machine. */
export interface SipWire {
  carrier: SipCarrier
  phone: SipPhone
  clock: ManualClock
  /** Every line that was logged. */
  log: string[]
  close(): Promise<void>
}

/** A wire whose carrier is connected, and what it reported. */
export interface SipBench extends SipWire {
  reports: string[]
  /** The calls that were reported as picked up. */
  pickedUp: string[]
  links: Link[]
  /** Calls to us, and what becomes of each. */
  incoming: IncomingCall[]
}

export async function openSipWire(options: Partial<SipCarrierOptions> = {}): Promise<SipWire> {
  const phone = new SipPhone()
  await phone.listen()
  const clock = new ManualClock()
  const log: string[] = []
  const carrier = createSipCarrier({
    to: `sip:{number}@127.0.0.1:${phone.port}`,
    bind: { host: '127.0.0.1', port: 0 },
    clock,
    logger: pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }),
    ...options,
  })
  const close = async () => {
    await passing(clock, carrier.close())
    phone.close()
  }
  return { carrier, phone, clock, log, close }
}

export async function openSipBench(
  options: Partial<SipCarrierOptions> = {},
  answer: (wait?: IncomingWait) => Promise<IncomingAnswer> = async () => ({ refusal: 'rejected' }),
): Promise<SipBench> {
  const wire = await openSipWire(options)
  const reports: string[] = []
  const pickedUp: string[] = []
  const links: Link[] = []
  const incoming: IncomingCall[] = []
  wire.carrier.connect({
    onRinging: () => void reports.push('ringing'),
    onPickedUp: async (callId) => void pickedUp.push(callId),
    onMachine: () => {},
    onBackFromTransfer: () => {},
    onIncoming(call, wait) {
      incoming.push(call)
      return answer(wait)
    },
    onAnswered: (_callId, link) => {
      reports.push('answered')
      links.push(link)
    },
    onEnded: (_callId, end: LegEnd) => void reports.push(`ended ${end}`),
  })
  return { ...wire, reports, pickedUp, links, incoming }
}

export const sipDial = (to = '+12025550123', ringSeconds = 25): DialRequest => ({
  callId: SIP_CALL_ID,
  to,
  from: '+12025550100',
  ringSeconds,
})

/** Lets time pass until this is done. */
export async function passing<Result>(clock: ManualClock, work: Promise<Result>): Promise<Result> {
  let isDone = false
  const stop = () => {
    isDone = true
  }
  work.then(stop, stop)
  while (!isDone) {
    await turn()
    clock.advance(20)
  }
  return work
}

/** Waits for what comes over sockets, with a clock that stands still. */
export const untilSip = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 2 })

/** A call that was answered. */
export async function answeredSip(bench: SipBench): Promise<Link> {
  bench.phone.callees.set('+12025550123', 'answers')
  await bench.carrier.dial(sipDial())
  await untilSip(() => expect(bench.reports).toContain('answered'))
  const [link] = bench.links
  if (!link) throw new Error('There is no link of an answered call.')
  return link
}
