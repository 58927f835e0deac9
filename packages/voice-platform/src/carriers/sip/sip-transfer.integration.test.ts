import { afterEach, describe, expect, it } from 'vitest'
import type { Link } from '../../link/link.js'
import {
  answeredSip,
  openSipBench,
  passing,
  SIP_CALL_ID,
  type SipBench,
  sipDial,
  untilSip,
} from '../../testing/sip-bench.js'
import { CarrierRefusal } from '../carrier.js'

const SALES = { callId: SIP_CALL_ID, to: '+12025550142', from: '+12025550100', seconds: 300 }

let bench: SipBench
afterEach(() => bench.close())

/** A call that somebody has answered, and what became of its link. */
async function answered() {
  bench = await openSipBench({ account: { user: 'heyline', password: 'a secret' } })
  const link: Link = await answeredSip(bench)
  const closed: string[] = []
  link.open({
    onAudio: () => {},
    onMessage: () => {},
    onDigit: () => {},
    onClosed: (reason) => closed.push(reason),
  })
  /** What happened, in its order. */
  const order: string[] = []
  const transfer = async (more: object = {}) => {
    await bench.carrier.transfer?.({ ...SALES, ...more })
    order.push(`transferred, ${bench.reports.at(-1)}`)
  }
  return { ...bench, link, closed, order, transfer }
}
const referred = () => untilSip(() => expect(bench.phone.requests('REFER')).toHaveLength(1))
const told = (...statuses: number[]) =>
  untilSip(() => expect(bench.phone.answers.map(({ status }) => status)).toEqual(statuses))

describe('a transfer by SIP', () => {
  it('asks the phone to call the number, and ends our call once somebody has answered there', async () => {
    const { phone, transfer, closed, order } = await answered()
    const transferring = transfer()
    await referred()
    const [refer] = phone.requests('REFER')
    expect(refer?.headers.get('refer-to')).toBe(`<sip:+12025550142@127.0.0.1:${phone.port}>`)
    expect(refer?.headers.get('referred-by')).toBe('<sip:heyline@127.0.0.1>')
    phone.notify('100 Trying')
    phone.notify('180 Ringing')
    await told(200, 200)
    expect([closed, phone.requests('BYE')]).toEqual([[], []])
    phone.notify('200 OK', 'terminated;reason=noresource')
    await transferring
    await untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
    expect(closed).toEqual(['left'])
    // Whoever asked hears of the transfer first.
    expect(order).toEqual(['transferred, answered'])
    await untilSip(() => expect(bench.reports).toEqual(['ringing', 'answered', 'ended hung-up']))
  })

  it('proves who we are where it is asked', async () => {
    const { phone, transfer } = await answered()
    phone.challenge = { status: 401, line: 'Digest realm="office", nonce="n1"' }
    const transferring = transfer()
    await untilSip(() => expect(phone.requests('REFER')).toHaveLength(2))
    expect(phone.requests('REFER')[1]?.headers.get('authorization')).toMatch(/^Digest /)
    phone.notify('200 OK')
    await transferring
  })

  it.each([405, 403, 603])('that the phone refuses with %s leaves the call as it was', async (status) => {
    const { phone, transfer, closed } = await answered()
    phone.referAnswer = status
    await expect(transfer()).rejects.toMatchObject({ name: 'CarrierRefusal', code: `sip-${status}` })
    expect([closed, bench.reports]).toEqual([[], ['ringing', 'answered']])
    // It may be tried with another number.
    phone.referAnswer = 202
    const again = transfer()
    await untilSip(() => expect(phone.requests('REFER')).toHaveLength(2))
    phone.notify('200 OK')
    await again
  })

  it.each(['486 Busy Here', '603 Decline', '480 Temporarily Unavailable'])(
    'to somebody who answers with %s leaves the call as it was',
    async (status) => {
      const { phone, transfer, closed } = await answered()
      const transferring = transfer()
      await referred()
      phone.notify(status, 'terminated;reason=noresource')
      const refusal = await transferring.catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(CarrierRefusal)
      expect(String(refusal)).not.toContain('2025550142')
      expect([closed, bench.reports]).toEqual([[], ['ringing', 'answered']])
    },
  )

  it('of which nobody tells more is unclear, and the call goes on', async () => {
    const { phone, clock, transfer, closed } = await answered()
    const transferring = transfer().catch((error: unknown) => error)
    await referred()
    phone.notify('100 Trying')
    await told(200)
    clock.advance(60_000)
    const error = await transferring
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(CarrierRefusal)
    expect(closed).toEqual([])
    // News that comes after that is of nothing that we know.
    phone.notify('200 OK')
    await untilSip(() => expect(phone.answers.at(-1)?.status).toBe(481))
  })

  it('is done where the phone takes the task and hangs up on us', async () => {
    const { phone, transfer, closed, order } = await answered()
    const transferring = transfer()
    await referred()
    phone.notify('100 Trying')
    await told(200)
    phone.send('BYE')
    await transferring
    expect(closed).toEqual(['left'])
    expect(order).toEqual(['transferred, answered'])
    await untilSip(() => expect(bench.reports.at(-1)).toBe('ended hung-up'))
    expect(phone.requests('BYE')).toEqual([])
  })

  it('is one at a time, and only of a call that somebody has answered', async () => {
    const { phone, transfer, carrier } = await answered()
    const transferring = transfer()
    await referred()
    await expect(transfer()).rejects.toThrow(CarrierRefusal)
    phone.notify('200 OK')
    await transferring
    await expect(transfer()).rejects.toThrow(CarrierRefusal)
    await expect(carrier.transfer?.({ ...SALES, callId: crypto.randomUUID() })).rejects.toMatchObject({
      code: 'not_answered',
    })
    expect(phone.requests('REFER')).toHaveLength(1)
  })

  it('of a phone that still rings is refused', async () => {
    bench = await openSipBench()
    await passing(bench.clock, bench.carrier.dial(sipDial()))
    await expect(bench.carrier.transfer?.(SALES)).rejects.toMatchObject({ code: 'not_answered' })
  })

  it('to an extension is refused, as nobody can press its keys', async () => {
    const { transfer, phone } = await answered()
    await expect(transfer({ extension: 'w12' })).rejects.toMatchObject({ code: 'sip-extension' })
    expect(phone.requests('REFER')).toEqual([])
  })

  it('is refused where SIP_TO is one phone, which would call itself', async () => {
    bench = await openSipBench({ to: 'sip:desk@127.0.0.1' })
    await expect(bench.carrier.transfer?.(SALES)).rejects.toMatchObject({ code: 'sip-one-phone' })
  })

  it('is not what other news tells of', async () => {
    const { phone, transfer } = await answered()
    const transferring = transfer()
    await referred()
    phone.send('NOTIFY', 'SIP/2.0 200 OK', { headers: [['event', 'message-summary']] })
    await told(489)
    phone.notify('200 OK')
    await transferring
  })
})
