import { expect, it, vi } from 'vitest'
import { WyomingReader, wyomingBytes } from './wyoming-event.js'

const payload = Buffer.from(Uint8Array.from({ length: 9_000 }, (_, n) => n % 251))
const EVENTS = [
  { type: 'audio-start', data: { rate: 16_000 }, payload: Buffer.alloc(0) },
  { type: 'audio-chunk', data: { rate: 16_000 }, payload },
  { type: 'audio-stop', data: {}, payload: Buffer.alloc(0) },
]
const STREAM = Buffer.concat(
  EVENTS.map(({ type, data, payload }) => wyomingBytes(type, data, payload.length > 0 ? payload : undefined)),
)

it.each([1, 2, 7, 100, 4_097, 100_000])('reads the same events from pieces of %d bytes', (size) => {
  const reader = new WyomingReader()
  const events = []
  for (let at = 0; at < STREAM.length; at += size) events.push(...reader.read(STREAM.subarray(at, at + size)))
  expect(events).toEqual(EVENTS)
})

it('reads data that stands behind the line', () => {
  const data = JSON.stringify({ text: 'Hello.' })
  const bytes = `${JSON.stringify({ type: 'transcript', data_length: data.length })}\n${data}`
  expect(new WyomingReader().read(Buffer.from(bytes))).toEqual([
    { type: 'transcript', data: { text: 'Hello.' }, payload: Buffer.alloc(0) },
  ])
})

it.each([
  ['no JSON', 'hello\n'],
  ['a payload without end', '{"type":"audio-chunk","payload_length":9000000}\n'],
  ['a line without end', 'x'.repeat(100_001)],
])('refuses %s', (_, bytes) => {
  expect(() => new WyomingReader().read(Buffer.from(bytes))).toThrow(RangeError)
})

it('reads a line once, however small the pieces behind it are', () => {
  const line = { type: 'audio-chunk', data: { pad: 'x'.repeat(1_000) }, payload_length: 500 }
  const reader = new WyomingReader()
  const parse = vi.spyOn(JSON, 'parse')
  reader.read(Buffer.from(`${JSON.stringify(line)}\n`))
  for (let n = 0; n < 499; n += 1) expect(reader.read(Buffer.alloc(1))).toEqual([])
  expect(reader.read(Buffer.alloc(1))).toMatchObject([{ type: 'audio-chunk' }])
  expect(parse).toHaveBeenCalledTimes(1)
  parse.mockRestore()
})
