import { levelOf } from '@heyline/room-protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Resampler } from '../../audio/resampler.js'
import { describeLink, type LinkBench, tone } from '../../link/link.contract.js'
import type { Link, LinkHandlers } from '../../link/link.js'
import type { StandInCall } from '../../testing/stand-in-call.js'
import { dialRequest, openBench, shareDb, type TwilioBench } from '../../testing/twilio-bench.js'

shareDb()

async function answered(): Promise<{ bench: TwilioBench; link: Link; call: StandInCall }> {
  const bench = await openBench()
  bench.standIn.callees.set(dialRequest().to, 'answers')
  await bench.carrier.dial(dialRequest())
  const link = await vi.waitFor(() => {
    const [link] = bench.links
    if (link === undefined) throw new Error('Nobody answered yet.')
    return link
  })
  return { bench, link, call: bench.standIn.call }
}

const toPhone = (samples: Int16Array) => new Resampler(16_000, 8_000).process(samples)

async function makeLink(): Promise<LinkBench> {
  const { bench, link, call } = await answered()
  const peer = {
    sendAudio: (samples: Int16Array) => call.pass(samples.length / 16, toPhone(samples)),
    heardAudio: () => new Resampler(8_000, 16_000).process(call.heard),
    playAll: async () => call.pass(Math.ceil(call.queuedMs / 20) * 20),
    hangUp: () => call.hangUp(),
    drop: () => call.drop(),
    ended: call.ended,
    press: (digit: string) => call.press(digit),
  }
  return { link, peer, close: bench.close }
}

describeLink('a Twilio media stream', { makeLink })

describe('TwilioLink', () => {
  let bench: TwilioBench | undefined
  afterEach(async () => {
    await bench?.close()
    bench = undefined
  })

  const make = async () => {
    const made = await answered()
    bench = made.bench
    const closed: string[] = []
    const audio = vi.fn()
    const handlers: LinkHandlers = {
      onAudio: audio,
      onMessage: () => {},
      onDigit: () => {},
      onClosed: (reason) => void closed.push(reason),
    }
    return { ...made, handlers, closed, audio }
  }

  it('ends alone when what it delivers cannot be handled', async () => {
    const { link, call, handlers, closed } = await make()
    const onAudio = () => {
      throw new Error('not handled')
    }
    link.open({ ...handlers, onAudio })
    call.pass(20, toPhone(tone(20, 0.3)))
    await call.ended
    await vi.waitFor(() => expect(closed).toEqual(['lost']))
  })

  it('tells how much was heard when the callee has hung up', async () => {
    const { link, call, handlers, closed, audio } = await make()
    link.open(handlers)
    link.send(tone(2_000, 0.3))
    await vi.waitFor(() => expect(call.queuedMs).toBeGreaterThan(1_990))
    call.pass(600)
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(30))
    call.hangUp()
    await vi.waitFor(() => expect(closed).toEqual(['left']))
    expect(await link.clear()).toBeGreaterThan(500)
    expect(await link.clear()).toBe(0)
  })

  it('tells how much the callee heard before a barge-in', async () => {
    const { link, call, handlers, audio } = await make()
    link.open(handlers)
    link.send(tone(200, 0.3))
    const first = link.mark()
    link.send(tone(2_000, 0.3))
    await vi.waitFor(() => expect(call.queuedMs).toBeGreaterThan(2_100))
    call.pass(600)
    expect(await first).toBe('played')
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(30))
    const heard = await link.clear()
    expect(heard).toBeGreaterThan(350)
    expect(heard).toBeLessThan(410)
    await vi.waitFor(() => expect(call.queuedMs).toBe(0))
  })

  it('hears silence as silence', async () => {
    const { link, call, handlers, audio } = await make()
    link.open(handlers)
    call.pass(100)
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(5))
    expect(levelOf(audio.mock.lastCall?.[0])).toBe(0)
  })

  it('passes over events of Twilio’s that it does not know', async () => {
    const { link, call, handlers, audio, closed } = await make()
    link.open(handlers)
    call.transmit({ event: 'weather' })
    call.pass(20)
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(1))
    expect(closed).toEqual([])
  })

  it.each([
    ['binary', Buffer.of(1, 2, 3), 1003],
    ['text that is not JSON', 'hello', 1003],
    ['a frame of a wrong shape', '{"event":"media","media":7}', 1008],
  ])('closes the stream on %s, and the caller counts as lost', async (_, garbage, code) => {
    const { link, call, handlers, closed, bench } = await make()
    link.open(handlers)
    call.transmitRaw(garbage)
    await call.ended
    expect(call.closeCode).toBe(code)
    expect(closed).toEqual(['lost'])
    await vi.waitFor(() => expect(bench.reports).toEqual(['ringing', 'answered', 'ended hung-up']))
  })

  it('keeps the newest half minute of a link that nobody opens', async () => {
    const { link, call, handlers, audio } = await make()
    call.pass(31_000)
    call.hangUp()
    await call.ended
    await vi.waitFor(async () => expect(await link.mark()).toBe('cleared'))
    link.open(handlers)
    expect(audio).toHaveBeenCalledTimes(1_499)
  })
})
