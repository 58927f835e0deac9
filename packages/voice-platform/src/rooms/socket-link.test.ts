import { CHUNK_SAMPLES, MAX_AUDIO_BYTES, ROOM_PROTOCOL, roomText } from '@heyline/room-protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../clock.js'
import { describeLink, tone } from '../link.contract.js'
import { ManualClock } from '../testing/manual-clock.js'
import { roomPeer } from '../testing/room-peer.js'
import { type SocketPair, socketPair } from '../testing/socket-pair.js'
import { SocketLink } from './socket-link.js'

describeLink('a room.v1 client', {
  async makeLink() {
    const pair = await socketPair(ROOM_PROTOCOL)
    return {
      link: new SocketLink(pair.server, systemClock),
      peer: roomPeer(pair.client),
      close: () => pair.close(),
    }
  },
})

describe('a room.v1 link', () => {
  const clock = new ManualClock()
  let pair: SocketPair
  afterEach(() => pair.close())
  const make = async () => {
    pair = await socketPair(ROOM_PROTOCOL)
    const frames: (Buffer | string)[] = []
    pair.client.on('message', (data: Buffer, binary) => frames.push(binary ? data : data.toString('utf8')))
    const closed: string[] = []
    const link = new SocketLink(pair.server, clock)
    link.open({
      audio: () => {},
      message: () => {},
      digit: () => {},
      closed: (reason) => closed.push(reason),
    })
    return { link, frames, closed }
  }
  const closeOf = () =>
    new Promise<{ code: number; reason: string }>((resolve) => {
      pair.client.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })

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
    expect(clock.pending).toBe(0)
  })

  it('does not wait for ever for the answer to a clear', async () => {
    const { link } = await make()
    const mark = link.mark()
    const cleared = link.clear()
    clock.advance(1_000)
    expect(await cleared).toBe(0)
    expect(await mark).toBe('cleared')
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
