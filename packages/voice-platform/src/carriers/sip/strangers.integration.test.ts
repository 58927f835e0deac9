import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answeredSip, openSipBench, type SipBench, untilSip } from '../../testing/sip-bench.js'
import { newRequest } from './dialog.js'
import { parseMessage, printMessage } from './sip-message.js'
import { parseUri } from './sip-uri.js'

/** Whoever sends us something from another address of this machine. */
let bench: SipBench
let ourPort: number
const socket = () => createSocket('udp4')
let stranger: ReturnType<typeof socket>
let got: string[]

beforeEach(async () => {
  bench = await openSipBench({ bind: { host: '0.0.0.0', port: 0 } })
  await answeredSip(bench)
  const contact = bench.phone.requests('INVITE')[0]?.headers.get('contact') ?? ''
  ourPort = parseUri(contact.slice(1, -1))?.port ?? 0
  stranger = socket()
  stranger.bind(0, '127.0.0.2')
  await once(stranger, 'listening')
  got = []
  stranger.on('message', (datagram) => {
    const message = parseMessage(datagram)
    got.push(typeof message === 'string' || message.kind === 'request' ? 'something' : String(message.status))
  })
})
afterEach(async () => {
  stranger.close()
  await bench.close()
})

const send = (datagram: Buffer) => stranger.send(datagram, ourPort, '127.0.0.1')
const request = (method: string, to = '<sip:a@127.0.0.1>') =>
  printMessage(
    newRequest(
      { host: '127.0.0.2', port: 5060, from: '<sip:eve@evil.example>;tag=e' },
      { method, uri: 'sip:a@127.0.0.1', to, callId: crypto.randomUUID(), cseq: 1 },
    ),
  )
const turns = async () => {
  for (let n = 0; n < 50; n++) await turn()
}

it('answers a stranger once a second: 403, or 481 inside of a call that there is not', async () => {
  for (const method of ['INVITE', 'REGISTER', 'OPTIONS']) send(request(method))
  await untilSip(() => expect(got).toEqual(['403']))
  await turns()
  expect(got).toEqual(['403'])
  bench.clock.advance(1_000)
  send(request('BYE', '<sip:a@127.0.0.1>;tag=x'))
  await untilSip(() => expect(got).toEqual(['403', '481']))
})

it('says nothing to what is no SIP, and to an ACK or an answer that nobody waits for', async () => {
  for (const junk of ['', '\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'x'.repeat(9_000)]) send(Buffer.from(junk))
  send(request('ACK'))
  await turns()
  expect(got).toEqual([])
  expect(bench.log.join()).not.toContain('could not be handled')
})

it('does not let a stranger end a call, whatever he knows of it', async () => {
  const { phone } = bench
  const bye = phone.send('BYE', '', { tag: 'another' })
  await untilSip(() => expect(phone.answers.map(({ status }) => status)).toEqual([481]))
  expect(bench.reports).toEqual(['ringing', 'answered'])
  const known = printMessage(bye).toString().replaceAll('tag=another', 'tag=phone')
  bench.clock.advance(1_000)
  send(Buffer.from(known))
  await untilSip(() => expect(got).toEqual(['481']))
  expect(bench.reports).toEqual(['ringing', 'answered'])
  phone.send('BYE')
  await untilSip(() => expect(bench.reports.at(-1)).toBe('ended hung-up'))
})

it('reads only so much of strangers, and goes on with its calls meanwhile', async () => {
  for (let n = 0; n < 400; n++) send(request('INVITE'))
  await turns()
  expect(got.length).toBeLessThanOrEqual(1)
  bench.phone.send('BYE')
  await untilSip(() => expect(bench.reports.at(-1)).toBe('ended hung-up'))
})
