import { ManualClock } from '@heyline/kit/manual-clock'
import { type AppMessage, bytesOf, samplesOf } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { describeLink, joined, tone } from '../link/link.contract.js'
import { type SocketPair, socketPair } from '../testing/socket-pair.js'
import { PacedLink } from './paced-link.js'

const logger = pino({ level: 'silent' })

describeLink('a plain WebSocket client', {
  async makeLink() {
    const pair = await socketPair()
    const clock = new ManualClock()
    const heard: Int16Array[] = []
    const messages: AppMessage[] = []
    pair.client.on('message', (data: Buffer, binary) => {
      if (binary) heard.push(samplesOf(data))
      else messages.push(JSON.parse(data.toString('utf8')))
    })
    return {
      link: new PacedLink(pair.server, { clock, logger }),
      peer: {
        ended: new Promise<void>((resolve) => pair.client.once('close', () => resolve())),
        sendAudio: (samples) => pair.client.send(bytesOf(samples)),
        heardAudio: () => joined(heard),
        playAll: async () => clock.advance(4_000),
        hangUp: () => pair.client.send('{"type":"hangup"}'),
        drop: () => pair.client.terminate(),
        sendMessage: (message) => pair.client.send(JSON.stringify(message)),
        messages: () => messages,
      },
      close: () => pair.close(),
    }
  },
})

describe('a paced link', () => {
  let pair: SocketPair
  afterEach(() => pair.close())
  const make = async () => {
    pair = await socketPair()
    const clock = new ManualClock()
    const sizes: number[] = []
    pair.client.on('message', (data: Buffer) => sizes.push(data.length))
    const link = new PacedLink(pair.server, { clock, logger })
    const closed: string[] = []
    link.open({
      onAudio: () => {},
      onMessage: () => {},
      onDigit: () => {},
      onClosed: (reason) => closed.push(reason),
    })
    return { link, clock, sizes, closed }
  }

  it('sends 20 ms of speech every 20 ms', async () => {
    const { link, clock, sizes } = await make()
    link.send(tone(100, 0.3))
    clock.advance(39)
    await vi.waitFor(() => expect(sizes).toEqual([640, 640]))
    clock.advance(1_000)
    await vi.waitFor(() => expect(sizes).toEqual([640, 640, 640, 640, 640]))
    link.close('assistant-ended-call')
    expect(clock.pending).toBe(0)
  })

  it('sends the sound of an office every 20 ms, with speech in its place, until the call is over', async () => {
    const { link, clock, sizes } = await make()
    link.office()
    clock.advance(99)
    await vi.waitFor(() => expect(sizes).toEqual(Array(5).fill(640)))
    link.send(tone(100, 0.3))
    clock.advance(100)
    clock.advance(101)
    await vi.waitFor(() => expect(sizes.length).toBeGreaterThanOrEqual(15))
    expect(sizes.length).toBeLessThanOrEqual(16)
    link.close('assistant-ended-call')
    expect(clock.pending).toBe(0)
  })

  it('reaches a mark when the speech before it has been heard', async () => {
    const { link, clock } = await make()
    const outcomes: string[] = []
    link.send(tone(100, 0.3))
    link.mark().then((outcome) => outcomes.push(outcome))
    clock.advance(99)
    await Promise.resolve()
    expect(outcomes).toEqual([])
    clock.advance(1)
    await Promise.resolve()
    expect(outcomes).toEqual(['played'])
  })

  it('tells how much was heard since the last mark when cleared', async () => {
    const { link, clock } = await make()
    link.send(tone(100, 0.3))
    link.mark()
    link.send(tone(1_000, 0.3))
    clock.advance(350)
    expect(await link.clear()).toBe(250)
  })

  it('tells it of a caller who has gone, too', async () => {
    const { link, clock, closed } = await make()
    link.send(tone(100, 0.3))
    link.mark()
    link.send(tone(1_000, 0.3))
    clock.advance(350)
    pair.client.send('{"type":"hangup"}')
    await vi.waitFor(() => expect(closed).toEqual(['left']))
    clock.advance(5_000)
    expect(await link.clear()).toBe(250)
    expect(clock.pending).toBe(0)
  })

  it('closes a client that speaks room.v1 without having asked for it', async () => {
    const { closed } = await make()
    const code = new Promise((resolve) => pair.client.once('close', resolve))
    pair.client.send('{"type":"room.playable"}')
    expect(await code).toBe(1007)
    expect(closed).toEqual(['lost'])
  })
})
