import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tone } from '../../link/link.contract.js'
import { freeUdpPort } from '../../testing/baresip.js'
import { openSipBench, passing, SIP_CALL_ID, type SipBench, untilSip } from '../../testing/sip-bench.js'
import { SipCaller } from '../../testing/sip-caller.js'
import type { IncomingAnswer, IncomingWait } from '../carrier.js'
import { askSipServer } from './ask-sip-server.js'
import type { SipCarrierOptions } from './sip-carrier.js'
import { SipHeaders } from './sip-headers.js'

let bench: SipBench
let caller: SipCaller
afterEach(async () => {
  caller.close()
  await bench.close()
})

/** The carrier knows its trunk, and listens. */
const untilReady = (port: number) =>
  vi.waitFor(
    async () => {
      const ask = { to: `sip:a@127.0.0.1:${port}`, host: '127.0.0.1', timeoutMs: 100 }
      expect(await askSipServer({ ...ask, clock: systemClock, logger: pino({ level: 'silent' }) })).toBe(200)
    },
    { timeout: 10_000, interval: 5 },
  )

/** A carrier that takes calls of the trunk at this machine, and somebody who calls from there or from elsewhere. */
async function open({
  answer = async (): Promise<IncomingAnswer> => ({ callId: SIP_CALL_ID }),
  host = '127.0.0.1',
  inbound = 'trunk',
  ...options
}: Omit<Partial<SipCarrierOptions>, 'inbound'> & {
  inbound?: SipCarrierOptions['inbound'] | null
  answer?: (wait?: IncomingWait) => Promise<IncomingAnswer>
  host?: string
} = {}) {
  const port = await freeUdpPort()
  bench = await openSipBench(
    { bind: { host: '0.0.0.0', port }, ...(inbound && { inbound }), ...options },
    answer,
  )
  caller = new SipCaller(port)
  await caller.listen(host)
  if (inbound) await untilReady(port)
  return { ...bench, caller }
}
const statuses = (...expected: number[]) => untilSip(() => expect(caller.statuses).toEqual(expected))

async function talking() {
  await open()
  caller.call()
  await statuses(100, 200)
  caller.ack()
  await untilSip(() => expect(bench.reports).toEqual(['answered']))
}

/** Time passes in the steps of audio, with a turn for the sockets after each. */
async function pass(milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 20) {
    bench.clock.advance(20)
    await turn()
  }
}

describe('a call to us that somebody makes up in the name of the trunk', () => {
  let eve: Socket
  let got: number
  afterEach(() => eve.close())

  /** The answer goes to the trunk; audio and requests would go to another address. */
  async function forged() {
    await open()
    got = 0
    eve = createSocket('udp4').on('message', () => {
      got += 1
    })
    eve.bind(0, '127.0.0.2')
    await once(eve, 'listening')
    const { port } = eve.address()
    const body = caller
      .description()
      .replace(/c=.*/, 'c=IN IP4 127.0.0.2')
      .replace(/m=audio \d+/, `m=audio ${port}`)
    const invite = caller.call({ contact: `127.0.0.2:${port}`, body })
    await statuses(100, 200)
    return invite
  }

  it('sends nothing there before the trunk confirms it, and nothing after it ends', async () => {
    await forged()
    await pass(31_000)
    expect(got).toBe(0)
    expect(bench.reports).toEqual([])
    await pass(10_000)
    await untilSip(() => expect(bench.reports).toEqual(['ended unconfirmed']))
    await untilSip(() => expect(caller.requests.map(({ method }) => method)).toContain('BYE'))
    expect(got).toBe(0)
  })

  it('holds one of the places at most, and no longer than another call waits', async () => {
    const ids = ['8f14e45f-ceea-467f-a8f0-3d2c1b5a9e02', '8f14e45f-ceea-467f-a8f0-3d2c1b5a9e03', SIP_CALL_ID]
    const answer = async () => ({ callId: ids.pop() ?? '' })
    await open({ answer, places: 4 })
    eve = createSocket('udp4')
    const calls = ['forged', 'also', 'real'].map((callId) => ({ callId, branch: `z9hG4bK${callId}` }))
    for (const call of calls) {
      caller.call(call)
      await untilSip(() =>
        expect(caller.statuses.filter((status) => status === 100)).toHaveLength(calls.indexOf(call) + 1),
      )
    }
    await statuses(100, 200, 100, 100)
    expect(bench.incoming).toHaveLength(1)
    await pass(600)
    await untilSip(() => expect(bench.incoming).toHaveLength(2))
    expect(bench.reports).toEqual(['ended unconfirmed'])
    await untilSip(() => expect(caller.answers.at(-1)?.headers.get('call-id')).toBe('real'))
    caller.ack()
    await untilSip(() => expect(bench.reports).toEqual(['ended unconfirmed', 'answered']))
    await untilSip(() => expect(bench.incoming).toHaveLength(3))
  })

  it('keeps its place where nobody else waits, and one that is confirmed leaves it at once', async () => {
    const ids = ['8f14e45f-ceea-467f-a8f0-3d2c1b5a9e02', SIP_CALL_ID]
    await open({ answer: async () => ({ callId: ids.pop() ?? '' }), places: 2 })
    eve = createSocket('udp4')
    caller.call()
    await statuses(100, 200)
    await pass(20_000)
    expect(bench.reports).toEqual([])
    caller.ack()
    await untilSip(() => expect(bench.reports).toEqual(['answered']))
    caller.call({ callId: 'another', branch: 'z9hG4bKanother' })
    await untilSip(() => expect(bench.incoming).toHaveLength(2))
    expect(bench.reports).toEqual(['answered'])
  })

  it('sends its audio there once the trunk has confirmed it', async () => {
    await forged()
    caller.ack()
    await untilSip(() => expect(bench.reports).toEqual(['answered']))
    await pass(200)
    await untilSip(() => expect(got).toBeGreaterThan(5))
  })

  it('is not confirmed from another address, nor by its branch alone', async () => {
    const { headers, ...invite } = await forged()
    caller.ack(eve)
    const named = ['via', 'from', 'to', 'call-id'].map((name) => [name, headers.get(name) ?? ''] as const)
    const ack = new SipHeaders([...named, ['cseq', '1 ACK']])
    caller.sendAgain({ ...invite, method: 'ACK', headers: ack, body: '' })
    for (let n = 0; n < 50; n++) await turn()
    await pass(500)
    await statuses(100, 200, 200)
    await pass(32_000)
    await untilSip(() => expect(bench.reports).toEqual(['ended unconfirmed']))
  })
})

