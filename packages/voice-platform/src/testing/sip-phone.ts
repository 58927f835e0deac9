import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { decodeMuLaw, encodeMuLaw } from '../audio/mu-law.js'
import { parseRtp, printRtp, type RtpPacket } from '../carriers/sip/rtp-packet.js'
import { type AudioOffer, parseSdp, printSdp } from '../carriers/sip/sdp.js'
import { SipHeaders } from '../carriers/sip/sip-headers.js'
import {
  answerTo,
  cseqOf,
  parseMessage,
  printMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../carriers/sip/sip-message.js'
import type { Peer } from '../carriers/sip/sip-socket.js'
import { parseUri } from '../carriers/sip/sip-uri.js'

/** What the phone behind a number does: it rings until a test says more, picks up, or refuses with this status. */
export type SipCallee = 'rings' | 'answers' | 'silent' | number

/** What else a request of the phone has. */
export interface SipRequestParts {
  tag?: string
  cseq?: number
  headers?: ReadonlyArray<readonly [string, string]>
}

/** A phone of SIP that a test plays: a real UDP socket for its words, and one for its voice. */
export class SipPhone {
  readonly received: SipMessage[] = []
  readonly callees = new Map<string, SipCallee>()
  /** Everything that came as audio. */
  readonly heard: RtpPacket[] = []
  /** Sent as `WWW-Authenticate` (401) or `Proxy-Authenticate` (407) to requests without proof. */
  challenge: { status: 401 | 407; line: string } | undefined
  /** What it does with each later INVITE in the call, one after another; then it answers. */
  readonly reinvites: SipCallee[] = []
  /** How it answers to a REFER. */
  referAnswer = 202
  /** Answers to requests of a method, before all others: each is given once. */
  readonly scripted: Array<{ method: string; status: number; headers?: Array<[string, string]> }> = []
  /** More lines of its answers to an INVITE. */
  extra: Array<[string, string]> = []
  /** Its description of its audio; its own address where nothing else is said. */
  sdp: string | undefined
  /** Datagrams that are lost before it reads them, by the turn in which they come. */
  loses: (datagram: number, message: SipMessage) => boolean = () => false
  /** Hears of each packet of audio, and of each request. */
  onPacket: (packet: RtpPacket) => void = () => {}
  onRequest: (request: SipRequest) => void = () => {}
  /** It is switched off. */
  isDead = false
  readonly #socket: Socket = createSocket('udp4')
  readonly #audio: Socket = createSocket('udp4')
  #datagrams = 0
  #caller: { invite: SipRequest; from: Peer; offer: AudioOffer; cseq: number } | undefined
  #sequence = 100
  #timestamp = 5_000

  async listen(host = '127.0.0.1'): Promise<void> {
    this.#socket.on('message', (datagram, { address, port }) => this.#receive(datagram, { address, port }))
    this.#audio.on('message', (packet) => {
      const parsed = parseRtp(packet)
      if (!parsed) return
      this.heard.push({ ...parsed, payload: parsed.payload.slice() })
      this.onPacket(parsed)
    })
    this.#socket.bind(0, host)
    this.#audio.bind(0, host)
    await Promise.all([once(this.#socket, 'listening'), once(this.#audio, 'listening')])
  }

  get port(): number {
    return this.#socket.address().port
  }

  get audioPort(): number {
    return this.#audio.address().port
  }

  /** Requests with this method, in their order; repeated ones too. */
  requests(method: string): SipRequest[] {
    return this.received.filter(
      (message): message is SipRequest => message.kind === 'request' && message.method === method,
    )
  }

  /** Answers to its own requests. */
  get answers(): SipResponse[] {
    return this.received.filter((message): message is SipResponse => message.kind === 'response')
  }

  /** What our side sent, as PCM16 8 kHz. Frames of faint noise are left out. */
  heardSpeech(): Int16Array {
    const frames = this.heard.map(({ payload }) => decodeMuLaw(payload)).filter(isSpeech)
    return Int16Array.from(frames.flatMap((frame) => [...frame]))
  }

  /** Says that it rings, where it was silent. */
  ring(): void {
    const { invite, from } = this.#ringing()
    this.#reply(invite, from, 180)
  }

  /** Answers the call that rings. */
  pickUp(tag = 'phone'): void {
    const { invite, from } = this.#ringing()
    this.#reply(invite, from, 200, tag)
  }

  /** Refuses the call that rings. */
  refuse(status: number): void {
    const { invite, from } = this.#ringing()
    this.#reply(invite, from, status)
  }

  /** Sends a request in the call: a BYE, or an INVITE with this description. */
  send(method: string, body = '', more: SipRequestParts = {}): SipRequest {
    const caller = this.#ringing()
    const { invite, from } = caller
    caller.cseq = more.cseq ?? caller.cseq + 1
    const to = invite.headers.get('from') ?? ''
    const headers = new SipHeaders([
      ['via', `SIP/2.0/UDP 127.0.0.1:${this.port};branch=z9hG4bK${method}${caller.cseq}`],
      ['max-forwards', '70'],
      ['from', `${invite.headers.get('to')};tag=${more.tag ?? 'phone'}`],
      ['to', to],
      ['call-id', invite.headers.get('call-id') ?? ''],
      ['cseq', `${caller.cseq} ${method}`],
      ['contact', `<sip:phone@127.0.0.1:${this.port}>`],
      ...(more.headers ?? (body === '' ? [] : [['content-type', 'application/sdp'] as const])),
    ])
    const request: SipRequest = {
      kind: 'request',
      method,
      uri: `sip:${from.address}:${from.port}`,
      headers,
      body,
    }
    this.#transmit(request, from)
    return request
  }

  /** Tells what became of a REFER. */
  notify(status: string, state = 'active;expires=60'): SipRequest {
    const headers = [
      ['event', 'refer'],
      ['subscription-state', state],
      ['content-type', 'message/sipfrag;version=2.0'],
    ] as const
    return this.send('NOTIFY', `SIP/2.0 ${status}\r\n`, { headers })
  }

  /** Sends it once more, byte for byte; or any other message. */
  sendAgain(message: SipMessage): void {
    this.#transmit(message, this.#ringing().from)
  }

  /** Speaks into the call: PCM16 8 kHz, in packets of 20 ms at once. */
  speak(samples: Int16Array, change: (packets: RtpPacket[]) => RtpPacket[] = (packets) => packets): void {
    const packets: RtpPacket[] = []
    for (let start = 0; start < samples.length; start += 160) {
      packets.push(this.#packet(0, encodeMuLaw(samples.subarray(start, start + 160))))
      this.#timestamp += 160
    }
    for (const packet of change(packets)) this.sendPacket(packet)
  }

  /** Presses a key: three packets while it is down, and three that it is up (RFC 4733). */
  press(key: string): void {
    const event = '0123456789*#ABCD'.indexOf(key)
    for (let n = 1; n <= 6; n++) {
      const payload = Uint8Array.from([event, n > 3 ? 0x8a : 0x0a, 0, (Math.min(n, 4) * 160) & 0xff])
      this.sendPacket(this.#packet(101, payload))
    }
    this.#timestamp += 160
  }

  sendPacket(packet: RtpPacket): void {
    const { offer } = this.#ringing()
    this.#audio.send(printRtp(packet), offer.port, offer.address)
  }

  /** The description of its audio, with these changes. */
  description(change: Partial<AudioOffer> = {}): string {
    const audio: AudioOffer = {
      address: '127.0.0.1',
      port: this.audioPort,
      events: 101,
      direction: 'sendrecv',
    }
    return printSdp({ ...audio, ...change, session: 7, version: 1 })
  }

  close(): void {
    this.#socket.close()
    this.#audio.close()
  }

  #packet(type: number, payload: Uint8Array): RtpPacket {
    this.#sequence = (this.#sequence + 1) & 0xffff
    return { type, marker: false, sequence: this.#sequence, timestamp: this.#timestamp, source: 77, payload }
  }

  #ringing() {
    if (!this.#caller) throw new Error('Nobody has called.')
    return this.#caller
  }

  #receive(datagram: Buffer, from: Peer): void {
    const message = parseMessage(datagram)
    if (typeof message === 'string') throw new Error(`The phone got a message that ${message}.`)
    this.#datagrams += 1
    if (this.isDead || this.loses(this.#datagrams, message)) return
    this.received.push(message)
    if (message.kind === 'request') this.take(message, from)
  }

  /** Answers a request, also one that came to another socket. */
  take(request: SipRequest, from: Peer): void {
    this.onRequest(request)
    this.#request(request, from)
  }

  #request(request: SipRequest, from: Peer): void {
    const { method } = request
    if (method === 'ACK') return
    if (method === 'INVITE') {
      this.#invited(request, from)
      return
    }
    if (method === 'CANCEL') {
      this.#reply(request, from, 200)
      const { invite } = this.#ringing()
      if (cseqOf(invite.headers).number === cseqOf(request.headers).number) this.#reply(invite, from, 487)
      return
    }
    if (this.#isChallenged(request, from)) return
    const index = this.scripted.findIndex((answer) => answer.method === method)
    const [scripted] = index < 0 ? [] : this.scripted.splice(index, 1)
    if (scripted) {
      this.#transmit(answerTo(request, scripted.status, { toTag: 'phone', ...scripted }), from)
      return
    }
    if (method === 'REFER') {
      this.#reply(request, from, this.referAnswer)
      return
    }
    const callee = this.#calleeOf(request)
    this.#reply(request, from, method === 'MESSAGE' && typeof callee === 'number' ? callee : 200)
  }

  #invited(invite: SipRequest, from: Peer): void {
    if (this.#isChallenged(invite, from)) return
    const callee = this.#reinviteAnswer(invite) ?? this.#calleeOf(invite)
    if (typeof callee === 'number' && callee >= 200) {
      this.#reply(invite, from, callee)
      return
    }
    this.#hear(invite, from)
    if (callee === 'silent') return
    this.#reply(invite, from, typeof callee === 'number' ? callee : 180)
    if (callee === 'answers') this.#reply(invite, from, 200)
  }

  #hear(invite: SipRequest, from: Peer): void {
    const offer = parseSdp(invite.body)
    if (!offer) throw new Error('The INVITE offers no audio.')
    this.#caller = { invite, from, offer, cseq: this.#caller?.cseq ?? 40 }
  }

  /** What a later INVITE in the call gets. */
  #reinviteAnswer({ headers }: SipRequest): SipCallee | undefined {
    if (this.#caller?.invite.headers.get('call-id') !== headers.get('call-id')) return undefined
    const isLater = /;tag=/.test(headers.get('to') ?? '')
    return isLater ? (this.reinvites.shift() ?? 'answers') : undefined
  }

  #calleeOf(request: SipRequest): SipCallee {
    return this.callees.get(parseUri(request.uri)?.user ?? '') ?? 'rings'
  }

  #isChallenged(request: SipRequest, from: Peer): boolean {
    if (!this.challenge) return false
    const [proof, asked] =
      this.challenge.status === 401
        ? ['authorization', 'www-authenticate']
        : ['proxy-authorization', 'proxy-authenticate']
    if (request.headers.get(proof)) return false
    const answer = answerTo(request, this.challenge.status, {
      toTag: 'phone',
      headers: [[asked, this.challenge.line]],
    })
    this.#transmit(answer, from)
    return true
  }

  #reply(request: SipRequest, from: Peer, status: number, toTag = 'phone'): void {
    const isAnswer = request.method === 'INVITE' && status === 200
    const headers: Array<[string, string]> = [
      ['contact', `<sip:phone@127.0.0.1:${this.port}>`],
      ...(isAnswer ? ([['content-type', 'application/sdp']] as Array<[string, string]>) : []),
      ...this.extra,
    ]
    const body = isAnswer ? (this.sdp ?? this.description()) : ''
    this.#transmit(answerTo(request, status, { toTag, headers, body }), from)
  }

  #transmit(message: SipMessage, { address, port }: Peer): void {
    this.#socket.send(printMessage(message), port, address)
  }
}

/** Louder than the noise that our side puts under everything. */
const isSpeech = (frame: Int16Array) =>
  Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length) > 100
