import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { rangeOf } from './byte-range.js'
import { RECORDINGS_PATH, RecordingUrls } from './recording-url.js'

const CALL = '11111111-2222-4333-8444-555555555555'

function setUp() {
  const clock = new ManualClock()
  const urls = new RecordingUrls({
    publicUrl: 'https://demo.example',
    key: new Uint8Array(32).fill(1),
    clock,
  })
  const url = new URL(urls.of(CALL, 'ogg').stereo)
  const name = url.pathname.slice(RECORDINGS_PATH.length)
  const read = (as = name, search: Record<string, string> = {}) =>
    urls.read(as, new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...search }))
  return { clock, name, read, url, urls }
}

describe('the address of a recording', () => {
  it('leads to one file for a quarter of an hour', () => {
    const { clock, read, url } = setUp()
    expect(url.href).toMatch(
      /^https:\/\/demo\.example\/-\/recordings\/1{8}-.*\.stereo\.ogg\?expires=\d+&signature=[\w-]{43}$/,
    )
    expect(read()).toEqual({ callId: CALL, kind: 'stereo', format: 'ogg' })
    clock.advance(899_000)
    expect(read()).toBeDefined()
    clock.advance(1_001)
    expect(read()).toBeUndefined()
  })

  it('leads nowhere else', () => {
    const { name, read, url } = setUp()
    const later = String(Number(url.searchParams.get('expires')) + 1)
    expect([
      read(name.replace('stereo', 'mono')),
      read(name.replace('ogg', 'wav')),
      read(name.replace('1', '2')),
      read(`../${name}`),
      read('disk-id'),
      read(name, { expires: later }),
      read(name, { signature: '' }),
      read(name, { signature: 'a'.repeat(43) }),
    ]).toEqual(Array.from({ length: 8 }, () => undefined))
  })

  it('is good in every process with the key, and in no other', () => {
    const { clock, name, url } = setUp()
    const other = (key: number) =>
      new RecordingUrls({ publicUrl: 'https://b.example', key: new Uint8Array(32).fill(key), clock })
    expect(other(1).read(name, url.searchParams)).toBeDefined()
    expect(other(2).read(name, url.searchParams)).toBeUndefined()
  })
})

describe('a range of bytes', () => {
  it.each([
    [null, undefined],
    ['bytes=0-', { first: 0, last: 99 }],
    ['bytes=10-19', { first: 10, last: 19 }],
    ['bytes=90-500', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-5', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,5-6', undefined],
    ['samples=0-1', undefined],
  ])('of %j is %j', (header, range) => {
    expect(rangeOf(header, 100)).toEqual(range)
  })
})