describe('a call to us by SIP', () => {
  it('is answered with our audio, and begins once that is confirmed', async () => {
    await open()
    caller.call()
    await statuses(100, 200)
    expect(bench.incoming).toEqual([
      { id: expect.stringMatching(/^\w{32}$/), from: '+12025550123', to: '+12025550177', attested: false },
    ])
    expect(caller.answers[1]?.body).toMatch(/m=audio \d+ RTP\/AVP 0 101/)
    expect(bench.reports).toEqual([])
    expect(bench.pickedUp).toEqual([])
    caller.ack()
    await untilSip(() => expect(bench.reports).toEqual(['answered']))
    expect(bench.pickedUp).toHaveLength(1)
  })

  it('goes back the way that proxies have asked for, once it is confirmed', async () => {
    await open()
    const proxy = createSocket('udp4')
    proxy.bind(0, '127.0.0.2')
    await once(proxy, 'listening')
    const near = `<sip:127.0.0.2:${proxy.address().port};lr>, <sip:between.invalid;lr>`
    const far = '<sip:far.invalid;lr>'
    const headers = [near, far].map((line) => ['record-route', line] as const)
    caller.call({ headers })
    await statuses(100, 200)
    expect(caller.answers.map((answer) => answer.headers.lines('record-route'))).toEqual([[], [near, far]])
    caller.ack()
    await untilSip(() => expect(bench.reports).toEqual(['answered']))
    const heard = once(proxy, 'message')
    await bench.carrier.hangUp(SIP_CALL_ID)
    expect(String((await heard)[0])).toMatch(/^BYE /)
    proxy.close()
  })

  it('is answered with as many media as it offers, and all but the audio are refused', async () => {
    await open()
    const [session, audio] = caller.description().split('m=audio')
    caller.call({
      body: `${session}m=video 9000/2 RTP/AVP 96 97\r\nm=audio${audio}m=image 9004 udptl t38\r\n`,
    })
    await statuses(100, 200)
    const media = caller.answers[1]?.body.split('\r\n').filter((line) => line.startsWith('m='))
    expect(media).toEqual([
      'm=video 0 RTP/AVP 96 97',
      expect.stringMatching(/^m=audio [1-9]\d* RTP/),
      'm=image 0 udptl t38',
    ])
  })

  it('is heard both ways, and ends when its caller hangs up', async () => {
    await talking()
    const chunks: number[] = []
    bench.links[0]?.open({
      onAudio: (samples) => chunks.push(samples.length),
      onMessage: () => {},
      onDigit: () => {},
      onClosed: () => {},
    })
    caller.speak(tone(200, 0.3).filter((_, n) => n % 2 === 0))
    await untilSip(() => expect(chunks.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(2_500))
    await untilSip(() => {
      bench.clock.advance(20)
      expect(caller.heard.length).toBeGreaterThan(5)
    })
    caller.send('BYE')
    await untilSip(() => expect(bench.reports).toEqual(['answered', 'ended hung-up']))
    expect(caller.statuses.at(-1)).toBe(200)
  })

  it('is hung up by us, in its own dialog', async () => {
    await talking()
    await bench.carrier.hangUp(SIP_CALL_ID)
    await untilSip(() => expect(caller.requests.map(({ method }) => method)).toEqual(['BYE']))
    expect(caller.requests[0]?.headers.get('to')).toBe('<sip:+12025550123@trunk.example>;tag=caller')
    expect(caller.requests[0]?.headers.get('from')).toBe(caller.answers[1]?.headers.get('to'))
    expect(bench.reports).toEqual(['answered', 'ended hung-up'])
  })

  it('is transferred like one of ours', async () => {
    await talking()
    const done = bench.carrier.transfer?.({ callId: SIP_CALL_ID, to: '+12025550142', from: '', seconds: 9 })
    await untilSip(() => expect(caller.requests.map(({ method }) => method)).toEqual(['REFER']))
    caller.send('BYE')
    await done
  })

  it('is answered again until it is confirmed, and ends where it never is', async () => {
    await open()
    const invite = caller.call()
    await statuses(100, 200)
    caller.sendAgain(invite)
    await statuses(100, 200, 200)
    bench.clock.advance(500)
    await statuses(100, 200, 200, 200)
    bench.clock.advance(32_000)
    await untilSip(() => expect(bench.reports).toEqual(['ended unconfirmed']))
    await untilSip(() => expect(caller.requests.at(-1)?.method).toBe('BYE'))
    expect(bench.incoming).toHaveLength(1)
  })

  it('that is not taken is refused, and repeated until that is confirmed', async () => {
    await open({ answer: async () => ({ refusal: 'rejected' }) })
    caller.call()
    await statuses(100, 480)
    bench.clock.advance(500)
    await statuses(100, 480, 480)
    caller.ack()
    await turn()
    await turn()
    bench.clock.advance(20_000)
    await turn()
    expect(caller.statuses).toEqual([100, 480, 480])
    expect(bench.reports).toEqual([])
  })

  it('is refused before anything is stored of it where it names no address to answer to', async () => {
    await open()
    caller.call({ contact: '127.0.0.1:0' })
    await statuses(400)
    expect(bench.incoming).toEqual([])
    expect(bench.reports).toEqual([])
  })

  it('that was taken and has no port left for its audio counts as one that nobody confirmed', async () => {
    const port = await freeUdpPort()
    const taken = createSocket('udp4').bind(port, '127.0.0.1')
    await once(taken, 'listening')
    await open({ host: '127.0.0.1', rtpPorts: { from: port, to: port } })
    caller.call()
    await statuses(100, 503)
    taken.close()
    expect(bench.reports).toEqual(['ended unconfirmed'])
  })

  it('is refused for now where the platform fails or takes too long', async () => {
    await open({ answer: () => Promise.reject(new Error('away')) })
    caller.call()
    await statuses(100, 503)
    caller.close()
    await bench.close()
    await open({ answer: () => new Promise(() => {}) })
    caller.call()
    await statuses(100)
    bench.clock.advance(15_000)
    await statuses(100, 503)
  })

  it('that its caller gives up is over, also where the platform takes it after that', async () => {
    let take: (answer: IncomingAnswer) => void = () => {}
    await open({ answer: () => new Promise((resolve) => (take = resolve)) })
    caller.call()
    await statuses(100)
    caller.cancel()
    await untilSip(() => expect(caller.statuses).toEqual([100, 200, 487]))
    take({ callId: SIP_CALL_ID })
    await untilSip(() => expect(bench.reports).toEqual(['ended unconfirmed']))
    expect(bench.links).toEqual([])
  })

  it('leaves its place where a server takes long and another call waits, and that server is asked no longer', async () => {
    const waits: Array<IncomingWait | undefined> = []
    const answer = (wait?: IncomingWait) => {
      waits.push(wait)
      if (waits.length > 1) return Promise.resolve({ callId: SIP_CALL_ID })
      wait?.onServerAsked()
      return new Promise<IncomingAnswer>((resolve) =>
        wait?.signal.addEventListener('abort', () => resolve({ refusal: 'busy', isStored: true })),
      )
    }
    await open({ places: 1, answer })
    caller.call({ callId: 'slow', branch: 'z9hG4bKslow' })
    await statuses(100)
    caller.call({ callId: 'next', branch: 'z9hG4bKnext' })
    await statuses(100, 100)
    await pass(1_200)
    await untilSip(() => expect(caller.statuses).toEqual([100, 100, 480, 200]))
    expect(waits.map((wait) => wait?.signal.aborted)).toEqual([true, false])
  })

  it('keeps its place for a second where a server has refused it, and gives it on at once where nobody was asked', async () => {
    const answers: IncomingAnswer[] = [
      { refusal: 'rejected' },
      { refusal: 'rejected', isStored: true },
      { callId: SIP_CALL_ID },
    ]
    await open({ places: 1, answer: async () => answers.shift() ?? { refusal: 'busy' } })
    for (const callId of ['one', 'two', 'three']) {
      caller.call({ callId, branch: `z9hG4bK${callId}` })
      await untilSip(() =>
        expect(caller.answers.map(({ headers }) => headers.get('call-id'))).toContain(callId),
      )
    }
    await untilSip(() => expect(bench.incoming).toHaveLength(2))
    await pass(1_100)
    await untilSip(() => expect(bench.incoming).toHaveLength(3))
  })

  it('that comes by two ways is taken once', async () => {
    await open()
    caller.call()
    await statuses(100, 200)
    caller.call({ branch: 'z9hG4bKother' })
    await untilSip(() => expect(caller.statuses.at(-1)).toBeGreaterThanOrEqual(400))
    expect(bench.incoming).toHaveLength(1)
  })

  it.each([
    ['speaks no audio of ours', { body: 'v=0\r\nm=video 9000 RTP/AVP 96\r\n' }, 488],
    ['offers none', { body: '' }, 488],
    ['needs what we do not have', { headers: [['require', '100rel']] as const }, 420],
    ['is to no number', { to: 'heyline' }, 404],
  ])('that %s is refused before anybody is asked', async (_what, parts, status) => {
    await open()
    caller.call(parts)
    await untilSip(() => expect(caller.statuses.at(-1)).toBe(status))
    expect(bench.incoming).toEqual([])
  })

  it('is told in twenty lines a minute, however many are refused, and one that counts the rest', async () => {
    await open()
    const refusals = () =>
      bench.log
        .map((line) => JSON.parse(line))
        .filter(({ kind }) => kind === 'sip-refused')
        .map(({ msg, leftOut }) => leftOut ?? msg)
    for (let n = 0; n < 30; n++) {
      caller.call({ callId: `call-${n}`, branch: `z9hG4bK${n}`, body: '' })
      await untilSip(() =>
        expect(caller.answers.map(({ headers }) => headers.get('call-id'))).toContain(`call-${n}`),
      )
    }
    expect(refusals()).toEqual(Array(20).fill('incoming sip call refused'))
    expect(bench.log.filter((line) => line.includes('incoming sip call refused'))).toHaveLength(20)
    bench.clock.advance(60_000)
    expect(refusals().slice(20)).toEqual([10])
  })

  it.each([
    ['as the trunk writes them', { to: '0012025550177', from: '0012025550123' }, '+12025550123', false],
    ['with a plus', { from: '+12025550124' }, '+12025550124', false],
    [
      'that the trunk vouches for',
      { from: 'desk', headers: [['p-asserted-identity', '<sip:+12025550125@trunk.example>']] as const },
      '+12025550125',
      true,
    ],
    [
      'that the trunk vouches for under another that the caller claims',
      { headers: [['p-asserted-identity', '"D" <sip:desk@t>, <sip:+12025550125@t>']] as const },
      '+12025550125',
      true,
    ],
    [
      'that the caller claims where the trunk vouches for none',
      { headers: [['p-asserted-identity', '<sip:desk@trunk.example>']] as const },
      '+12025550123',
      false,
    ],
    [
      'that is hidden',
      {
        headers: [
          ['privacy', 'id'],
          ['p-asserted-identity', '<sip:+12025550125@t>'],
        ] as const,
      },
      undefined,
      false,
    ],
    ['of somebody without one', { from: 'anonymous' }, undefined, false],
  ])('has its numbers %s', async (_how, parts, from, attested) => {
    await open({ to: 'sip:00{digits}@127.0.0.1' })
    caller.call(parts)
    await untilSip(() => expect(bench.incoming).toMatchObject([{ to: '+12025550177' }]))
    expect(bench.incoming[0]).toMatchObject({ from, attested })
  })

  it('to an extension is one to the number that stands for it', async () => {
    await open({ number: '+12025550199' })
    caller.call({ to: '201' })
    await untilSip(() => expect(bench.incoming).toMatchObject([{ to: '+12025550199' }]))
  })

  it('is refused for now where the platform thinks about too many', async () => {
    await open({ answer: () => new Promise(() => {}) })
    for (let n = 0; n < 80; n++) {
      caller.call({ callId: `call-${n}`, branch: `z9hG4bK${n}` })
      await turn()
    }
    await untilSip(() => expect(caller.statuses.filter((status) => status === 503)).toHaveLength(16))
    expect(bench.incoming).toHaveLength(64)
  })

  it('is taken after however many that were refused before anybody was asked', async () => {
    const { log } = await open()
    for (let n = 0; n < 64; n++) {
      const branch = `z9hG4bK${n}`
      caller.call({
        callId: `call-${n}`,
        branch,
        ...(n % 2 ? { body: '' } : { headers: [['require', '100rel']] }),
      })
      await untilSip(() => expect(caller.answers.at(-1)?.headers.get('call-id')).toBe(`call-${n}`))
      caller.ack(undefined, branch)
      bench.clock.advance(10)
    }
    caller.call()
    await untilSip(() => expect(caller.statuses.slice(-2)).toEqual([100, 200]))
    expect(bench.incoming).toHaveLength(1)
    expect(log.join('')).not.toContain('not taken')
  })

  it('is refused for now where too many are remembered, until 5 s after one of them is confirmed', async () => {
    await open({ answer: async () => ({ refusal: 'rejected' }) })
    const call = (n: number) => caller.call({ callId: `call-${n}`, branch: `z9hG4bK${n}` })
    const of = (callId: string) =>
      caller.answers.filter(({ headers }) => headers.get('call-id') === callId).map(({ status }) => status)
    for (let n = 0; n < 255; n++) {
      call(n)
      bench.clock.advance(10)
      await untilSip(() => expect(of(`call-${n}`)).toContain(480))
    }
    call(255)
    await untilSip(() => expect(of('call-255')).toContain(480))
    caller.call()
    await untilSip(() => expect(of('a-call-to-us')).toEqual([503]))
    expect(bench.incoming).toHaveLength(256)
    call(255)
    await untilSip(() => expect(of('call-255').length).toBeGreaterThan(2))
    caller.ack(undefined, 'z9hG4bK255')
    for (let n = 0; n < 20; n++) await turn()
    await pass(5_000)
    caller.call()
    await untilSip(() => expect(of('a-call-to-us')).toContain(480))
  })

  it('of a stranger is refused, and nobody is asked', async () => {
    await open({ host: '127.0.0.2' })
    caller.call()
    await statuses(403)
    expect(bench.incoming).toEqual([])
  })

  it('is refused where nobody is to call us', async () => {
    await open({ inbound: null })
    await passing(
      bench.clock,
      bench.carrier.dial({ callId: 'x', to: '+12025550123', from: '+12025550100', ringSeconds: 5 }),
    )
    caller.call()
    await statuses(403)
  })

  it('comes in once the port of SIP_BIND is free', async () => {
    const taken = createSocket('udp4')
    taken.bind(0, '0.0.0.0')
    await once(taken, 'listening')
    const { port } = taken.address()
    bench = await openSipBench({ bind: { host: '0.0.0.0', port }, inbound: 'trunk' })
    caller = new SipCaller(port)
    await untilSip(() => expect(bench.log.join()).toContain('SIP_BIND'))
    for (let tries = 0; tries < 3; tries++) {
      bench.clock.advance(5_000)
      for (let n = 0; n < 20; n++) await turn()
    }
    taken.close()
    await once(taken, 'close')
    bench.clock.advance(5_000)
    await untilReady(port)
    expect(bench.log.filter((line) => line.includes('EADDRINUSE'))).toHaveLength(1)
    expect(bench.log.filter((line) => line.includes('SIP_BIND is free'))).toHaveLength(1)
  })

  it('is hung up when the carrier closes, and none comes in after that', async () => {
    await talking()
    await passing(bench.clock, bench.carrier.close())
    expect(bench.reports).toEqual(['answered', 'ended hung-up'])
  })
})
