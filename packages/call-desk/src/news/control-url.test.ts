import { describe, expect, it } from 'vitest'
import { controlUrlOf } from './platform-call.js'
import { newsOfCall } from './platform-news.js'

const answer = (controlUrl: unknown) => ({ id: 'call-1', status: 'ringing', monitor: { controlUrl } })
/** What both readers of an answer say: when the call is placed, and whenever it is heard of. */
const read = (url: unknown) => [controlUrlOf(answer(url)), newsOfCall(answer(url), new Date())?.controlUrl]

describe('the address for commands', () => {
  it.each([
    'https://control.example/call-1?key=1',
    'http://platform:8080/call/1/control',
    'https://10.0.0.7/1',
  ])('is %s for whoever reads it', (url) => {
    expect(read(url)).toEqual([url, url])
  })

  it.each([
    'wss://control.example/call-1',
    'file:///etc/hosts',
    'https://user:secret@control.example/',
    'https://user@control.example/',
    'https://control.example/\0',
    `https://control.example/${'x'.repeat(2000)}`,
    'call-1/control',
    7,
  ])('is not %j, whoever reads it', (url) => {
    expect(read(url)).toEqual([undefined, undefined])
  })
})
