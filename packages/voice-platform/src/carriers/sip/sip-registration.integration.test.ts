import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openSipBench, passing, type SipBench, sipDial, untilSip } from '../../testing/sip-bench.js'
import { SipPhone } from '../../testing/sip-phone.js'

const ACCOUNT = { user: 'heyline', password: 'a secret' }
const ASKED = { status: 401 as const, line: 'Digest realm="office", nonce="n1", qop="auth"' }
const NOT_REGISTERED = 'not registered at the SIP server: no call comes in'

let server: SipPhone
let bench: SipBench
afterEach(async () => {
  await bench.close()
  server.close()
})

/** A carrier that registers at a server. */
async function open(prepare: (server: SipPhone) => void = () => {}) {
  server = new SipPhone()
  await server.listen()
  prepare(server)
  bench = await openSipBench({
    to: 'sip:{number}@office.example',
    proxy: { host: '127.0.0.1', port: server.port },
    account: ACCOUNT,
    inbound: 'register',
  })
  await untilSip(() => expect(server.requests('REGISTER').length).toBeGreaterThan(0))
}
const registers = () => server.requests('REGISTER')
const expires = () => registers().map(({ headers }) => headers.get('expires'))
/** How often we have left the server, however often that was sent. */
const left = () =>
  new Set(
    registers()
      .filter(({ headers }) => headers.get('expires') === '0')
      .map(({ headers }) => headers.get('cseq')),
  ).size
/** Time goes on in small steps, with turns for the sockets. */
async function pass(milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    bench.clock.advance(500)
    for (let n = 0; n < 5; n++) await turn()
  }
}
const registered = () =>
  untilSip(() => expect(bench.log.join()).toContain('"registered at the SIP server: it sends us calls"'))

describe('registering by SIP', () => {
  it('tells the server where we are, proves it, and is renewed before its time is over', async () => {
    await open((phone) => {
      phone.challenge = ASKED
    })
    await registered()
    const [, proven] = registers()
    expect(proven?.uri).toBe('sip:office.example')
    expect(proven?.headers.get('to')).toBe('<sip:heyline@office.example>')
    expect(proven?.headers.get('contact')).toMatch(/^<sip:heyline@127\.0\.0\.1:\d+>$/)
    expect(proven?.headers.get('authorization')).toContain('username="heyline"')
    expect(registers()).toHaveLength(2)
    await pass(239_000)
    expect(registers()).toHaveLength(2)
    await pass(2_000)
    await untilSip(() => expect(registers()).toHaveLength(4))
    expect(new Set(registers().map(({ headers }) => headers.get('call-id'))).size).toBe(1)
    expect(registers().map(({ headers }) => headers.get('cseq'))).toEqual(
      [1, 2, 3, 4].map((n) => `${n} REGISTER`),
    )
  })

  it('is for as long as the server says, and never renewed in a hurry', async () => {
    const headers: Array<[string, string]> = [
      ['contact', '<sip:other@127.0.0.9>;expires=9999, <sip:heyline@127.0.0.1>;expires=1'],
    ]
    await open((phone) => void phone.scripted.push({ method: 'REGISTER', status: 200, headers }))
    await registered()
    await pass(23_000)
    expect(registers()).toHaveLength(1)
    await pass(2_000)
    expect(registers()).toHaveLength(2)
  })

  it('takes a longer time where the server wants one (423)', async () => {
    const headers: Array<[string, string]> = [['min-expires', '1800']]
    await open((phone) => void phone.scripted.push({ method: 'REGISTER', status: 423, headers }))
    await registered()
    expect(expires()).toEqual(['300', '1800'])
  })

  it.each(['999999999', 'never', '60'])('does not follow a server that wants %s s', async (least) => {
    const headers: Array<[string, string]> = [['min-expires', least]]
    await open((phone) => void phone.scripted.push({ method: 'REGISTER', status: 423, headers }))
    await untilSip(() => expect(bench.log.join()).toContain(NOT_REGISTERED))
    expect(expires()).toEqual(['300'])
  })

  it('is tried again, less and less often, and told once', async () => {
    await open((phone) => {
      for (let n = 0; n < 4; n++) phone.scripted.push({ method: 'REGISTER', status: 503 })
    })
    await untilSip(() => expect(bench.log.join()).toContain(NOT_REGISTERED))
    const times = [bench.clock.now()]
    const known = new Set(registers().map(({ headers }) => headers.get('cseq')))
    server.onRequest = ({ headers }) => {
      if (known.has(headers.get('cseq'))) return
      known.add(headers.get('cseq'))
      times.push(bench.clock.now())
    }
    await pass(90_000)
    const waits = times.slice(1).map((at, n) => (at - (times[n] ?? 0)) / 1_000)
    expect(waits).toHaveLength(4)
    for (const [n, seconds] of [5, 10, 20, 40].entries()) {
      expect(waits[n]).toBeGreaterThan(seconds - 1)
      expect(waits[n]).toBeLessThan(seconds + 5)
    }
    await registered()
    expect(bench.log.filter((line) => line.includes(NOT_REGISTERED))).toHaveLength(1)
  })

  it('with a wrong password is tried once a minute at most, without the password in the log', async () => {
    await open((phone) => {
      for (let n = 0; n < 20; n++)
        phone.scripted.push({
          method: 'REGISTER',
          status: 401,
          headers: [['www-authenticate', 'Digest realm="office", nonce="n1"']],
        })
    })
    await untilSip(() => expect(bench.log.join()).toContain('SIP_PASSWORD'))
    await pass(58_000)
    expect(registers()).toHaveLength(2)
    await pass(4_000)
    await untilSip(() => expect(registers()).toHaveLength(4))
    expect(bench.log.join()).not.toContain('a secret')
  })

  it('ends when the carrier closes', async () => {
    await open()
    await registered()
    await passing(bench.clock, bench.carrier.close())
    expect(expires()).toEqual(['300', '0'])
  })

  it('ends when the process is about to stop, once, while calls go on', async () => {
    await open()
    await registered()
    server.callees.set('+12025550123', 'answers')
    await bench.carrier.dial(sipDial())
    await untilSip(() => expect(bench.reports).toContain('answered'))
    bench.carrier.leave?.()
    bench.carrier.leave?.()
    await untilSip(() => expect(left()).toBe(1))
    await pass(300_000)
    expect(expires().filter((seconds) => seconds !== '0')).toEqual(['300'])
    expect(server.requests('BYE')).toEqual([])
    bench.links[0]?.close('customer-ended-call')
    await untilSip(() => expect(server.requests('BYE')).toHaveLength(1))
    await passing(bench.clock, bench.carrier.close())
    expect(left()).toBe(1)
  })

  it('ends, too, when the process is told to stop before the server has answered', async () => {
    await open((phone) => {
      phone.onRequest = () => bench.carrier.leave?.()
    })
    await untilSip(() => expect(expires()).toEqual(['300', '0']))
  })

  it('does not keep a carrier from closing when the server is gone', async () => {
    await open()
    await registered()
    server.isDead = true
    const before = bench.clock.now()
    await passing(bench.clock, bench.carrier.close())
    expect(bench.clock.now() - before).toBeLessThan(5_000)
  })
})
