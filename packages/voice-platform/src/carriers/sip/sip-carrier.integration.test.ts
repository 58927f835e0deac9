import { afterEach, describe, expect, it } from 'vitest'
import { openSipBench, passing, type SipBench, sipDial, untilSip } from '../../testing/sip-bench.js'
import { StallGuard } from '../stall-guard.js'
import type { SipCarrierOptions } from './sip-carrier.js'
import type { SipRequest } from './sip-message.js'

const NUMBER = '+12025550123'
const ACCOUNT = { user: 'heyline', password: 'a secret' }

let bench: SipBench
afterEach(() => bench.close())

async function open(options: Partial<SipCarrierOptions> = {}) {
  bench = await openSipBench(options)
  return bench
}

/** Dials, lets time pass until the phone's answer is there, and a little more. */
const dialled = (to = NUMBER) => passing(bench.clock, bench.carrier.dial(sipDial(to)))
const reported = (...reports: string[]) => untilSip(() => expect(bench.reports).toEqual(reports))
const branches = (requests: SipRequest[]) => new Set(requests.map(({ headers }) => headers.get('via')))

describe('a call', () => {
  it('offers PCMU and keys, and says who calls', async () => {
    const { phone } = await open({ from: '"Heyline" <sip:{digits}@office.example>' })
    await dialled()
    const [invite] = phone.requests('INVITE')
    expect(invite?.uri).toBe(`sip:${NUMBER}@127.0.0.1:${phone.port}`)
    expect(invite?.headers.get('from')).toMatch(/^"Heyline" <sip:12025550100@office\.example>;tag=\w{32}$/)
    expect(invite?.headers.get('via')).toMatch(/^SIP\/2\.0\/UDP 127\.0\.0\.1:\d+;branch=z9hG4bK\w{32};rport$/)
    expect(invite?.body).toMatch(/m=audio \d+ RTP\/AVP 0 101\r\n/)
    expect(invite?.body).toContain('c=IN IP4 127.0.0.1')
  })

  it('goes to the proxy, whatever host the address names', async () => {
    const other = await openSipBench()
    await open({ to: 'sip:{number}@nowhere.invalid', proxy: { host: 'localhost', port: other.phone.port } })
    await dialled()
    expect(other.phone.requests('INVITE')).toMatchObject([{ uri: `sip:${NUMBER}@nowhere.invalid` }])
    await bench.close()
    bench = other
  })

  it('is placed once, however often its INVITE is lost', async () => {
    const { phone, clock, carrier } = await open()
    phone.loses = (datagram) => datagram <= 3
    phone.callees.set(NUMBER, 'answers')
    await passing(clock, carrier.dial(sipDial()))
    await reported('ringing', 'answered')
    clock.advance(40_000)
    await untilSip(() => expect(phone.requests('ACK').length).toBeGreaterThan(0))
    expect(branches(phone.requests('INVITE')).size).toBe(1)
    expect(bench.reports).toEqual(['ringing', 'answered'])
  })

  it('is not placed a second time', async () => {
    await open()
    await dialled()
    await expect(bench.carrier.dial(sipDial())).rejects.toMatchObject({ code: 'already_dialled' })
    expect(branches(bench.phone.requests('INVITE')).size).toBe(1)
  })

  it('confirms an answer that comes again, as its ACK was lost', async () => {
    const { phone } = await open()
    await dialled()
    phone.pickUp()
    await untilSip(() => expect(phone.requests('ACK')).toHaveLength(1))
    phone.pickUp()
    await untilSip(() => expect(phone.requests('ACK')).toHaveLength(2))
    expect(phone.requests('ACK')[1]?.headers.get('cseq')).toBe('1 ACK')
    await reported('ringing', 'answered')
  })

  it('hangs up on a second phone that picks up', async () => {
    const { phone } = await open()
    await dialled()
    phone.pickUp('first')
    await reported('ringing', 'answered')
    phone.pickUp('second')
    await untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
    expect(phone.requests('BYE')[0]?.headers.get('to')).toMatch(/tag=second$/)
    await reported('ringing', 'answered')
  })

  it('takes the way back that proxies have asked for, the nearest first', async () => {
    const { phone } = await open()
    const near = `<sip:127.0.0.1:${phone.port};lr>`
    phone.extra = [['record-route', `<sip:far.invalid;lr>, ${near}`]]
    await dialled()
    phone.pickUp()
    await untilSip(() => expect(phone.requests('ACK')).toHaveLength(1))
    const [ack] = phone.requests('ACK')
    expect(ack?.uri).toBe(`sip:phone@127.0.0.1:${phone.port}`)
    expect(ack?.headers.lines('route')).toEqual([near, '<sip:far.invalid;lr>'])
  })
})

