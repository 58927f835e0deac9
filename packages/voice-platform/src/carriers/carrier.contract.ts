import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Link } from '../link/link.js'
import { type Carrier, CarrierRefusal, type CarrierRooms } from './carrier.js'

/** A carrier under test, and the telephone network behind it. */
export interface CarrierBench {
  carrier: Carrier
  /** Numbers (E.164) by what their phones do. A carrier that cannot tell a voicemail box leaves that one out. */
  numbers: { answers: string; isBusy: string; doesNotAnswer: string; isRefused: string; isVoicemail?: string }
  /** Lets a little time pass in that network; called again and again while something is awaited. */
  pass(): Promise<void>
  /** Whoever answered this call hangs up. */
  calleeHangsUp(callId: string): Promise<void>
  /** Frees what is left once the carrier is closed. */
  close(): Promise<void>
}

export interface CarrierHarness {
  makeCarrier(): Promise<CarrierBench>
}

const FROM = '+12025550100'

/** What every `Carrier` does. */
export function describeCarrier(name: string, harness: CarrierHarness): void {
  describe(`${name} is a carrier`, () => {
    let bench: CarrierBench
    let events: string[]
    let links: Link[]
    beforeEach(async () => {
      bench = await harness.makeCarrier()
      events = []
      links = []
      const report = (callId: string, event: string) => events.push(`${callId} ${event}`)
      bench.carrier.connect(
        {
          onRinging: (callId) => void report(callId, 'ringing'),
          onAnswered: (callId, link) => {
            report(callId, 'answered')
            link.open({ onAudio: () => {}, onMessage: () => {}, onDigit: () => {}, onClosed: () => {} })
            links.push(link)
          },
          onMachine: (callId) => void report(callId, 'machine'),
          onBackFromTransfer: () => {},
          onIncoming: async () => ({ refusal: 'rejected' }),
          onEnded: (callId, end) => void report(callId, `ended ${end}`),
        },
        noRooms,
      )
    })
    afterEach(async () => {
      await settled(bench.carrier.close())
      await bench.close()
    })

    const dial = async (to: string, ringSeconds = 30) => {
      const callId = crypto.randomUUID()
      const leg = await bench.carrier.dial({ callId, to, from: FROM, ringSeconds, machines: 'end' })
      return { callId, leg }
    }
    const eventsOf = (callId: string) =>
      events.filter((event) => event.startsWith(callId)).map((event) => event.slice(callId.length + 1))
    const until = (check: () => void) =>
      vi.waitFor(
        async () => {
          await bench.pass()
          check()
        },
        { timeout: 10_000, interval: 5 },
      )
    /** Lets time pass until this is done. */
    const settled = async (work: Promise<unknown>) => {
      let done = false
      const stop = () => {
        done = true
      }
      work.then(stop, stop)
      await until(() => expect(done).toBe(true))
      return work
    }
    const answered = async () => {
      const { callId } = await dial(bench.numbers.answers)
      await until(() => expect(eventsOf(callId)).toContain('answered'))
      const link = links.at(-1)
      if (!link) throw new Error('There is no link of an answered call.')
      return { callId, link }
    }
    /** The leg has ended so, and nothing more comes. */
    const expectEnd = async (callId: string, end: string) => {
      await until(() => expect(eventsOf(callId).at(-1)).toBe(`ended ${end}`))
      await bench.pass()
      const ends = eventsOf(callId).filter((event) => event.startsWith('ended'))
      expect(ends).toEqual([`ended ${end}`])
      expect(new Set(eventsOf(callId)).size).toBe(eventsOf(callId).length)
    }

    it('names the call that it has accepted', async () => {
      const { leg } = await dial(bench.numbers.doesNotAnswer)
      expect(leg.id).not.toBe('')
    })

    it('rings, is answered, and ends when the other side hangs up', async () => {
      const { callId } = await answered()
      await bench.calleeHangsUp(callId)
      await expectEnd(callId, 'hung-up')
      expect(eventsOf(callId)).toEqual(['ringing', 'answered', 'ended hung-up'])
    })

    it('reports a busy line', async () => {
      const { callId } = await dial(bench.numbers.isBusy)
      await expectEnd(callId, 'busy')
      expect(eventsOf(callId)).not.toContain('answered')
    })

    it('reports a phone that rang in vain', async () => {
      const { callId } = await dial(bench.numbers.doesNotAnswer, 5)
      await expectEnd(callId, 'no-answer')
      expect(eventsOf(callId)).toEqual(['ringing', 'ended no-answer'])
    })

    it('reports a voicemail box, where it can tell one', async () => {
      const { isVoicemail } = bench.numbers
      const { callId } = await dial(isVoicemail ?? bench.numbers.isBusy)
      await expectEnd(callId, isVoicemail ? 'voicemail' : 'busy')
    })

    it('refuses what it definitely does not place, and reports nothing of it', async () => {
      const callId = crypto.randomUUID()
      const placing = bench.carrier.dial({ callId, to: bench.numbers.isRefused, from: FROM, ringSeconds: 30 })
      const refusal = await settled(placing).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(CarrierRefusal)
      expect(refusal).toMatchObject({ code: expect.stringMatching(/./), message: expect.stringMatching(/./) })
      await bench.pass()
      expect(eventsOf(callId)).toEqual([])
    })

    it('stops ringing, also when asked twice', async () => {
      const { callId } = await dial(bench.numbers.doesNotAnswer)
      await until(() => expect(eventsOf(callId)).toEqual(['ringing']))
      await settled(bench.carrier.hangUp(callId))
      await settled(bench.carrier.hangUp(callId))
      await expectEnd(callId, 'canceled')
    })

    it('hangs up on somebody who answered', async () => {
      const { callId, link } = await answered()
      await settled(bench.carrier.hangUp(callId))
      await expectEnd(callId, 'hung-up')
      expect(await link.mark()).toBe('cleared')
    })

    it('lets go of a call whose link our side has closed', async () => {
      const { callId, link } = await answered()
      link.close('assistant-ended-call')
      await settled(bench.carrier.hangUp(callId))
      await expectEnd(callId, 'hung-up')
    })

    it('does not mind being asked to hang up a call that it does not know', async () => {
      const callId = crypto.randomUUID()
      await settled(bench.carrier.hangUp(callId))
      expect(eventsOf(callId)).toEqual([])
    })

    it('sends a text, and reports no call of it', async () => {
      await settled(bench.carrier.sendText({ to: bench.numbers.answers, from: FROM, body: 'Code 123456' }))
      expect(events).toEqual([])
    })

    it.each([
      ['without words', ' \n'],
      ['that is too long', 'x'.repeat(321)],
    ])('refuses a text %s', async (_name, body) => {
      const sending = bench.carrier.sendText({ to: bench.numbers.answers, from: FROM, body })
      await expect(settled(sending)).rejects.toMatchObject({ name: 'CarrierRefusal', code: 'invalid-text' })
    })

    it('refuses a text that it definitely does not send, without the words', async () => {
      const text = { to: bench.numbers.isRefused, from: FROM, body: 'Code 123456' }
      const refusal = await settled(bench.carrier.sendText(text)).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(CarrierRefusal)
      expect(String(refusal)).not.toMatch(/123456|500555/)
    })

    it('hangs up everything when closed, and dials and texts no more', async () => {
      const { callId: talking } = await answered()
      const { callId: ringing } = await dial(bench.numbers.doesNotAnswer)
      await until(() => expect(eventsOf(ringing)).toEqual(['ringing']))
      await settled(bench.carrier.close())
      expect(eventsOf(talking).at(-1)).toBe('ended hung-up')
      expect(eventsOf(ringing).at(-1)).toMatch(/^ended /)
      await expect(dial(bench.numbers.answers)).rejects.toBeInstanceOf(CarrierRefusal)
      const text = { to: bench.numbers.answers, from: FROM, body: 'Code 123456' }
      await expect(bench.carrier.sendText(text)).rejects.toBeInstanceOf(CarrierRefusal)
    })
  })
}

/** A carrier under test has no platform: nobody comes in by a room. */
const noRooms: CarrierRooms = {
  address: async () => null,
  onJoin: () => undefined,
  guestAddress: () => '',
  openGuestRoom: () => () => undefined,
}
