import { systemClock } from '@heyline/kit/clock'
import { ManualClock } from '@heyline/kit/manual-clock'
import { CHUNK_SAMPLES, GRACE_MS, MAX_AUDIO_BYTES, ROOM_PROTOCOL, roomText } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describeLink, tone } from '../link/link.contract.js'
import { roomPeer } from '../testing/room-peer.js'
import { type SocketPair, socketPair } from '../testing/socket-pair.js'
import { SocketLink } from './socket-link.js'

const logger = pino({ level: 'silent' })

describeLink('a room.v1 client', {
  async makeLink() {
    const pair = await socketPair(ROOM_PROTOCOL)
    return {
      link: new SocketLink(pair.server, { clock: systemClock, logger, graceMs: 20 }),
      peer: roomPeer(pair.client),
      close: () => pair.close(),
    }
  },
})

describe('a room.v1 link', () => {
  let clock: ManualClock
  let pair: SocketPair
  afterEach(() => pair.close())
  const make = async () => {
    clock = new ManualClock()
    pair = await socketPair(ROOM_PROTOCOL)
    const frames: (Buffer | string)[] = []
    pair.client.on('message', (data: Buffer, binary) => frames.push(binary ? data : data.toString('utf8')))
    const closed: string[] = []
    const link = new SocketLink(pair.server, { clock, logger, graceMs: GRACE_MS })
    link.open({
      onAudio: () => {},
      onMessage: () => {},
      onDigit: () => {},
      onClosed: (reason) => closed.push(reason),
    })
    return { link, frames, closed }
  }
  /** Resolves when the platform knows that the connection is over. */
  const gone = () => vi.waitFor(() => expect(pair.server.readyState).toBe(pair.server.CLOSED))
  const closeOf = () =>
    new Promise<{ code: number; reason: string }>((resolve) => {
      pair.client.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })

  /** Ten seconds in which the client answers a ping. */
  const beat = async () => {
    const answered = new Promise((resolve) => pair.server.once('pong', resolve))
    clock.advance(10_000)
    await answered
  }

  it('sends speech in pieces of 100 ms, and marks as messages', async () => {
    const { link, frames } = await make()
    link.send(tone(250, 0.3))
    link.mark()
    link.listening()
    await vi.waitFor(() => expect(frames).toHaveLength(5))
    expect(frames.slice(0, 3).map((frame) => frame.length)).toEqual([
      CHUNK_SAMPLES * 2,
      CHUNK_SAMPLES * 2,
      CHUNK_SAMPLES,
    ])
    expect(frames.slice(3)).toEqual(['{"type":"room.mark","id":1}', '{"type":"room.listening"}'])
  })

  it('passes on how much was played, and keeps a mark that was reached before the clear came', async () => {
    const { link, frames } = await make()
    const first = link.mark()
    const second = link.mark()
    const cleared = link.clear()
    const later = link.mark()
    await vi.waitFor(() => expect(frames).toHaveLength(4))
    pair.client.send(roomText({ type: 'room.played', id: 1 }))
    pair.client.send(roomText({ type: 'room.cleared', id: 3, playedMs: 420 }))
    pair.client.send(roomText({ type: 'room.played', id: 4 }))
    expect(await first).toBe('played')
    expect(await second).toBe('cleared')
    expect(await cleared).toBe(420)
    expect(await later).toBe('played')
    link.close('assistant-ended-call')
    expect(clock.pending).toBe(0)
  })

  it('does not wait for ever for the answer to a clear: then the clock tells what was heard', async () => {
    const { link } = await make()
    link.send(tone(2_000, 0.3))
    const mark = link.mark()
    clock.advance(700)
    const cleared = link.clear()
    clock.advance(1_000)
    expect(await cleared).toBe(700)
    expect(await mark).toBe('cleared')
  })

  it('takes a mark that is not reported for reached five seconds after its speech was to be heard', async () => {
    const { link } = await make()
    const outcomes: string[] = []
    link.send(tone(2_000, 0.3))
    link.mark().then((outcome) => outcomes.push(outcome))
    link.send(tone(1_000, 0.3))
    link.mark().then((outcome) => outcomes.push(outcome))
    clock.advance(6_999)
    await Promise.resolve()
    expect(outcomes).toEqual([])
    clock.advance(1)
    await Promise.resolve()
    expect(outcomes).toEqual(['played'])
    clock.advance(1_000)
    await Promise.resolve()
    expect(outcomes).toEqual(['played', 'played'])
  })

  it.each([
    ['left', () => pair.client.send(roomText({ type: 'room.leave' }))],
    ['lost', () => pair.client.terminate()],
  ])('knows by the clock what a caller who has %s had heard', async (reason, go) => {
    const { link, closed, frames } = await make()
    link.send(tone(1_000, 0.3))
    const reached = link.mark()
    link.send(tone(3_000, 0.3))
    const cut = link.mark()
    clock.advance(1_000)
    await vi.waitFor(() => expect(frames.at(-1)).toBe('{"type":"room.mark","id":2}'))
    pair.client.send(roomText({ type: 'room.played', id: 1 }))
    expect(await reached).toBe('played')
    clock.advance(2_000)
    go()
    await gone()
    clock.advance(GRACE_MS)
    await vi.waitFor(() => expect(closed).toEqual([reason]))
    clock.advance(5_000)
    expect(await cut).toBe('cleared')
    expect(await link.clear()).toBe(2_000)
    expect(clock.pending).toBe(0)
  })

  it('is lost when its client gives no sign of life for thirty seconds, and does not come back', async () => {
    const { closed } = await make()
    await beat()
    // From here on nothing comes: no answers, no frames.
    pair.client.pause()
    clock.advance(29_999)
    expect(pair.server.readyState).toBe(pair.server.OPEN)
    clock.advance(1)
    await gone()
    clock.advance(GRACE_MS - 1)
    expect(closed).toEqual([])
    clock.advance(1)
    await vi.waitFor(() => expect(closed).toEqual(['lost']))
    expect(clock.pending).toBe(0)
  })

  it('stays open for a client that is silent, but there', async () => {
    const { link, closed } = await make()
    for (let beats = 0; beats < 12; beats += 1) await beat()
    expect(closed).toEqual([])
    link.close('assistant-ended-call')
  })

  it('says why the call ended, then closes with 1000', async () => {
    const { link, frames } = await make()
    const closed = closeOf()
    link.close('silence-timed-out')
    expect(await closed).toEqual({ code: 1000, reason: 'silence-timed-out' })
    expect(frames.at(-1)).toBe('{"type":"room.ended","reason":"silence-timed-out"}')
  })

  it('closes with 1000 when the person hangs up', async () => {
    const { closed } = await make()
    const end = closeOf()
    pair.client.send(roomText({ type: 'room.leave' }))
    expect((await end).code).toBe(1000)
    expect(closed).toEqual(['left'])
  })

  it.each([
    ['text that is not JSON', () => pair.client.send('{'), 1007],
    ['an unknown room message', () => pair.client.send('{"type":"room.nonsense"}'), 1007],
    ['a type too long for a reason', () => pair.client.send(`{"type":"room.${'é'.repeat(300)}"}`), 1007],
    ['a message of the other end', () => pair.client.send('{"type":"room.ended","reason":"x"}'), 1007],
    ['a list', () => pair.client.send('[1]'), 1007],
    ['too much text', () => pair.client.send(`{"type":"say","content":"${'x'.repeat(110_000)}"}`), 1007],
    ['too much audio', () => pair.client.send(Buffer.alloc(MAX_AUDIO_BYTES + 2)), 1009],
  ])('closes a client that sends %s, with a reason', async (_what, misbehave, code) => {
    const { closed } = await make()
    const end = closeOf()
    misbehave()
    const { code: got, reason } = await end
    expect(got).toBe(code)
    expect(reason).not.toBe('')
    expect(closed).toEqual(['lost'])
  })

  it('closes a client that sends too many messages at once', async () => {
    const { closed } = await make()
    const end = closeOf()
    for (let n = 0; n < 41; n += 1) pair.client.send('{"type":"say","message":"Hello."}')
    expect(await end).toEqual({ code: 1008, reason: 'too many messages' })
    expect(closed).toEqual(['lost'])
  })

  it('closes a client whose messages are of the greatest length again and again', async () => {
    const { closed } = await make()
    const end = closeOf()
    const long = JSON.stringify({ type: 'none', filler: 'x'.repeat(99_000) })
    for (let n = 0; n < 4; n += 1) pair.client.send(long)
    await new Promise((resolve) => pair.client.ping(() => pair.client.once('pong', resolve)))
    expect(closed).toEqual([])
    pair.client.send(long)
    expect(await end).toEqual({ code: 1008, reason: 'too many messages' })
  })

  it('cuts a reason that is too long for a close frame', async () => {
    const { link } = await make()
    const end = closeOf()
    link.close('é'.repeat(200))
    expect(await end).toEqual({ code: 1000, reason: 'é'.repeat(61) })
  })

  it('closes with 1011 where what a frame sets off throws, and lives on', async () => {
    pair = await socketPair(ROOM_PROTOCOL)
    const closed: string[] = []
    const fails = () => {
      throw new Error('our own mistake')
    }
    const link = new SocketLink(pair.server, { clock: new ManualClock(), logger, graceMs: GRACE_MS })
    link.open({
      onAudio: () => {},
      onMessage: fails,
      onDigit: () => {},
      onClosed: (reason) => {
        closed.push(reason)
        fails()
      },
    })
    const end = closeOf()
    pair.client.send('{"type":"say","message":"Hello."}')
    expect(await end).toEqual({ code: 1011, reason: 'internal error' })
    expect(closed).toEqual(['lost'])
  })

  it('takes empty and odd frames for what they are', async () => {
    const { closed } = await make()
    pair.client.send(Buffer.alloc(0))
    pair.client.send(Buffer.alloc(3))
    pair.client.send(roomText({ type: 'room.playable' }))
    pair.client.send(roomText({ type: 'room.played', id: 99 }))
    pair.client.send(roomText({ type: 'room.leave' }))
    await vi.waitFor(() => expect(closed).toEqual(['left']))
  })

  it('cuts off a client that never reads', async () => {
    const { link, closed } = await make()
    pair.client.pause()
    const speech = new Int16Array(1_600_000)
    for (let i = 0; i < 10 && closed.length === 0; i++) {
      link.send(speech)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(closed).toEqual(['lost'])
  })
})
