import { isIP } from 'node:net'

/** What one side of a call says about its audio (RFC 4566, RFC 3264): PCMU, and keys as telephone-events. */
export interface AudioOffer {
  /** An IP address. */
  address: string
  port: number
  /** The payload type of telephone-event (RFC 4733). Undefined: no keys. */
  events?: number
  direction: Direction
  /** The `m=` lines before and behind this audio, all refused: with port 0. Undefined: there are none. */
  others?: { before: readonly string[]; behind: readonly string[] }
}

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export const SDP_TYPE = 'application/sdp'
/** The payload type of PCMU (RFC 3551). */
export const PCMU = 0
/** The payload type that our own offer gives to telephone-events. */
export const EVENTS = 101

const LINES_MOST = 200
/** Most characters of the media that are refused: the answer has them, too. */
const OTHERS_MOST = 1_000
const DIRECTIONS: readonly Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive']

/** Reads a description of a session. Undefined when it has no audio that we speak: PCMU over RTP at an IP address. */
export function parseSdp(text: string): AudioOffer | undefined {
  const lines = text.split(/\r?\n/)
  if (lines.length > LINES_MOST || lines[0] !== 'v=0') return undefined
  const first = lines.findIndex((line) => line.startsWith('m='))
  const session = first < 0 ? lines : lines.slice(0, first)
  const at = lines.findIndex((line) => line.startsWith('m=audio ') && !/^m=audio 0+[ /]/.test(line))
  if (at < 0) return undefined
  const media = mediaAt(lines, at)
  const before = refused(lines.slice(0, at))
  const behind = refused(lines.slice(at + 1))
  if (!before || !behind || [...before, ...behind].join('').length > OTHERS_MOST) return undefined
  const [, port, formats = ''] =
    /^m=audio (\d{1,5})(?:\/1)? RTP\/AVP (\d{1,3}(?: \d{1,3})*) ?$/.exec(media[0] ?? '') ?? []
  const address = addressOf(media) ?? addressOf(session)
  if (port === undefined || address === undefined) return undefined
  if (Number(port) < 1 || Number(port) > 65_535) return undefined
  if (!formats.split(' ').includes(String(PCMU))) return undefined
  const events = eventsOf(media, formats)
  // An address of zeros is the old way to put a call on hold (RFC 2543).
  const isNowhere = address === '0.0.0.0' || address === '::'
  return {
    address,
    port: Number(port),
    ...(events !== undefined && { events }),
    direction: isNowhere ? 'inactive' : (directionOf(media) ?? directionOf(session) ?? 'sendrecv'),
    ...(before.length + behind.length > 0 && { others: { before, behind } }),
  }
}

/** The media that begins with this line, with all its lines. */
function mediaAt(lines: readonly string[], at: number): string[] {
  const next = lines.findIndex((line, index) => index > at && line.startsWith('m='))
  return lines.slice(at, next < 0 ? undefined : next)
}

/** The `m=` lines among these, with port 0. Undefined where one can't be read. */
function refused(lines: readonly string[]): string[] | undefined {
  const media = lines.filter((line) => line.startsWith('m='))
  const answers = media.flatMap((line) => {
    const [, kind, rest] = /^m=([!-~]+) [!-~]+ ([ -~]+)$/.exec(line) ?? []
    return kind === undefined ? [] : [`m=${kind} 0 ${rest}`]
  })
  return answers.length === media.length ? answers : undefined
}

function addressOf(lines: readonly string[]): string | undefined {
  const line = lines.find((candidate) => candidate.startsWith('c='))
  const [, address] = /^c=IN IP[46] ([0-9a-fA-F.:]{2,45})$/.exec(line ?? '') ?? []
  return address !== undefined && isIP(address) ? address : undefined
}

function eventsOf(media: readonly string[], formats: string): number | undefined {
  for (const line of media) {
    const [, type] = /^a=rtpmap:(\d{1,3}) telephone-event\/8000$/i.exec(line) ?? []
    if (type !== undefined && Number(type) < 128 && formats.split(' ').includes(type)) return Number(type)
  }
  return undefined
}

const directionOf = (lines: readonly string[]) =>
  DIRECTIONS.find((direction) => lines.includes(`a=${direction}`))

export interface OwnAudio extends AudioOffer {
  /** Names the session; it stays the same while the call lasts. */
  session: number
  /** Grows with each description of the same call. */
  version: number
}

/** Our own offer, or our answer to one, which has as many media as the offer in the same order (RFC 3264 6). */
export function printSdp({ address, port, events, direction, session, version, others }: OwnAudio): string {
  const network = isIP(address) === 6 ? 'IP6' : 'IP4'
  const formats = events === undefined ? `${PCMU}` : `${PCMU} ${events}`
  const lines = [
    'v=0',
    `o=heyline ${session} ${version} IN ${network} ${address}`,
    's=-',
    `c=IN ${network} ${address}`,
    't=0 0',
    ...(others?.before ?? []),
    `m=audio ${port} RTP/AVP ${formats}`,
    `a=rtpmap:${PCMU} PCMU/8000`,
    ...(events === undefined ? [] : [`a=rtpmap:${events} telephone-event/8000`, `a=fmtp:${events} 0-15`]),
    'a=ptime:20',
    `a=${direction}`,
    ...(others?.behind ?? []),
  ]
  return `${lines.join('\r\n')}\r\n`
}

/** What we answer to this direction: we always send and listen where the other side lets us. */
export const ANSWERED: Record<Direction, Direction> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
}
