import { createDecoder } from 'libopus-wasm'
import { describe, expect, it } from 'vitest'
import { OggOpus } from './ogg-opus.js'
import { asLastPage, BEGINS, ENDS, oggCrc, oggPage, type ReadPage, readOggPage } from './ogg-page.js'

const TONE = (samples: number, channels: 1 | 2) =>
  Int16Array.from({ length: samples * channels }, (_, n) =>
    n % channels === 0 ? 8000 * Math.sin((2 * Math.PI * 440 * Math.floor(n / channels)) / 16_000) : 0,
  )

/** All pages of a stream, which must follow each other without a gap. */
function pagesOf(bytes: Uint8Array): ReadPage[] {
  const pages: ReadPage[] = []
  for (let at = 0; at < bytes.length; ) {
    const page = readOggPage(bytes, at)
    if (!page) throw new Error(`No page at ${at}.`)
    pages.push(page)
    at += page.length
  }
  return pages
}

async function decoded(pages: readonly ReadPage[], channels: 1 | 2): Promise<Int16Array> {
  const decoder = await createDecoder({ sampleRate: 16_000, channels })
  const frames = pages.flatMap(({ packets }) => packets.map((packet) => decoder.decode(packet).slice()))
  decoder.free()
  return Int16Array.from(frames.flatMap((frame) => [...frame]))
}

const energy = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)

describe('an Ogg page', () => {
  const page = { flags: 0, granule: 960, serial: 7, sequence: 3 }

  it('has the checksum that RFC 3533 asks for', () => {
    // The polynomial 0x04c11db7 from zero, without reflection: the check value of its catalogue.
    expect(oggCrc(Buffer.from('123456789'))).toBe(0x89a1897f)
  })

  it.each([
    [0, [0]],
    [254, [254]],
    [255, [255, 0]],
    [510, [255, 255, 0]],
    [600, [255, 255, 90]],
  ])('lays a packet of %i bytes out as %j', (bytes, lacing) => {
    const whole = oggPage({ ...page, packets: [new Uint8Array(bytes).fill(9)] })
    expect([...whole.subarray(27, 27 + (whole[26] ?? 0))]).toEqual(lacing)
    expect(readOggPage(whole, 0)).toMatchObject({ ...page, length: 27 + lacing.length + bytes })
    expect(readOggPage(whole, 0)?.packets.map(({ length }) => length)).toEqual([bytes])
  })

  it('is not read where a byte is wrong or missing', () => {
    const whole = oggPage({ ...page, packets: [Uint8Array.of(1, 2, 3)] })
    const wrong = Uint8Array.from(whole)
    wrong[whole.length - 1] = 4
    expect([readOggPage(wrong, 0), readOggPage(whole.subarray(0, -1), 0), readOggPage(whole, 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('refuses more than fits', () => {
    const packets = Array.from({ length: 256 }, () => Uint8Array.of(1))
    expect(() => oggPage({ ...page, packets })).toThrow(RangeError)
  })

  it('becomes the last of its stream', () => {
    const read = readOggPage(oggPage({ ...page, packets: [Uint8Array.of(1)] }), 0)
    if (!read) throw new Error('It is not read.')
    expect(readOggPage(asLastPage(read), 0)).toMatchObject({ ...page, flags: ENDS })
  })
})

describe('a call as Ogg Opus', () => {
  it('has its headers on pages of their own, and tells where the sound ends', async () => {
    const opus = await OggOpus.open(2)
    const bytes = Buffer.concat([
      opus.header(),
      opus.add(TONE(8_000, 2)),
      opus.add(TONE(8_123, 2)),
      opus.end(),
    ])
    opus.close()
    const pages = pagesOf(bytes)
    const [head, tags] = pages
    expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index))
    expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1)
    expect(pages.map(({ flags }) => flags)).toEqual([BEGINS, 0, 0, 0, ENDS])
    const id = Buffer.from(head?.packets[0] ?? [])
    const preSkip = id.readUInt16LE(10)
    expect([id.toString('latin1', 0, 8), id.readUInt8(9), id.readUInt32LE(12)]).toEqual([
      'OpusHead',
      2,
      16_000,
    ])
    expect(Buffer.from(tags?.packets[0] ?? []).toString('latin1', 0, 8)).toBe('OpusTags')
    // Half a second is 25 packets of 960 granules.
    expect(pages.slice(2).map(({ granule }) => granule)).toEqual([24_000, 48_000, preSkip + 16_123 * 3])
    const last = pages.at(-1)
    const packets = pages.slice(2).reduce((sum, { packets }) => sum + packets.length, 0)
    expect(packets * 960).toBeGreaterThanOrEqual(last?.granule ?? 0)
  })

  it('is decoded to what went in, each side in its own channel', async () => {
    const opus = await OggOpus.open(2)
    const pages = pagesOf(Buffer.concat([opus.header(), opus.add(TONE(16_000, 2)), opus.end()]))
    opus.close()
    const both = await decoded(pages.slice(2), 2)
    const left = both.filter((_, index) => index % 2 === 0)
    const right = both.filter((_, index) => index % 2 === 1)
    expect(energy(left) / energy(TONE(16_000, 1))).toBeCloseTo(1, 1)
    expect(energy(right) / energy(left)).toBeLessThan(1e-4)
  })

  it('fits into pages however much comes at once', async () => {
    const opus = await OggOpus.open(1)
    const noise = Int16Array.from({ length: 48_000 }, (_, n) => ((n * 7919 * (n % 113)) % 60_000) - 30_000)
    const pages = pagesOf(Buffer.concat([opus.header(), opus.add(noise), opus.end()]))
    opus.close()
    expect(pages.slice(2, -1).map(({ packets }) => packets.length)).toEqual([40, 40, 40, 30])
  })
})
