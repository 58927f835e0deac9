/** One packet of RTP (RFC 3550 5.1). */
export interface RtpPacket {
  /** 0 to 127. */
  type: number
  /** The first packet after a silence, or of a key. */
  marker: boolean
  /** 16 bits, round and round. */
  sequence: number
  /** In samples of 8 kHz; 32 bits, round and round. */
  timestamp: number
  /** Names the sender. */
  source: number
  payload: Uint8Array
}

const HEADER = 12
/** Largest packet that is read, in bytes: more than 100 ms of PCMU. */
export const PACKET_MOST = 1_500

/** Reads a packet. Undefined for what is none. */
export function parseRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length < HEADER || bytes.length > PACKET_MOST) return undefined
  const first = bytes.readUInt8(0)
  if (first >> 6 !== 2) return undefined
  const second = bytes.readUInt8(1)
  let start = HEADER + 4 * (first & 0x0f)
  if (first & 0x10) {
    if (bytes.length < start + 4) return undefined
    start += 4 + 4 * bytes.readUInt16BE(start + 2)
  }
  const padding = first & 0x20 ? (bytes.at(-1) ?? 0) : 0
  const end = bytes.length - padding
  if (start > end) return undefined
  return {
    type: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    source: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, end),
  }
}

export function printRtp({ type, marker, sequence, timestamp, source, payload }: RtpPacket): Buffer {
  const bytes = Buffer.alloc(HEADER + payload.length)
  bytes.writeUInt8(0x80, 0)
  bytes.writeUInt8((marker ? 0x80 : 0) | type, 1)
  bytes.writeUInt16BE(sequence & 0xffff, 2)
  bytes.writeUInt32BE(timestamp >>> 0, 4)
  bytes.writeUInt32BE(source >>> 0, 8)
  bytes.set(payload, HEADER)
  return bytes
}