describe('who we are', () => {
  it.each([401, 407] as const)('is proven where it is asked with %s, by a new INVITE', async (status) => {
    const { phone } = await open({ account: ACCOUNT })
    phone.challenge = { status, line: 'Digest realm="office", nonce="n1", qop="auth", algorithm=SHA-256' }
    phone.callees.set(NUMBER, 'answers')
    await dialled()
    await reported('ringing', 'answered')
    const [first, second] = phone.requests('INVITE')
    expect([first, second].map((invite) => invite?.headers.get('cseq'))).toEqual(['1 INVITE', '2 INVITE'])
    expect(branches(phone.requests('INVITE')).size).toBe(2)
    expect(first?.headers.get('call-id')).toBe(second?.headers.get('call-id'))
    await bench.carrier.hangUp(sipDial().callId)
    // The BYE is asked, too.
    await untilSip(() => expect(phone.requests('BYE')).toHaveLength(2))
  })

  it('is refused in words when the password is wrong, and asked no more', async () => {
    const { phone } = await open({ account: ACCOUNT })
    phone.callees.set(NUMBER, 401)
    phone.extra = [['www-authenticate', 'Digest realm="office", nonce="n1"']]
    await expect(dialled()).rejects.toMatchObject({
      code: 'sip-401',
      message: expect.stringContaining('SIP_PASSWORD'),
    })
    expect(phone.requests('INVITE')).toHaveLength(2)
    expect(bench.reports).toEqual([])
  })

  it('is asked for in words where there is no account', async () => {
    const { phone } = await open()
    phone.challenge = { status: 407, line: 'Digest realm="office", nonce="n1"' }
    await expect(dialled()).rejects.toMatchObject({ code: 'sip-407' })
    expect(phone.requests('INVITE')).toHaveLength(1)
  })

  it('is never logged', async () => {
    const { phone } = await open({ account: ACCOUNT })
    phone.challenge = { status: 401, line: 'Digest realm="office", nonce="n1"' }
    await dialled()
    expect(bench.log.join()).not.toMatch(/a secret|2025550123/)
  })
})

describe('a phone that does not answer', () => {
  it.each([
    [404, 'misdialed'],
    [410, 'misdialed'],
    [484, 'misdialed'],
    [604, 'misdialed'],
    [486, 'busy'],
    [600, 'busy'],
    [603, 'busy'],
    [480, 'no-answer'],
    [408, 'no-answer'],
    [487, 'no-answer'],
  ])('with %s is told as %s', async (status, end) => {
    const { phone } = await open()
    phone.callees.set(NUMBER, status)
    await dialled()
    await reported(`ended ${end}`)
    expect(bench.pickedUp).toEqual([])
    await untilSip(() => expect(phone.requests('ACK')).toHaveLength(1))
  })

  it.each([
    [302, false],
    [403, false],
    [488, false],
    [500, true],
    [503, true],
  ])('with %s refuses the call at once; that the lines fail is %s', async (status, isOfLines) => {
    const { phone } = await open()
    phone.callees.set(NUMBER, status)
    const refusal = {
      name: 'CarrierRefusal',
      code: `sip-${status}`,
      isOfLines,
      message: expect.stringContaining(String(status)),
    }
    await expect(dialled()).rejects.toMatchObject(refusal)
    expect(bench.reports).toEqual([])
  })

  it('with an error after it rang has failed', async () => {
    const { phone } = await open()
    await dialled()
    phone.refuse(503)
    await reported('ringing', 'ended failed')
  })

  it('or with video only has failed, and is hung up', async () => {
    const { phone } = await open()
    phone.sdp = 'v=0\r\nm=video 9000 RTP/AVP 96\r\n'
    phone.callees.set(NUMBER, 'answers')
    await dialled()
    await reported('ringing', 'ended failed')
    // The trunk bills it all the same.
    expect(bench.pickedUp).toEqual([sipDial().callId])
    await untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
    expect(phone.requests('ACK')).toHaveLength(1)
  })

  it('is no longer rung when the time is over', async () => {
    const { phone, clock } = await open()
    await dialled()
    clock.advance(24_900)
    expect(bench.reports).toEqual(['ringing'])
    clock.advance(200)
    await reported('ringing', 'ended no-answer')
    await untilSip(() => expect(phone.requests('CANCEL')).toHaveLength(1))
    expect(branches(phone.requests('CANCEL'))).toEqual(branches(phone.requests('INVITE')))
  })

  it('that picks up as it is called off is hung up on', async () => {
    const { phone, carrier } = await open()
    await dialled()
    phone.loses = (_datagram, message) => message.kind === 'request' && message.method === 'CANCEL'
    await carrier.hangUp(sipDial().callId)
    phone.pickUp()
    await untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
    await reported('ringing', 'ended canceled')
    expect(phone.requests('ACK')).toHaveLength(1)
  })
})

