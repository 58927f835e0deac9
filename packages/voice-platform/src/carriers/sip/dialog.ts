import { randomBytes } from 'node:crypto'
import { hostPort } from './sip-address.js'
import { SipHeaders } from './sip-headers.js'
import { cseqOf, type SipRequest, type SipResponse } from './sip-message.js'
import { parseNameAddress, parseUri, type SipUri } from './sip-uri.js'

/** How our requests name ourselves. */
export interface OwnSide {
  /** Where answers and requests come to: an IP address and a port. */
  host: string
  port: number
  /** `From`, with its tag. */
  from: string
}

export const newToken = (): string => randomBytes(16).toString('hex')

const USER_AGENT = 'Heyline'

export type HeaderLines = ReadonlyArray<readonly [string, string]>

export interface RequestParts {
  method: string
  uri: string
  to: string
  callId: string
  cseq: number
  routes?: readonly string[]
  headers?: HeaderLines
  body?: string
}

/** A request of ours, with a branch of its own. `rport` asks for the answer at the port from which it came (RFC 3581). */
export function newRequest(own: OwnSide, parts: RequestParts): SipRequest {
  const { method, uri, to, callId, cseq, routes = [], headers = [], body = '' } = parts
  const lines: Array<readonly [string, string]> = [
    ['via', `SIP/2.0/UDP ${hostPort(own.host, own.port)};branch=z9hG4bK${newToken()};rport`],
    ['max-forwards', '70'],
    ...routes.map((route) => ['route', route] as const),
    ['from', own.from],
    ['to', to],
    ['call-id', callId],
    ['cseq', `${cseq} ${method}`],
    ['user-agent', USER_AGENT],
    ...headers,
  ]
  return { kind: 'request', method, uri, headers: new SipHeaders(lines), body }
}

export const contactOf = ({ host, port }: OwnSide): [string, string] => [
  'contact',
  `<sip:heyline@${hostPort(host, port)}>`,
]

/** Longest way back that is kept, in proxies. */
const ROUTES_MOST = 16

interface DialogParts {
  own: OwnSide
  callId: string
  remoteTag: string
  /** Our requests' `To`. */
  to: string
  /** The way back: the nearest proxy first. */
  routes: readonly string[]
  target: SipUri
  /** The numbers of the last request of each side. */
  cseq: number
  remoteCseq: number
}

/** A call that was answered, as RFC 3261 12 keeps it: where its requests go, and which requests belong to it. */
export class Dialog {
  readonly own: OwnSide
  readonly callId: string
  readonly remoteTag: string
  readonly #to: string
  readonly #routes: readonly string[]
  #target: SipUri
  #cseq: number
  #remoteCseq: number

  private constructor({ own, callId, remoteTag, to, routes, target, cseq, remoteCseq }: DialogParts) {
    this.own = own
    this.callId = callId
    this.remoteTag = remoteTag
    this.#to = to
    this.#routes = routes.slice(0, ROUTES_MOST)
    this.#target = target
    this.#cseq = cseq
    this.#remoteCseq = remoteCseq
  }

  /** The dialog that this 2xx of an INVITE of ours makes. Undefined where it lacks a tag. */
  static of(own: OwnSide, invite: SipRequest, { headers }: SipResponse): Dialog | undefined {
    const to = headers.get('to') ?? ''
    const { tag } = parseNameAddress(to)
    const target = parseNameAddress(headers.first('contact') ?? '').uri ?? parseUri(invite.uri)
    if (tag === undefined || target === undefined) return undefined
    const routes = headers.all('record-route').reverse()
    const callId = invite.headers.get('call-id') ?? ''
    const cseq = cseqOf(invite.headers).number
    return new Dialog({ own, callId, remoteTag: tag, to, routes, target, cseq, remoteCseq: -1 })
  }

  /** Whether our 2xx of this INVITE can make a dialog. */
  static canAnswer({ headers }: SipRequest): boolean {
    return callerOf(headers) !== undefined
  }

  /** The dialog that our 2xx of this INVITE makes. Undefined where the INVITE lacks a tag, or an address to answer to. */
  static answering({ host, port }: Omit<OwnSide, 'from'>, { headers }: SipRequest): Dialog | undefined {
    const caller = callerOf(headers)
    if (!caller) return undefined
    const { tag, target } = caller
    return new Dialog({
      own: { host, port, from: `${headers.get('to')};tag=${newToken()}` },
      callId: headers.get('call-id') ?? '',
      remoteTag: tag,
      to: headers.get('from') ?? '',
      routes: headers.all('record-route'),
      target,
      cseq: 0,
      remoteCseq: cseqOf(headers).number,
    })
  }

  /** Where the next request is sent: to the first proxy of the way back, or to the phone itself. */
  get nextHop(): SipUri {
    return parseNameAddress(this.#routes[0] ?? '').uri ?? this.#target
  }

  /** A request of ours in the dialog. */
  request(method: string, headers: HeaderLines = [], body = ''): SipRequest {
    this.#cseq += 1
    return this.#make({ method, cseq: this.#cseq, headers, body })
  }

  /** The ACK of our INVITE with this number. */
  ack(cseq: number): SipRequest {
    return this.#make({ method: 'ACK', cseq })
  }

  /** Whether a request has the two tags of this dialog. */
  owns({ headers }: SipRequest): boolean {
    const ownTag = parseNameAddress(this.own.from).tag
    return (
      headers.get('call-id') === this.callId &&
      parseNameAddress(headers.get('to') ?? '').tag === ownTag &&
      parseNameAddress(headers.get('from') ?? '').tag === this.remoteTag
    )
  }

  /** Takes a request's number, and its new address if it is an INVITE. False for one that comes too late. */
  follow({ method, headers }: SipRequest): boolean {
    const { number } = cseqOf(headers)
    if (number <= this.#remoteCseq) return false
    this.#remoteCseq = number
    const { uri } = parseNameAddress(headers.first('contact') ?? '')
    if (method === 'INVITE' && uri) this.#target = uri
    return true
  }

  #make(parts: Pick<RequestParts, 'method' | 'cseq' | 'headers' | 'body'>): SipRequest {
    return newRequest(this.own, {
      ...parts,
      uri: this.#target.text,
      to: this.#to,
      callId: this.callId,
      routes: this.#routes,
    })
  }
}

/** Who calls, as an answer to an INVITE has to name them. Undefined where it lacks a tag, or an address to answer to. */
function callerOf(headers: SipHeaders): { tag: string; target: SipUri } | undefined {
  const { tag } = parseNameAddress(headers.get('from') ?? '')
  const target = parseNameAddress(headers.first('contact') ?? '').uri
  return tag === undefined || target === undefined ? undefined : { tag, target }
}
