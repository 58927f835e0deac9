import { oneLine, SipHeaders } from './sip-headers.js'

export interface SipRequest {
  kind: 'request'
  method: string
  /** The request-URI, as it was written. */
  uri: string
  headers: SipHeaders
  body: string
}

export interface SipResponse {
  kind: 'response'
  /** 100 to 699. */
  status: number
  reason: string
  headers: SipHeaders
  body: string
}

export type SipMessage = SipRequest | SipResponse

/** Largest datagram that is read, in bytes. */
export const MESSAGE_MOST = 8_192
/** Most header lines, and most characters of a line. */
const LINES_MOST = 96
const LINE_MOST = 2_048

/** What an answer brings back (RFC 3261 8.2.6 and 12.1.1), and most characters of it: it goes to whoever the request says that it comes from. */
const RETURNED = ['via', 'from', 'to', 'call-id', 'cseq', 'record-route']
const RETURNED_MOST = 2_048

/** What every message has (RFC 3261 8.1.1), each of them once but `via`. */
const NEEDED = ['via', 'from', 'to', 'call-id', 'cseq']

const REQUEST_LINE = /^([A-Z]{1,32}) (\S{1,512}) SIP\/2\.0$/
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d\d) ?(.*)$/
const HEADER = /^([a-zA-Z0-9.!%*_+`'~-]{1,64}) *:(.*)$/
/** Refuses what is no UTF-8: as text it would come back three times as long. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const CSEQ = /^(\d{1,10})[ \t]+([A-Z]{1,32})$/

/** Reads a datagram. A text says why it can't be read; nothing of the message stands in it. */
export function parseMessage(datagram: Uint8Array): SipMessage | string {
  if (datagram.length > MESSAGE_MOST) return `is larger than ${MESSAGE_MOST} bytes`
  const bytes = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.byteLength)
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return 'has no end of its headers'
  const head = textOf(bytes.subarray(0, end))
  if (head === undefined) return 'is no UTF-8'
  // A tab is white space as a blank is (RFC 3261 25.1). Nothing that we send has one.
  const [first = '', ...lines] = head
    .replace(/\r\n[ \t]+/g, ' ')
    .replaceAll('\t', ' ')
    .split('\r\n')
  if (lines.length > LINES_MOST) return `has more than ${LINES_MOST} headers`
  const headers = new SipHeaders()
  for (const line of [first, ...lines]) {
    if (line.length > LINE_MOST) return `has a line of more than ${LINE_MOST} characters`
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    if (/[\x00-\x1f\x7f]/.test(line)) return 'holds a control character'
  }
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name === undefined || value === undefined) return 'has a line that is no header'
    headers.add(name, value)
  }
  const fault = faultOf(headers)
  if (fault) return fault
  const body = bodyOf(bytes.subarray(end + 4), headers.get('content-length'))
  if (body === undefined) return 'has a body of another length than it says'
  const [, method, uri] = REQUEST_LINE.exec(first) ?? []
  if (method !== undefined && uri !== undefined) {
    if (returnedLength(headers) > RETURNED_MOST)
      return `has more than ${RETURNED_MOST} characters that its answer would bring back`
    return method === cseqOf(headers).method
      ? { kind: 'request', method, uri, headers, body }
      : 'names two methods'
  }
  const [, status, reason = ''] = STATUS_LINE.exec(first) ?? []
  return status === undefined
    ? 'begins with no line of SIP'
    : { kind: 'response', status: Number(status), reason, headers, body }
}

/** The datagram of a message, with its `Content-Length`. Throws a TypeError for text that would break a line. */
export function printMessage(message: SipMessage): Buffer {
  const first =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`
  const length = Buffer.byteLength(message.body)
  return Buffer.from(
    `${oneLine(first)}\r\n${message.headers.print()}Content-Length: ${length}\r\n\r\n${message.body}`,
  )
}

/** The number and the method of `CSeq`; both are there in a message that was parsed. */
export function cseqOf(headers: SipHeaders): { number: number; method: string } {
  const [, number = '-1', method = ''] = CSEQ.exec(headers.get('cseq') ?? '') ?? []
  return { number: Number(number), method }
}

/** The branch of the topmost `Via`. */
export const branchOf = (headers: SipHeaders): string | undefined =>
  /;[ \t]*branch[ \t]*=[ \t]*([^\s;,]{1,255})/i.exec(headers.first('via') ?? '')?.[1]

/** Who has sent this, as the topmost `Via` names it: a host and perhaps a port. */
export const sentByOf = (headers: SipHeaders): string =>
  (/^(?:[^/;]*\/){2} *[^; ]+ +([^;]*)/.exec(headers.first('via') ?? '')?.[1] ?? '')
    .replaceAll(' ', '')
    .toLowerCase()

/** The reason phrases of the answers that we give. */
const REASONS: Readonly<Record<number, string>> = {
  100: 'Trying',
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  405: 'Method Not Allowed',
  420: 'Bad Extension',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
}

/**
 * An answer to a request: its `Via` lines, `From`, `To`, `Call-ID` and `CSeq` come back (RFC 3261 8.2.6). A 2xx of an INVITE brings its
 * `Record-Route` lines back, too: they are the caller's way to us (12.1.1).
 */
export function answerTo(
  request: SipRequest,
  status: number,
  {
    toTag,
    headers = [],
    body = '',
  }: { toTag?: string; headers?: ReadonlyArray<readonly [string, string]>; body?: string } = {},
): SipResponse {
  const answer = new SipHeaders(request.headers.lines('via').map((line) => ['via', line] as const))
  for (const name of ['from', 'to', 'call-id', 'cseq']) {
    const value = request.headers.get(name) ?? ''
    const needsTag = name === 'to' && toTag !== undefined && !/;[ \t]*tag[ \t]*=/i.test(value)
    answer.add(name, needsTag ? `${value};tag=${toTag}` : value)
  }
  if (request.method === 'INVITE' && status >= 200 && status < 300)
    for (const route of request.headers.lines('record-route')) answer.add('record-route', route)
  for (const [name, value] of headers) answer.add(name, value)
  return { kind: 'response', status, reason: REASONS[status] ?? 'Answer', headers: answer, body }
}

const returnedLength = (headers: SipHeaders): number =>
  RETURNED.flatMap((name) => headers.lines(name)).reduce((length, line) => length + line.length, 0)

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

function faultOf(headers: SipHeaders): string | undefined {
  for (const name of NEEDED) {
    const count = headers.lines(name).length
    if (count === 0) return `has no ${name}`
    if (count > 1 && name !== 'via') return `has more than one ${name}`
  }
  const { number } = cseqOf(headers)
  if (number < 0 || number >= 2 ** 31) return 'has a CSeq that is none'
  return branchOf(headers) === undefined ? 'has no branch' : undefined
}

/** The body. What stands behind its length is left out; undefined where it is shorter. */
function bodyOf(rest: Buffer, length: string | undefined): string | undefined {
  if (length === undefined) return rest.toString('utf8')
  if (!/^\d{1,5}$/.test(length) || Number(length) > rest.length) return undefined
  return rest.toString('utf8', 0, Number(length))
}