describe('a process that stands still before its INVITE', () => {
  it('sends none once it wakes, and gives the port back', async () => {
    await open({ rtpPorts: { from: 41_000, to: 41_001 } })
    const guard = new StallGuard(bench.clock)
    bench.clock.advance(6_000)
    await expect(bench.carrier.dial(sipDial(), guard)).rejects.toMatchObject({
      code: 'stalled',
      mayPass: true,
    })
    expect(bench.phone.requests('INVITE')).toEqual([])
    await passing(bench.clock, bench.carrier.dial(sipDial(), new StallGuard(bench.clock)))
    expect(bench.phone.requests('INVITE')).toHaveLength(1)
  })
})

describe('a server that says nothing', () => {
  async function unheard() {
    await open()
    bench.phone.callees.set(NUMBER, 'silent')
    const started = bench.clock.now()
    await dialled()
    expect(bench.clock.now() - started).toBeLessThan(10_100)
    await reported('ended unheard')
    return bench
  }

  it('lets nobody wait for more than 10 s, and is asked no more', async () => {
    const { phone, clock } = await unheard()
    const asked = phone.requests('INVITE').length
    for (let second = 0; second < 60; second++) clock.advance(1_000)
    // It shows that all before has arrived.
    const other = { ...sipDial(), callId: crypto.randomUUID() }
    void bench.carrier.dial(other)
    await untilSip(() => expect(phone.requests('INVITE')).toHaveLength(asked + 1))
    expect(branches(phone.requests('INVITE')).size).toBe(2)
    expect(bench.reports).toEqual(['ended unheard'])
  })

  it('gets the CANCEL if it says late that the phone rings', async () => {
    const { phone } = await unheard()
    phone.ring()
    await untilSip(() => expect(phone.requests('CANCEL')).toHaveLength(1))
    expect(branches(phone.requests('CANCEL'))).toEqual(branches(phone.requests('INVITE')))
    expect(bench.reports).toEqual(['ended unheard'])
  })

  it('is hung up on if somebody answers late', async () => {
    const { phone } = await unheard()
    phone.pickUp()
    await untilSip(() => expect(phone.requests('BYE')).toHaveLength(1))
    expect(phone.requests('ACK')).toHaveLength(1)
    expect(bench.reports).toEqual(['ended unheard'])
  })

  it('after it has asked who we are has some seconds more', async () => {
    const { phone, clock } = await open({ account: ACCOUNT })
    const asked = clock.now()
    phone.challenge = { status: 401, line: 'Digest realm="office", nonce="n1", qop="auth"' }
    phone.callees.set(NUMBER, 'answers')
    // It hears the first INVITE after 7.5 s, and the proof 3.5 s later.
    phone.loses = (datagram) => datagram <= 4 || (datagram >= 7 && datagram <= 9)
    await dialled()
    await reported('ringing', 'answered')
    expect(clock.now() - asked).toBeGreaterThan(10_000)
  })

  it('but that it tries has the phone’s time to ring', async () => {
    const { phone, clock } = await open()
    phone.callees.set(NUMBER, 100)
    await dialled()
    clock.advance(10_000)
    expect(bench.reports).toEqual([])
    clock.advance(15_000)
    await reported('ended no-answer')
  })

  it('gets the CANCEL once it has said something', async () => {
    const { phone, clock, carrier } = await open()
    phone.loses = (datagram) => datagram <= 2
    const dialling = carrier.dial(sipDial())
    await untilSip(() => expect(clock.pending).toBeGreaterThan(0))
    await carrier.hangUp(sipDial().callId)
    await passing(clock, dialling)
    expect(bench.reports).toEqual(['ended canceled'])
    expect(phone.requests('CANCEL')).toEqual([])
    clock.advance(4_000)
    await untilSip(() => expect(phone.requests('CANCEL')).toHaveLength(1))
    expect(bench.reports).toEqual(['ended canceled'])
  })

  it('is not to be found by its name', async () => {
    await open({ to: 'sip:{number}@nowhere.invalid' })
    await expect(dialled()).rejects.toMatchObject({ name: 'CarrierRefusal', code: 'sip-unknown-host' })
  })
})

