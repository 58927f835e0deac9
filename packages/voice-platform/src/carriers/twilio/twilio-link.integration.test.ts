import { setImmediate as turn } from 'node:timers/promises'
import { levelOf } from '@heyline/room-protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { COMFORT_NOISE_DBFS } from '../../audio/comfort-noise.js'
import { Resampler } from '../../audio/resampler.js'
import { describeLink, joined, type LinkBench, tone } from '../../link/link.contract.js'
import type { Link, LinkHandlers } from '../../link/link.js'
import { dbfs, largestStep, peakOf, sine } from '../../testing/signals.js'
import type { StandInCall } from '../../testing/stand-in-call.js'
import { dialRequest, openBench, shareDb, type TwilioBench } from '../../testing/twilio-bench.js'

shareDb()

interface Answered {
  bench: TwilioBench
  link: Link
  call: StandInCall
}

async function answered(): Promise<Answered> {
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

const frames = (samples: Int16Array) =>
  Array.from({ length: Math.floor(samples.length / 160) }, (_, n) => samples.subarray(n * 160, (n + 1) * 160))

/** Without the noise of the open line. */
const spoken = (samples: Int16Array) => joined(frames(samples).filter((frame) => dbfs(frame) > -50))

/** Time passes at both ends: the callee says this. Frames under way get where they go. */
async function passBoth({ bench, call }: Pick<Answered, 'bench' | 'call'>, ms: number, speech?: Int16Array) {
  for (let at = 0; at < ms; at += 20) {
    call.pass(20, speech?.subarray(at * 8, (at + 20) * 8))
    bench.clock.advance(20)
    for (let n = 0; n < 4; n += 1) await turn()
  }
}

async function makeLink(): Promise<LinkBench> {
  const { bench, link, call } = await answered()
  const peer = {
    sendAudio: (samples: Int16Array) => call.pass(samples.length / 16, toPhone(samples)),
    heardAudio: () => new Resampler(8_000, 16_000).process(spoken(call.heard)),
    playAll: () => passBoth({ bench, call }, 100),
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

  it('ends alone, too, when that comes late because a frame was missing', async () => {
    const { link, call, handlers, closed, bench } = await make()
    link.open(handlers)
    call.pass(20)
    const audio = vi.fn(() => {
      throw new Error('not handled')
    })
    await vi.waitFor(() => expect(handlers.onAudio).toHaveBeenCalledTimes(1))
    handlers.onAudio = audio
    call.say(3, toPhone(tone(20, 0.3)))
    await vi.waitFor(() => {
      bench.clock.advance(60)
      expect(closed).toEqual(['lost'])
    })
    expect(audio).toHaveBeenCalled()
  })

  it('hears no more than half a minute beyond real time', async () => {
    const { link, call, handlers } = await make()
    let heard = 0
    let digits = 0
    const onAudio = ({ length }: Int16Array) => {
      heard += length
    }
    link.open({ ...handlers, onAudio, onDigit: () => void digits++ })
    call.pass(60_000)
    call.press('1')
    await vi.waitFor(() => expect(digits).toBe(1))
    expect(heard / 16_000).toBeGreaterThan(29)
    expect(heard / 16_000).toBeLessThan(31)
  })

  it('tells how much was heard when the callee has hung up', async () => {
    const made = await make()
    const { link, call, handlers, closed, audio } = made
    link.open(handlers)
    link.send(tone(2_000, 0.3))
    await passBoth(made, 600)
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(30))
    call.hangUp()
    await vi.waitFor(() => expect(closed).toEqual(['left']))
    expect(await link.clear()).toBeGreaterThan(500)
    expect(await link.clear()).toBe(0)
  })

  it('tells how much the callee hears of what is cut by a barge-in', async () => {
    const made = await make()
    const { link, call, handlers } = made
    link.open(handlers)
    link.send(tone(200, 0.3))
    const first = link.mark()
    link.send(tone(2_000, 0.3))
    await passBoth(made, 600)
    expect(await first).toBe('played')
    const told = await link.clear()
    await passBoth(made, 400)
    const heard = spoken(call.heard).length / 8
    expect(Math.abs(heard - 200 - told)).toBeLessThanOrEqual(20)
    expect(heard).toBeLessThanOrEqual(720)
  })

  it('hears silence as silence', async () => {
    const { link, call, handlers, audio } = await make()
    link.open(handlers)
    call.pass(100)
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(5))
    expect(levelOf(audio.mock.lastCall?.[0])).toBe(0)
  })

  it('is silent without a step after a barge-in, and sounds like an open line', async () => {
    const made = await make()
    const { link, call, handlers } = made
    link.open(handlers)
    link.send(sine(200, 16_000, 2_000, 12_000))
    await passBoth(made, 510)
    await link.clear()
    await passBoth(made, 300)
    link.send(sine(200, 16_000, 505, 12_000))
    await passBoth(made, 1_000)
    expect(largestStep(call.heard)).toBeLessThan(2_900)
    expect(Math.abs(dbfs(call.heard.subarray(-2_400)) - COMFORT_NOISE_DBFS)).toBeLessThan(1)
  })

  it('brings a voice to the callee as loud as it is, and the callee to us', async () => {
    const made = await make()
    const { link, call, handlers, audio } = made
    link.open(handlers)
    const voice = sine(300, 16_000, 1_000, 20_000)
    const callee = sine(500, 8_000, 1_400, 9_000)
    link.send(voice)
    await passBoth(made, 1_400, callee)
    const heard = spoken(call.heard).subarray(400, 7_600)
    expect(Math.abs(dbfs(heard) - dbfs(voice))).toBeLessThan(1)
    expect(Math.abs(peakOf(heard) / 20_000 - 1)).toBeLessThan(0.1)
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(70))
    const ours = joined(audio.mock.calls.map(([samples]) => samples))
    expect(Math.abs(dbfs(ours.subarray(1_600)) - dbfs(callee))).toBeLessThan(1)
    expect(largestStep(ours)).toBeLessThan(2_400)
  })

  it('puts the callee’s frames into order, once each, and fills what is lost', async () => {
    const { link, call, handlers, audio, bench } = await make()
    link.open(handlers)
    const callee = sine(200, 8_000, 400, 9_000)
    const frame = (n: number) => call.say(n, callee.subarray(n * 160, (n + 1) * 160))
    for (const n of [0, 1, 3, 2, 2, 4, 5, 6, 8, 9, 10, 11, 12, 12]) frame(n)
    await vi.waitFor(() => expect(audio).toHaveBeenCalledTimes(7))
    await vi.waitFor(() => {
      bench.clock.advance(60)
      expect(audio).toHaveBeenCalledTimes(13)
    })
    const heard = joined(audio.mock.calls.map(([samples]) => samples))
    expect(heard).toHaveLength(13 * 320)
    expect(largestStep(heard)).toBeLessThan(3_400)
  })

  it('drops audio where a connection does not get on, so that it does not wait without end', async () => {
    const made = await make()
    const { link, call, handlers } = made
    link.open(handlers)
    const unsent = vi.spyOn(WebSocket.prototype, 'bufferedAmount', 'get').mockReturnValue(64_001)
    await passBoth(made, 200)
    const { length } = call.heard
    link.send(tone(400, 0.3))
    const end = link.mark()
    await passBoth(made, 600)
    expect(await end).toBe('played')
    expect(call.heard.length - length).toBeLessThanOrEqual(800)
    expect(spoken(call.heard)).toHaveLength(0)
    unsent.mockRestore()
    link.send(tone(400, 0.3))
    await passBoth(made, 600)
    expect(spoken(call.heard).length).toBeGreaterThanOrEqual(3_200)
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
