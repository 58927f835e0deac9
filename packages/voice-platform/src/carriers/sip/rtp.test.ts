import { describe, expect, it } from 'vitest'
import { parseRtp, printRtp } from './rtp-packet.js'
import { RtpSender } from './rtp-sender.js'
import { TelephoneEvents } from './telephone-event.js'
import { Unwrapped } from './unwrapped.js'

const PACKET = {
  type: 0,
  marker: true,
  sequence: 65_535,
  timestamp: 2 ** 32 - 1,
  source: 7,
  payload: Buffer.from('abc'),
}

describe('a packet of RTP', () => {
  it('is read as it is printed', () => {
    expect(parseRtp(printRtp(PACKET))).toEqual(PACKET)
  })

  it('may name other sources, have an extension and be padded', () => {
    const extension = Buffer.from([0xbe, 0xde, 0, 1, 1, 2, 3, 4])
    const bytes = printRtp({
      ...PACKET,
      payload: Buffer.concat([Buffer.alloc(4), extension, Buffer.from('abc'), Buffer.from([0, 2])]),
    })
    bytes[0] = 0x80 | 0x20 | 0x10 | 1
    expect(parseRtp(bytes)?.payload.toString()).toBe('abc')
  })

  it.each([
    ['short', Buffer.alloc(11, 0x80)],
    ['long', Buffer.alloc(1_501, 0x80)],
    ['of another version', Buffer.alloc(20)],
    ['with an extension that is cut off', Buffer.from([0x90, ...Array(11).fill(0)])],
    ['with more padding than there is', Buffer.from([0xa0, ...Array(11).fill(0), 9])],
  ])('that is %s is none', (_name, bytes) => {
    expect(parseRtp(bytes)).toBeUndefined()
  })

  it('is one of a stream: numbers go on, and time tells a pause', () => {
    const sent: NonNullable<ReturnType<typeof parseRtp>>[] = []
    const sender = new RtpSender((bytes) => {
      const packet = parseRtp(bytes)
      if (packet) sent.push(packet)
    })
    for (const at of [0, 160, 480]) sender.frame(new Uint8Array(160), at)
    const [first, second, third] = sent
    expect(sent.map(({ marker }) => marker)).toEqual([true, false, true])
    const since = (packet = first) => ((packet?.timestamp ?? 0) - (first?.timestamp ?? 0)) >>> 0
    expect([since(second), since(third)]).toEqual([160, 480])
    expect(((third?.sequence ?? 0) - (first?.sequence ?? 0)) & 0xffff).toBe(2)
    expect(new Set(sent.map(({ source }) => source)).size).toBe(1)
  })
})

describe('a key of ours', () => {
  const FRAME = new Uint8Array(160)
  function stream() {
    const sent: NonNullable<ReturnType<typeof parseRtp>>[] = []
    const sender = new RtpSender((bytes) => {
      const packet = parseRtp(Buffer.from(bytes))
      if (packet) sent.push(packet)
    })
    return { sender, sent }
  }

  it('takes the place of the voice: one time, a growing length, and its end three times', () => {
    const { sender, sent } = stream()
    sender.frame(FRAME, 0)
    sender.press('#', 96)
    for (let at = 160; at <= 1_280; at += 160) sender.frame(FRAME, at)
    expect(sent.map(({ type }) => type)).toEqual([0, 96, 96, 96, 96, 96, 96, 96, 0])
    expect(sent.map(({ marker }) => marker)).toEqual([true, true, ...Array(6).fill(false), true])
    const start = sent[0]?.timestamp ?? 0
    expect(sent.map(({ timestamp }) => (timestamp - start) >>> 0)).toEqual([0, ...Array(7).fill(160), 1_280])
    expect(sent.slice(1, 8).map(({ payload }) => [...payload])).toEqual([
      [11, 10, 0, 160],
      [11, 10, 1, 64],
      [11, 10, 1, 224],
      [11, 10, 2, 128],
      ...Array(3).fill([11, 0x8a, 3, 32]),
    ])
    const first = sent[0]?.sequence ?? 0
    expect(sent.map(({ sequence }) => (sequence - first) & 0xffff)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('that the line stood still in is as long as it was down', () => {
    const { sender, sent } = stream()
    sender.press('1', 101)
    for (const at of [0, 80_000, 80_160, 80_320]) sender.frame(FRAME, at)
    expect(sent.map(({ payload }) => [...payload])).toEqual([
      [1, 10, 0, 160],
      ...Array(3).fill([1, 0x8a, 0xff, 0xff]),
    ])
  })
})

it('goes on counting where a counter begins again, also for what comes late', () => {
  const counter = new Unwrapped(16)
  expect([65_534, 65_535, 1, 0, 65_533, 2].map((value) => counter.next(value))).toEqual([
    65_534, 65_535, 65_537, 65_536, 65_533, 65_538,
  ])
})

describe('a key', () => {
  const pressed = (...packets: Array<[bytes: number[], timestamp: number]>) => {
    const keys: string[] = []
    const events = new TelephoneEvents((key) => void keys.push(key))
    for (const [bytes, timestamp] of packets) events.receive(Uint8Array.from(bytes), timestamp)
    return keys
  }

  it('counts once, however many of its packets come', () => {
    const five = [5, 10, 0, 160]
    const up = [5, 0x8a, 1, 64]
    expect(pressed([five, 100], [five, 100], [up, 100], [up, 100], [up, 2_000])).toEqual(['5', '5'])
    expect(pressed([up, 100], [five, 100])).toEqual(['5'])
  })

  it('is one of sixteen', () => {
    const packets = Array.from({ length: 20 }, (_, event): [number[], number] => [[event, 0, 0, 0], event])
    expect(pressed(...packets).join('')).toBe('0123456789*#ABCD')
    expect(pressed([[1, 0, 0], 1])).toEqual([])
  })
})