describe('our own ports', () => {
  it('that are taken are named', async () => {
    await open()
    const { port } = bench.phone
    const taken = await openSipBench({ bind: { host: '127.0.0.1', port } })
    await expect(taken.carrier.dial(sipDial())).rejects.toMatchObject({
      code: 'sip-socket',
      message: expect.stringContaining('SIP_BIND'),
    })
    await taken.close()
  })

  it('for audio may run out, and are free again after a call', async () => {
    await open({ rtpPorts: { from: 41_000, to: 41_001 } })
    await dialled()
    const other = { ...sipDial(), callId: crypto.randomUUID() }
    await expect(bench.carrier.dial(other)).rejects.toMatchObject({ code: 'sip-no-port' })
    await bench.carrier.hangUp(sipDial().callId)
    await passing(bench.clock, bench.carrier.dial(other))
    expect(bench.phone.requests('INVITE')).toHaveLength(2)
  })
})

describe('in the call', () => {
  async function talking() {
    await open()
    bench.phone.callees.set(NUMBER, 'answers')
    await dialled()
    await reported('ringing', 'answered')
    expect(bench.pickedUp).toEqual([sipDial().callId])
    await untilSip(() => expect(bench.phone.requests('ACK')).toHaveLength(1))
    return bench
  }
  const answered = (...statuses: number[]) =>
    untilSip(() => expect(bench.phone.answers.map(({ status }) => status)).toEqual(statuses))

  it('a BYE that comes twice ends it once, and is answered twice', async () => {
    const { phone } = await talking()
    const bye = phone.send('BYE')
    phone.sendAgain(bye)
    await answered(200, 200)
    await reported('ringing', 'answered', 'ended hung-up')
    expect(phone.requests('BYE')).toEqual([])
  })

  it('other audio is taken, and answered until the ACK comes', async () => {
    const { phone, clock } = await talking()
    phone.send('INVITE', phone.description({ direction: 'sendonly' }))
    await answered(200)
    expect(phone.answers[0]?.body).toContain('a=recvonly')
    clock.advance(500)
    await answered(200, 200)
    phone.send('ACK', '', { cseq: 41 })
    await untilSip(() => expect(phone.received.length).toBeGreaterThan(0))
    phone.send('OPTIONS')
    await answered(200, 200, 200)
    clock.advance(10_000)
    await answered(200, 200, 200)
  })

  it('an INVITE without an offer is answered with ours', async () => {
    const { phone } = await talking()
    phone.send('INVITE')
    await answered(200)
    expect(phone.answers[0]?.body).toMatch(/m=audio \d+ RTP\/AVP 0 101/)
  })

  it('audio that we do not speak is refused, and the call goes on', async () => {
    const { phone } = await talking()
    phone.send('INVITE', phone.description().replace('RTP/AVP 0 101', 'RTP/AVP 8'))
    await answered(488)
    phone.send('OPTIONS')
    await answered(488, 200)
    await reported('ringing', 'answered')
  })

  it('a second change has to wait for the first', async () => {
    const { phone } = await talking()
    phone.send('INVITE', phone.description())
    phone.send('INVITE', phone.description())
    await answered(200, 491)
  })

  it('a change whose ACK never comes does not stand in the way of others for ever', async () => {
    const { phone, clock } = await talking()
    phone.send('INVITE', phone.description())
    await answered(200)
    clock.advance(33_000)
    phone.received.length = 0
    phone.send('INVITE', phone.description())
    await untilSip(() => expect(phone.answers.at(-1)?.headers.get('cseq')).toBe('42 INVITE'))
    expect(phone.answers.at(-1)?.status).toBe(200)
  })

  it('what we do not know, and what comes too late, is refused', async () => {
    const { phone } = await talking()
    phone.send('INFO')
    await answered(405)
    phone.send('OPTIONS', '', { cseq: 3 })
    await answered(405, 500)
  })

  it('a phone that says nothing for long is asked, and lost when it does not answer', async () => {
    const { phone, clock } = await talking()
    clock.advance(30_000)
    await untilSip(() => expect(phone.requests('OPTIONS')).toHaveLength(1))
    await reported('ringing', 'answered')
    phone.isDead = true
    for (let n = 0; n < 200 && bench.reports.length < 3; n++) {
      clock.advance(500)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await reported('ringing', 'answered', 'ended hung-up')
    expect(bench.log.join()).toContain('answers no more')
  })
})

it('sends a text to the phone of a number, and to no other', async () => {
  const { phone } = await open()
  const text = { to: NUMBER, from: '+12025550100', body: 'Your code is 123456. Grüße' }
  await passing(bench.clock, bench.carrier.sendText(text))
  expect(phone.requests('MESSAGE')).toMatchObject([{ body: text.body }])
  expect(phone.requests('MESSAGE')[0]?.headers.get('content-type')).toBe('text/plain;charset=UTF-8')
  await bench.close()
  await open({ to: 'sip:desk@127.0.0.1' })
  await expect(bench.carrier.sendText(text)).rejects.toMatchObject({ code: 'sip-one-phone' })
})
