import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { encodeMuLaw } from '../audio/mu-law.js'
import { parseRtp, printRtp, type RtpPacket } from '../carriers/sip/rtp-packet.js'
import { parseSdp, printSdp } from '../carriers/sip/sdp.js'
import { SipHeaders } from '../carriers/sip/sip-headers.js'
import {
  answerTo,
  cseqOf,
  parseMessage,
  printMessage,
  type SipRequest,
  type SipResponse,
} from '../carriers/sip/sip-message.js'

export interface SipCallerParts {
  to?: string
  from?: string
  headers?: ReadonlyArray<readonly [string, string]>
  body?: string
  /** Where requests in the call should go: an IP address and a port. */
  contact?: string
  branch?: string
  callId?: string
}

/** Somebody who calls us by SIP: a real UDP socket for the words, and one for the voice. */
export class SipCaller {
  readonly answers: SipResponse[] = []
  readonly requests: SipRequest[] = []
  readonly heard: RtpPacket[] = []
  readonly #port: number
  readonly #socket: Socket = createSocket('udp4')
  readonly #audio: Socket = createSocket('udp4')
  #invite: SipRequest | undefined
  #cseq = 1
  #sequence = 1

  /** `port` is where we listen on this machine. */
  constructor(port: number) {
    this.#port = port
  }

  async listen(host = '127.0.0.1'): Promise<void> {
    this.#socket.on('message', (datagram) => {
      const message = parseMessage(datagram)
      if (typeof message === 'string') throw new Error(`The caller got a message that ${message}.`)
      if (message.kind === 'response') this.answers.push(message)
      else {
        this.requests.push(message)
        if (message.method !== 'ACK') this.#send(answerTo(message, 200))
      }
    })
    this.#audio.on('message', (packet) => {
      const parsed = parseRtp(packet)
      if (parsed) this.heard.push({ ...parsed, payload: parsed.payload.slice() })
    })
    this.#socket.bind(0, host)
    this.#audio.bind(0, host)
    await Promise.all([once(this.#socket, 'listening'), once(this.#audio, 'listening')])
  }

  get statuses(): number[] {
    return this.answers.map(({ status }) => status)
  }

  description(): string {
    const { address, port } = this.#audio.address()
    return printSdp({ address, port, events: 101, direction: 'sendrecv', session: 9, version: 1 })
  }

  /** Calls `to`, a number or another user. */
  call({
    to = '+12025550177',
    from = '+12025550123',
    headers = [],
    body,
    contact = `127.0.0.1:${this.#socket.address().port}`,
    branch = 'z9hG4bKcall',
    callId = 'a-call-to-us',
  }: SipCallerParts = {}): SipRequest {
    const invite: SipRequest = {
      kind: 'request',
      method: 'INVITE',
      uri: `sip:${to}@127.0.0.1:${this.#port}`,
      headers: new SipHeaders([
        ['via', this.#via(branch)],
        ['max-forwards', '70'],
        ['from', `<sip:${from}@trunk.example>;tag=caller`],
        ['to', `<sip:${to}@trunk.example>`],
        ['call-id', callId],
        ['cseq', '1 INVITE'],
        ['contact', `<sip:trunk@${contact}>`],
        ...headers,
        ['content-type', 'application/sdp'],
      ]),
      body: body ?? this.description(),
    }
    this.#invite = invite
    this.#send(invite)
    return invite
  }

  /** Confirms the latest answer: with the branch of the INVITE (`ofRefusal`) where it was a refusal. `by` is another socket. */
  ack(by = this.#socket, ofRefusal = 'z9hG4bKcall'): void {
    const answer = this.answers.at(-1)
    const branch = answer && answer.status < 300 ? 'z9hG4bKack' : ofRefusal
    this.#send(this.#inCall('ACK', this.#cseq, branch), by)
  }

  cancel(): void {
    this.#send(this.#inCall('CANCEL', 1, 'z9hG4bKcall'))
  }

  /** Sends a request in the call. */
  send(method: string, headers: ReadonlyArray<readonly [string, string]> = [], body = ''): void {
    this.#cseq += 1
    this.#send(this.#inCall(method, this.#cseq, `z9hG4bK${method}${this.#cseq}`, headers, body))
  }

  sendAgain(request: SipRequest): void {
    this.#send(request)
  }

  /** Speaks into the call: PCM16 8 kHz, in packets of 20 ms at once. */
  speak(samples: Int16Array): void {
    const offer = parseSdp(this.answers.find(({ body }) => body !== '')?.body ?? '')
    if (!offer) throw new Error('Nobody has answered.')
    for (let start = 0; start < samples.length; start += 160) {
      const payload = encodeMuLaw(samples.subarray(start, start + 160))
      const sequence = this.#sequence++
      this.#audio.send(
        printRtp({ type: 0, marker: false, sequence, timestamp: sequence * 160, source: 5, payload }),
        ...[offer.port, offer.address],
      )
    }
  }

  close(): void {
    this.#socket.close()
    this.#audio.close()
  }

  #inCall(
    method: string,
    cseq: number,
    branch: string,
    headers: ReadonlyArray<readonly [string, string]> = [],
    body = '',
  ): SipRequest {
    const { uri, headers: invited } = this.#invite ?? this.call()
    const answer = this.answers.findLast(
      (one) => cseqOf(one.headers).method === 'INVITE' && one.status >= 200,
    )
    return {
      kind: 'request',
      method,
      uri,
      headers: new SipHeaders([
        ['via', this.#via(branch)],
        ['from', invited.get('from') ?? ''],
        ['to', (method === 'CANCEL' ? undefined : answer?.headers.get('to')) ?? invited.get('to') ?? ''],
        ['call-id', invited.get('call-id') ?? ''],
        ['cseq', `${cseq} ${method}`],
        ...headers,
        ...(body === '' ? [] : [['content-type', 'application/sdp'] as const]),
      ]),
      body,
    }
  }

  #via(branch: string): string {
    return `SIP/2.0/UDP 127.0.0.1:${this.#socket.address().port};branch=${branch}`
  }

  #send(message: SipRequest | SipResponse, by = this.#socket): void {
    by.send(printMessage(message), this.#port, '127.0.0.1')
  }
}
