/** A page's flags (RFC 3533, 6). */
export const BEGINS = 0x02
export const ENDS = 0x04

const HEADER_BYTES = 27
const CRC_AT = 22
/** Most segments of a page, and bytes of each. */
const MOST_SEGMENTS = 255

/** The polynomial of Ogg's checksum, without reflection. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x80000000 ? 0x04c11db7 : 0)
  return crc
})

export interface OggPage {
  /** `BEGINS`, `ENDS`, or 0. */
  flags: number
  /** Where the last packet of the page ends, in samples of 48 kHz. */
  granule: number
  serial: number
  sequence: number
  packets: readonly Uint8Array[]
}

/** Whole packets as one page. Throws a RangeError where they do not fit into one: 255 segments of 255 bytes. */
export function oggPage({ flags, granule, serial, sequence, packets }: OggPage): Uint8Array {
  // A packet's last segment is shorter than 255 bytes, even if that is none (RFC 3533, 5).
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  if (lacing.length > MOST_SEGMENTS)
    throw new RangeError(`${lacing.length} segments do not fit into an Ogg page.`)
  const bytes = Buffer.concat([new Uint8Array(HEADER_BYTES), Uint8Array.from(lacing), ...packets])
  bytes.write('OggS', 0, 'latin1')
  bytes.writeUInt8(flags, 5)
  bytes.writeBigInt64LE(BigInt(granule), 6)
  bytes.writeUInt32LE(serial, 14)
  bytes.writeUInt32LE(sequence, 18)
  bytes.writeUInt8(lacing.length, 26)
  return sealed(bytes)
}

/** The same page with its checksum. */
function sealed(page: Buffer): Buffer {
  page.writeUInt32LE(0, CRC_AT)
  page.writeUInt32LE(oggCrc(page), CRC_AT)
  return page
}

/** The checksum of a page whose checksum is zero. */
export function oggCrc(page: Uint8Array): number {
  let crc = 0
  for (const byte of page) crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0
  return crc
}

/** A page as it was read: where it stands, how long it is, and what is in it. */
export interface ReadPage extends OggPage {
  at: number
  length: number
}

/** The page that begins here. Undefined where none does, or one that is damaged or cut. */
export function readOggPage(bytes: Uint8Array, at: number): ReadPage | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (at + HEADER_BYTES > view.length || view.toString('latin1', at, at + 4) !== 'OggS') return undefined
  const body = at + HEADER_BYTES + view.readUInt8(at + 26)
  const lacing = view.subarray(at + HEADER_BYTES, body)
  const length = body - at + lacing.reduce((sum, segment) => sum + segment, 0)
  if (at + length > view.length) return undefined
  const page = Buffer.from(view.subarray(at, at + length))
  const told = page.readUInt32LE(CRC_AT)
  page.writeUInt32LE(0, CRC_AT)
  if (oggCrc(page) !== told) return undefined
  return {
    ...{ at, length, packets: packetsOf(view.subarray(body, at + length), lacing) },
    flags: view.readUInt8(at + 5),
    granule: Number(view.readBigInt64LE(at + 6)),
    serial: view.readUInt32LE(at + 14),
    sequence: view.readUInt32LE(at + 18),
  }
}

/** The same page as the last of its stream. */
export const asLastPage = (page: ReadPage): Uint8Array => oggPage({ ...page, flags: page.flags | ENDS })

function packetsOf(body: Uint8Array, lacing: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = []
  let start = 0
  let end = 0
  for (const segment of lacing) {
    end += segment
    if (segment === 255) continue
    packets.push(body.subarray(start, end))
    start = end
  }
  return packets
}
