import { describe, expect, it } from 'vitest'
import { parseSdp, printSdp } from './sdp.js'

const lines = (...change: string[]) =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 'c=IN IP4 192.0.2.1', 't=0 0', ...change].join('\r\n')

describe('a description of audio', () => {
  it('is read as it is printed', () => {
    const audio = { address: '192.0.2.7', port: 16_384, events: 101, direction: 'recvonly' } as const
    expect(parseSdp(printSdp({ ...audio, session: 1, version: 1 }))).toEqual(audio)
    const other = { address: '2001:db8::1', port: 16_384, direction: 'sendrecv' } as const
    expect(parseSdp(printSdp({ ...other, session: 1, version: 1 }))).toEqual(other)
  })

  it('may have its own address, its own number for keys, and media that we do not have', () => {
    const text = lines(
      'm=video 9000 RTP/AVP 96',
      'm=audio 0 RTP/AVP 0',
      'm=audio 9000 RTP/AVP 8 0 96',
      'c=IN IP4 192.0.2.9',
      'a=rtpmap:97 telephone-event/8000',
      'a=rtpmap:96 telephone-event/8000',
      'a=sendonly',
      'm=audio 9002 RTP/AVP 0',
    )
    expect(parseSdp(text)).toEqual({
      address: '192.0.2.9',
      port: 9000,
      events: 96,
      direction: 'sendonly',
      others: { before: ['m=video 0 RTP/AVP 96', 'm=audio 0 RTP/AVP 0'], behind: ['m=audio 0 RTP/AVP 0'] },
    })
  })

  it('says that we are on hold in the old way, too', () => {
    expect(parseSdp(lines('m=audio 9000 RTP/AVP 0', 'c=IN IP4 0.0.0.0'))).toMatchObject({
      direction: 'inactive',
    })
  })

  it.each([
    ['without PCMU', lines('m=audio 9000 RTP/AVP 8 101')],
    ['with encryption', lines('m=audio 9000 RTP/SAVP 0')],
    ['without audio', lines('m=video 9000 RTP/AVP 0')],
    ['that refuses audio', lines('m=audio 0 RTP/AVP 0')],
    [
      'with a name for an address',
      lines('m=audio 9000 RTP/AVP 0', 'c=IN IP4 phone.example').replace(/192.0.2.1/g, 'x'),
    ],
    ['with a port that is none', lines('m=audio 90000 RTP/AVP 0')],
    ['that refuses audio in two digits', lines('m=audio 00 RTP/AVP 0')],
    ['that refuses audio in five', lines('m=audio 00000/1 RTP/AVP 0')],
    [
      'with much that we refuse',
      lines('m=audio 9000 RTP/AVP 0', ...Array(90).fill('m=video 9000 RTP/AVP 96')),
    ],
    ['of many lines', lines('m=audio 9000 RTP/AVP 0', ...Array(200).fill('a=x'))],
    ['that takes long to look through', lines(`m=audio 9000 RTP/AVP ${'1 '.repeat(900)}x`)],
    ['with media that cannot be read', lines('m=audio 9000 RTP/AVP 0', 'm=video')],
    ['that is none', 'hello'],
  ])('%s is not ours', (_name, text) => {
    expect(parseSdp(text)).toBeUndefined()
  })
})
