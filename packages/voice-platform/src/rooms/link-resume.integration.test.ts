import { ManualClock } from '@heyline/kit/manual-clock'
import { GRACE_MS, ROOM_PROTOCOL, roomText } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tone } from '../link/link.contract.js'
import { type SocketPair, socketPair } from '../testing/socket-pair.js'
import { SocketLink } from './socket-link.js'

const logger = pino({ level: 'silent' })

describe('a room.v1 link whose client was lost', () => {
  let clock: ManualClock
  let link: SocketLink
  let closed: string[]
  let heard: unknown[]
  let pairs: SocketPair[]
  let isGone: boolean

  beforeEach(async () => {
    clock = new ManualClock()
    closed = []
    heard = []
    pairs = []
    isGone = false
    const pair = await connect()
    link = new SocketLink(pair.server, { clock, logger, graceMs: GRACE_MS })
    link.open({
      onAudio: (samples) => heard.push(samples.length),
      onMessage: ({ type }) => heard.push(type),
      onDigit: () => {},
      onClosed: (reason) => closed.push(reason),
    })
    void link.gone.then(() => {
      isGone = true
    })
  })
  afterEach(async () => {
    for (const pair of pairs) await pair.close()
  })

  const connect = async () => {
    const pair = await socketPair(ROOM_PROTOCOL)
    pairs.push(pair)
    return pair
  }
  const framesOf = ({ client }: SocketPair) => {
    const frames: (string | number)[] = []
    client.on('message', (data: Buffer, binary) => frames.push(binary ? data.length : data.toString('utf8')))
    return frames
  }
  const last = () => pairs[pairs.length - 1] as SocketPair
  const lose = async (code?: number) => {
    const { client, server } = last()
    if (code === undefined) client.terminate()
    else client.close(code)
    await vi.waitFor(() => expect(server.readyState).toBe(server.CLOSED))
  }
  const comeBack = async (received?: number) => {
    const pair = await connect()
    const frames = framesOf(pair)
    link.resume(pair.server, received)
    return { ...pair, frames }
  }

  it('hears what it has not heard yet, and goes on', async () => {
    link.send(tone(200, 0.3))
    const mark = link.mark()
    await lose()
    link.event({ type: 'transcript' })
    const { client, frames } = await comeBack(1)
    await vi.waitFor(() => expect(frames).toHaveLength(3))
    expect(frames).toEqual([3_200, '{"type":"room.mark","id":1}', '{"type":"transcript"}'])
    client.send(roomText({ type: 'room.played', id: 1 }))
    expect(await mark).toBe('played')
    client.send('{"type":"say","message":"Hello."}')
    await vi.waitFor(() => expect(heard).toEqual(['say']))
    clock.advance(GRACE_MS)
    expect(closed).toEqual([])
    expect(link.hasHeard).toBe(true)
  })

  it.each([
    ['gone', undefined],
    ['gone away', 1001],
  ])('is %s for fifteen seconds before anybody is told', async (_how, code) => {
    const mark = link.mark()
    await lose(code)
    clock.advance(GRACE_MS - 1)
    expect([closed, link.over, isGone]).toEqual([[], false, false])
    clock.advance(1)
    expect([closed, link.over]).toEqual([['lost'], true])
    expect(await mark).toBe('cleared')
    await link.gone
    expect(clock.pending).toBe(0)
  })

  it.each([
    ['closed in the regular way', 1000],
    ['closed without a code', undefined],
  ])('is told of at once when it has %s', async (_how, code) => {
    last().client.close(code)
    await vi.waitFor(() => expect(closed).toEqual(['left']))
    await link.gone
  })

  it('is told of at once when it broke a rule', async () => {
    last().client.send('nonsense')
    await vi.waitFor(() => expect(closed).toEqual(['lost']))
    await link.gone
    expect(clock.pending).toBe(0)
  })

  it('is given the time that it was away to answer marks and clears', async () => {
    link.send(tone(1_000, 0.3))
    const outcomes: string[] = []
    link.mark().then((outcome) => outcomes.push(outcome))
    clock.advance(500)
    await lose()
    clock.advance(10_000)
    const { client } = await comeBack(11)
    clock.advance(5_499)
    await Promise.resolve()
    expect(outcomes).toEqual([])
    clock.advance(1)
    await Promise.resolve()
    expect(outcomes).toEqual(['played'])
    client.terminate()
  })

  it('has heard no more than until it was lost', async () => {
    link.send(tone(3_000, 0.3))
    clock.advance(1_000)
    await lose()
    clock.advance(GRACE_MS)
    expect(await link.clear()).toBe(1_000)
  })

  it('does not hear what was cleared meanwhile', async () => {
    link.send(tone(300, 0.3))
    await lose()
    const cleared = link.clear()
    link.send(tone(100, 0.3))
    const { client, frames } = await comeBack(0)
    await vi.waitFor(() => expect(frames).toEqual(['{"type":"room.clear","id":1}', 3_200]))
    client.send(roomText({ type: 'room.cleared', id: 1, playedMs: 120 }))
    expect(await cleared).toBe(120)
  })

  it('that comes back as another page is told again that the assistant listens', async () => {
    link.listening()
    link.send(tone(100, 0.3))
    const mark = link.mark()
    last().client.send(roomText({ type: 'room.played', id: 1 }))
    await mark
    await lose()
    const page = await comeBack()
    await vi.waitFor(() => expect(page.frames).toEqual(['{"type":"room.listening"}']))
    const same = await comeBack(1)
    link.event({ type: 'transcript' })
    await vi.waitFor(() => expect(same.frames).toEqual(['{"type":"transcript"}']))
  })

  it('that comes back before it was missed puts out the connection before', async () => {
    const before = last()
    const frames = framesOf(before)
    const code = new Promise((resolve) => before.client.once('close', resolve))
    const { client } = await comeBack(0)
    expect(await code).toBe(4001)
    expect(frames).toEqual([expect.stringContaining('"kind":"ejected"')])
    clock.advance(1_000)
    client.send(Buffer.alloc(640))
    await vi.waitFor(() => expect(heard).toEqual([320]))
    expect(closed).toEqual([])
    last().client.close(1000)
    await vi.waitFor(() => expect(closed).toEqual(['left']))
    await link.gone
  })

  it('has no more messages to spend for having come back', async () => {
    let { client } = last()
    for (let connection = 0; connection < 2; connection++) {
      for (let count = 0; count < 20; count++) client.send('{"type":"say","message":"Hello."}')
      await vi.waitFor(() => expect(heard).toHaveLength(20 * (connection + 1)))
      client = (await comeBack(0)).client
    }
    const code = new Promise((resolve) => client.once('close', resolve))
    client.send('{"type":"say","message":"Hello."}')
    expect(await code).toBe(1008)
    expect([heard.length, closed]).toEqual([40, ['lost']])
  })

  describe('with more texts than are held for it', () => {
    const talk = () => {
      for (let count = 0; count < 3; count++) link.event({ type: 'x'.repeat(1_000_000) })
    }

    it('is lost at once, since it would miss some', async () => {
      talk()
      expect([link.isOpen, link.over]).toEqual([false, false])
      await lose()
      await vi.waitFor(() => expect(closed).toEqual(['lost']))
      await link.gone
      expect(clock.pending).toBe(0)
    })

    it('is lost when they come while it is away', async () => {
      await lose()
      talk()
      expect(closed).toEqual(['lost'])
      await link.gone
      expect(clock.pending).toBe(0)
    })

    it('may come back again once it has answered', async () => {
      talk()
      const mark = link.mark()
      last().client.send(roomText({ type: 'room.played', id: 1 }))
      await mark
      expect(link.isOpen).toBe(true)
      await lose()
      link.event({ type: 'transcript' })
      const { frames } = await comeBack(0)
      await vi.waitFor(() => expect(frames).toEqual(['{"type":"transcript"}']))
      expect(closed).toEqual([])
    })
  })

  it('is gone when the call ends meanwhile', async () => {
    await lose()
    link.close('exceeded-max-duration')
    await link.gone
    expect([link.over, closed, clock.pending]).toEqual([true, [], 0])
  })
})
