import { beforeEach, describe, expect, it } from 'vitest'
import { type EventStream, LiveStatus } from './live-status.js'

/** A server's events, told by the test. */
class ToldStream extends EventTarget implements EventStream {
  readonly url: string
  readyState = 1

  constructor(url: string) {
    super()
    this.url = url
  }

  tell(state: string, outcome?: string) {
    this.dispatchEvent(new MessageEvent('state', { data: JSON.stringify({ state, outcome }) }))
  }

  /** 0: the browser tries again; 2: it does not. */
  breakOff(readyState: number) {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }

  close() {
    this.readyState = 2
  }
}

describe('the live status', () => {
  let streams: ToldStream[]
  let said: string[]
  let status: LiveStatus
  beforeEach(() => {
    streams = []
    said = []
    const line = {
      say: (text: string, final: boolean) => void said.push(final ? `${text} (final)` : text),
      clear: () => void said.push(''),
    }
    status = new LiveStatus('/-/calls', line, (url) => {
      const stream = new ToldStream(url)
      streams.push(stream)
      return stream
    })
  })

  it('follows the call of an id, and says what becomes of it until it is final', () => {
    status.follow('a b/c')
    expect(streams[0]?.url).toBe('/-/calls/a%20b%2Fc/events')
    for (const state of ['dialling', 'ringing', 'in-progress']) streams[0]?.tell(state)
    expect(streams[0]?.readyState).toBe(1)
    streams[0]?.tell('ended', 'completed')
    expect(said).toEqual([
      '',
      'Calling you…',
      'Ringing…',
      'You are in the call.',
      'The call has ended. (final)',
    ])
    expect(streams[0]?.readyState).toBe(2)
  })

  it.each([undefined, null, '', 7, {}])('follows nothing where the answer’s id is %j', (id) => {
    status.follow(id)
    expect(streams).toEqual([])
    expect(said).toEqual([''])
  })

  it('leaves one call for the next, and hears nothing more of it', () => {
    status.follow('first')
    streams[0]?.tell('ringing')
    status.follow('second')
    expect(streams[0]?.readyState).toBe(2)
    streams[0]?.tell('in-progress')
    streams[0]?.breakOff(2)
    streams[1]?.tell('queued')
    expect(said).toEqual(['', 'Ringing…', '', 'Calling you…'])
  })

  it('ends, and says nothing any more', () => {
    status.follow('first')
    streams[0]?.tell('ringing')
    status.end()
    streams[0]?.tell('in-progress')
    expect(streams[0]?.readyState).toBe(2)
    expect(said).toEqual(['', 'Ringing…', ''])
  })

  it('stands a connection that breaks, while the browser makes it again', () => {
    status.follow('first')
    streams[0]?.tell('ringing')
    streams[0]?.breakOff(0)
    streams[0]?.tell('in-progress')
    expect(said).toEqual(['', 'Ringing…', 'You are in the call.'])
  })

  it('takes its line away where the server gives no events', () => {
    status.follow('first')
    streams[0]?.tell('ringing')
    streams[0]?.breakOff(2)
    expect(said).toEqual(['', 'Ringing…', ''])
  })

  it('keeps what was final', () => {
    status.follow('first')
    streams[0]?.tell('ended', 'busy')
    streams[0]?.breakOff(2)
    expect(said).toEqual(['', 'The line was busy. (final)'])
  })

  it('leaves what it does not know unsaid', () => {
    status.follow('first')
    streams[0]?.tell('a state of tomorrow')
    expect(said).toEqual([''])
  })
})
