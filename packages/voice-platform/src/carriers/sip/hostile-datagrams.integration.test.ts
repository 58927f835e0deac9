import { createSocket, Socket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '@heyline/kit/clock'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { freeUdpPort } from '../../testing/baresip.js'
import {
  answeredSip,
  openSipBench,
  SIP_CALL_ID,
  type SipBench,
  sipDial,
  untilSip,
} from '../../testing/sip-bench.js'
import { SipCaller } from '../../testing/sip-caller.js'
import { askSipServer } from './ask-sip-server.js'
import { printRtp } from './rtp-packet.js'
import { RtpPort } from './rtp-port.js'
import { SipFaults } from './sip-faults.js'
import { SipLink } from './sip-link.js'
import { parseMessage, printMessage, type SipRequest } from './sip-message.js'
import { SipSocket } from './sip-socket.js'

const logger = pino({ level: 'silent' })
let bench: SipBench
const closers: Array<() => void> = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closers.splice(0)) close()
  await bench.close()
})

const turns = async (count = 30) => {
  for (let n = 0; n < count; n++) await turn()
}
const methods = ({ phone }: SipBench) =>
  phone.received.flatMap((message) => (message.kind === 'request' ? [message.method] : []))

/** A carrier that takes calls of the trunk at this machine, and somebody who calls from there. */
async function openTrunk() {
  const port = await freeUdpPort()
  const bind = { host: '127.0.0.1', port }
  bench = await openSipBench({ bind, inbound: 'trunk' }, async () => ({ callId: SIP_CALL_ID }))
  await vi.waitFor(
    async () => {
      const ask = { to: `sip:a@127.0.0.1:${port}`, host: '127.0.0.1', timeoutMs: 100 }
      expect(await askSipServer({ ...ask, clock: systemClock, logger })).toBe(200)
    },
    { timeout: 10_000, interval: 5 },
  )
  const callers = [new SipCaller(port), new SipCaller(port)] as const
  for (const caller of callers) {
    await caller.listen()
    closers.push(() => caller.close())
  }
  return { port, callers }
}

