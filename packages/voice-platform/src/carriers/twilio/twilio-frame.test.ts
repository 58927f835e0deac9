import { describe, expect, it } from 'vitest'
import { readFrame } from './twilio-frame.js'

const read = (value: unknown) => readFrame(Buffer.from(JSON.stringify(value)), false)

describe('readFrame', () => {
  it('reads a stream’s start', () => {
    const frame = read({
      event: 'start',
      sequenceNumber: '1',
      streamSid: 'MZ1',
      start: {
        accountSid: 'AC1',
        streamSid: 'MZ1',
        callSid: 'CA1',
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters: { call: 'c', key: 'k' },
      },
    })
    expect(frame).toMatchObject({
      event: 'start',
      start: { streamSid: 'MZ1', callSid: 'CA1', customParameters: { call: 'c', key: 'k' } },
    })
  })

  it('reads audio with its time', () => {
    const media = { track: 'inbound', chunk: '3', timestamp: '40', payload: 'f39/' }
    expect(read({ event: 'media', media })).toEqual({
      event: 'media',
      media: { track: 'inbound', chunk: 3, timestamp: 40, payload: 'f39/' },
    })
  })

  it('reads keys, marks and the end', () => {
    expect(read({ event: 'dtmf', dtmf: { track: 'inbound_track', digit: '#' } })).toEqual({
      event: 'dtmf',
      dtmf: { digit: '#' },
    })
    expect(read({ event: 'mark', mark: { name: '7' } })).toEqual({ event: 'mark', mark: { name: '7' } })
    expect(read({ event: 'stop', stop: { callSid: 'CA1' } })).toEqual({ event: 'stop' })
  })

  it('passes over events that it does not know', () => {
    expect(read({ event: 'weather', weather: 'fine' })).toEqual({ event: 'other' })
  })

  it.each([
    ['binary', () => readFrame(Buffer.of(1, 2, 3), true), 1003],
    ['not JSON', () => readFrame(Buffer.from('{"event":'), false), 1003],
    ['too long', () => readFrame(Buffer.alloc(65_537, 0x20), false), 1009],
    ['null', () => read(null), 1008],
    ['an array', () => read(['media']), 1008],
    ['without an event', () => read({ media: {} }), 1008],
    ['audio without audio', () => read({ event: 'media', media: {} }), 1008],
    ['audio that is not base64', () => read({ event: 'media', media: { payload: '*' } }), 1008],
    [
      'a time before the stream',
      () => read({ event: 'media', media: { timestamp: '-1', payload: '' } }),
      1008,
    ],
    ['a count below nothing', () => read({ event: 'media', media: { chunk: '-1', payload: '' } }), 1008],
    ['a key that no phone has', () => read({ event: 'dtmf', dtmf: { digit: 'E' } }), 1008],
    ['a start that names no stream', () => read({ event: 'start', start: {} }), 1008],
  ])('refuses what is %s', (_, frame, code) => {
    expect(frame()).toMatchObject({ event: 'refused', code })
  })
})