/** A socket that has nothing of our parser, and what it got. */
async function rawSocket() {
  const socket = createSocket('udp4')
  const got: string[] = []
  socket.on('message', (datagram) => void got.push(datagram.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closers.push(() => socket.close())
  return { socket, got, port: socket.address().port }
}

describe('a tab in a header', () => {
  it.each([
    ['From: <sip:', 'From: "Bob\tX"\t<sip:'],
    ['CSeq: 1 ', 'CSeq: 1\t'],
  ])('of a call to us is a blank: %s', async (blank, tab) => {
    const { port, callers } = await openTrunk()
    const { socket, got, port: own } = await rawSocket()
    const invite = printMessage(callers[0].call()).toString()
    await untilSip(() => expect(callers[0].statuses).toEqual([100, 200]))
    const text = invite
      .replace(/127\.0\.0\.1:\d+;branch=\w+/, `127.0.0.1:${own};branch=z9hG4bKtab`)
      .replace('a-call-to-us', 'a-call-with-a-tab')
    socket.send(text.replace(blank, tab), port, '127.0.0.1')
    await untilSip(() => expect(got.map((answer) => answer.split(' ')[1])).toEqual(['100', '200']))
    for (let n = 0; n < 4; n++) {
      bench.clock.advance(10_000)
      await turns()
    }
    expect(bench.log.join()).not.toContain('could not be handled')
  })

  it('of a phone that answers gets an ACK, and a BYE when we hang up', async () => {
    const { socket, got, port } = await rawSocket()
    bench = await openSipBench({ to: `sip:{number}@127.0.0.1:${port}` })
    socket.on('message', (datagram, from) => {
      const request = parseMessage(datagram)
      if (typeof request === 'string' || request.kind === 'response' || request.method !== 'INVITE') return
      const lines = ['via', 'from', 'call-id', 'cseq'].map((name) => `${name}: ${request.headers.get(name)}`)
      const answer = [
        'SIP/2.0 200 OK',
        ...lines,
        `To: ${request.headers.get('to')};\ttag=phone`,
        `Contact: <sip:phone@127.0.0.1:${port}>`,
        '',
        bench.phone.description(),
      ]
      socket.send(answer.join('\r\n'), from.port, from.address)
    })
    await bench.carrier.dial(sipDial())
    await untilSip(() => expect(bench.reports).toEqual(['answered']))
    await bench.carrier.hangUp(SIP_CALL_ID)
    await untilSip(() => expect(got.map((text) => text.split(' ')[0])).toEqual(['INVITE', 'ACK', 'BYE']))
  })
})

describe('port 0', () => {
  /** Our sockets, in the order in which they were bound. Only a raw socket sends from port 0. */
  let sockets: Socket[]
  beforeEach(() => {
    sockets = []
    const { bind } = Socket.prototype
    vi.spyOn(Socket.prototype, 'bind').mockImplementation(function (this: Socket, ...where: unknown[]) {
      sockets.push(this)
      return Reflect.apply(bind, this, where)
    })
  })
  async function answered() {
    bench = await openSipBench()
    // Without those of the phone.
    sockets.length = 0
    await answeredSip(bench)
  }
  const from0 = { address: '127.0.0.1', family: 'IPv4', port: 0, size: 0 } as const

  it('gets no answer, and ends nothing', async () => {
    await answered()
    const [invite] = bench.phone.requests('INVITE')
    const request: SipRequest = { ...(invite as SipRequest), method: 'OPTIONS' }
    const text = printMessage(request)
      .toString()
      .replace(/INVITE/g, 'OPTIONS')
    for (const socket of sockets) socket.emit('message', Buffer.from(text), from0)
    expect(bench.log.join()).not.toContain('could not be handled')
    bench.phone.send('BYE')
    await untilSip(() => expect(bench.reports.at(-1)).toBe('ended hung-up'))
  })

  it('takes no audio away from the phone', async () => {
    await answered()
    const payload = new Uint8Array(160)
    const packet = printRtp({ type: 0, marker: false, sequence: 9, timestamp: 1_440, source: 77, payload })
    for (const socket of sockets) socket.emit('message', packet, from0)
    const before = bench.phone.heard.length
    for (let n = 0; n < 10; n++) {
      bench.clock.advance(20)
      await turns(3)
    }
    await untilSip(() => expect(bench.phone.heard.length).toBeGreaterThan(before + 5))
  })

  it('is no port to send to: what goes there is lost', async () => {
    bench = await openSipBench()
    const clock = new ManualClock()
    const faults = new SipFaults({ clock, logger })
    const socket = new SipSocket({ host: '127.0.0.1', port: 0, logger, faults, onDatagram: () => {} })
    await socket.open()
    socket.send(Buffer.from('x'), from0)
    socket.close()
    const rtp = await RtpPort.open('127.0.0.1', { from: 20_000, to: 30_000 }, faults)
    rtp.send(Buffer.from('x'), from0)
    rtp.close()
  })
})

describe('audio at port 00', () => {
  const nowhere = (body: string) => body.replace(/m=audio \d+/, 'm=audio 00')

  it('is refused where a phone moves there, and the call goes on', async () => {
    bench = await openSipBench()
    await answeredSip(bench)
    bench.phone.send('INVITE', nowhere(bench.phone.description()))
    await untilSip(() => expect(bench.phone.answers.map(({ status }) => status)).toContain(488))
    const before = bench.phone.heard.length
    for (let n = 0; n < 10; n++) {
      bench.clock.advance(20)
      await turns(3)
    }
    await untilSip(() => expect(bench.phone.heard.length).toBeGreaterThan(before))
    expect(bench.reports).toEqual(['ringing', 'answered'])
  })

  it('ends a call that is answered with it: the phone is hung up, and the call has failed', async () => {
    bench = await openSipBench()
    bench.phone.sdp = nowhere(bench.phone.description())
    bench.phone.callees.set('+12025550123', 'answers')
    await bench.carrier.dial(sipDial())
    await untilSip(() => expect(bench.reports).toEqual(['ringing', 'ended failed']))
    await untilSip(() => expect(methods(bench)).toEqual(['INVITE', 'ACK', 'BYE']))
  })

  it('refuses a call to us, once however long nobody confirms that', async () => {
    const { callers } = await openTrunk()
    callers[0].call({ body: nowhere(callers[0].description()) })
    await untilSip(() => expect(callers[0].statuses).toEqual([488]))
    for (let n = 0; n < 20; n++) {
      bench.clock.advance(2_000)
      await turns(3)
    }
    expect(callers[0].statuses).toEqual([488])
    expect(bench.incoming).toEqual([])
  })
})

describe('a call whose audio cannot begin', () => {
  beforeEach(() => {
    vi.spyOn(SipLink.prototype, 'begin').mockImplementation(() => {
      throw new Error('no audio')
    })
  })

  it('of ours is hung up, and has failed', async () => {
    bench = await openSipBench()
    bench.phone.callees.set('+12025550123', 'answers')
    await bench.carrier.dial(sipDial())
    await untilSip(() => expect(bench.reports).toEqual(['ringing', 'ended failed']))
    await untilSip(() => expect(methods(bench)).toEqual(['INVITE', 'ACK', 'BYE']))
    expect(bench.log.filter((line) => line.includes('no audio'))).toHaveLength(1)
  })

  it('to us is hung up, and has failed', async () => {
    const { callers } = await openTrunk()
    callers[0].call()
    await untilSip(() => expect(callers[0].statuses).toEqual([100, 200]))
    callers[0].ack()
    await untilSip(() => expect(bench.reports).toEqual(['ended failed']))
    await untilSip(() => expect(callers[0].requests.map(({ method }) => method)).toEqual(['BYE']))
  })
})

it('ends one call by a fault in one of its timers, and no other', async () => {
  bench = await openSipBench()
  await answeredSip(bench)
  vi.spyOn(SipLink.prototype, 'silentMs', 'get').mockImplementation(() => {
    throw new Error('no time')
  })
  bench.clock.advance(30_000)
  await untilSip(() => expect(bench.reports).toEqual(['ringing', 'answered', 'ended failed']))
  await untilSip(() => expect(methods(bench)).toContain('BYE'))
})

it('hangs up a call that nobody ends in time', async () => {
  bench = await openSipBench()
  bench.phone.callees.set('+12025550123', 'answers')
  await bench.carrier.dial({ ...sipDial(), mostSeconds: 30 })
  await untilSip(() => expect(bench.reports).toContain('answered'))
  for (let seconds = 0; seconds < 149; seconds++) {
    bench.clock.advance(1_000)
    await turns(10)
  }
  expect(bench.reports).toEqual(['ringing', 'answered'])
  bench.clock.advance(1_000)
  await untilSip(() => expect(bench.reports.at(-1)).toBe('ended failed'))
  await untilSip(() => expect(methods(bench)).toContain('BYE'))
})

it('tells two callers apart who are behind one address and have the same branch', async () => {
  const { callers } = await openTrunk()
  for (const [n, caller] of callers.entries()) {
    caller.call({ callId: `call-${n}` })
    await untilSip(() => expect(caller.statuses.slice(0, 2)).toEqual([100, 200]))
  }
  expect(bench.incoming).toHaveLength(2)
})

it.each(['INFO', 'OPTIONS', 'BYE'])(
  'answers and ends other calls of the trunk while one call sends %s without end',
  async (method) => {
    const { callers } = await openTrunk()
    const [eve, honest] = callers
    eve.call({ callId: 'flood' })
    await untilSip(() => expect(eve.statuses).toEqual([100, 200]))
    eve.ack()
    await untilSip(() => expect(bench.reports).toEqual(['answered']))
    for (let n = 0; n < 1_000; n++) {
      // As many as the socket surely holds.
      if (n % 20 === 0) await turns(10)
      eve.send(method)
    }
    await turns()
    honest.call({ callId: 'honest', branch: 'z9hG4bKhonest' })
    await untilSip(() => expect(honest.statuses).toEqual([100, 200]))
    honest.ack()
    await untilSip(() => expect(bench.reports.filter((report) => report === 'answered')).toHaveLength(2))
    honest.send('BYE')
    await untilSip(() => expect(honest.statuses).toEqual([100, 200, 200]))
    expect(bench.reports.at(-1)).toBe('ended hung-up')
  },
)

it('ends a call whose caller has sent all the requests that are remembered', async () => {
  const { callers } = await openTrunk()
  const [caller] = callers
  caller.call()
  await untilSip(() => expect(caller.statuses).toEqual([100, 200]))
  caller.ack()
  await untilSip(() => expect(bench.reports).toEqual(['answered']))
  for (let second = 0; second < 5; second++) {
    for (let n = 0; n < 20; n++) caller.send('INFO')
    await turns()
    bench.clock.advance(1_000)
  }
  expect(caller.statuses.filter((status) => status === 405)).toHaveLength(64)
  caller.send('BYE')
  await untilSip(() => expect(bench.reports).toEqual(['answered', 'ended hung-up']))
})

it('sends nobody more bytes than came in his name, where they are no UTF-8', async () => {
  bench = await openSipBench({ bind: { host: '127.0.0.1', port: 0 } })
  await answeredSip(bench)
  const ours = /<sip:heyline@127\.0\.0\.1:(\d+)>/.exec(
    bench.phone.requests('INVITE')[0]?.headers.get('contact') ?? '',
  )
  const { socket, got } = await rawSocket()
  const head =
    'OPTIONS sip:x@a SIP/2.0\r\nVia: SIP/2.0/UDP a;branch=z9hG4bKq\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\nv:'
  const junk = Buffer.concat([Buffer.from(head), Buffer.alloc(1_000, 0xff), Buffer.from('\r\n\r\n')])
  socket.send(junk, Number(ours?.[1]), '127.0.0.1')
  await turns()
  expect(got).toEqual([])
})
