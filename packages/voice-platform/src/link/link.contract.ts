import { type AppMessage, levelOf, SAMPLE_RATE } from '@heyline/room-protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Link, LinkHandlers, MarkOutcome } from './link.js'

/** The other end of a link under test: a caller that a test plays. */
export interface LinkPeer {
  /** The caller speaks: PCM16 mono 16 kHz, whatever the transport makes of it. */
  sendAudio(samples: Int16Array): void
  /** All speech that reached the caller so far, as PCM16 mono 16 kHz; what a clear dropped may be in it or not. */
  heardAudio(): Int16Array
  /** Plays everything that was sent up to now to its end. Time passes only here, so that no mark is reached before. */
  playAll(): Promise<void>
  /** The caller ends the call, as its transport does that politely. */
  hangUp(): void
  /** The connection breaks without a word. */
  drop(): void
  /** Resolves when the link has ended the call for the caller. */
  readonly ended: Promise<void>
  /** A message of the client; left out where the transport has none. */
  sendMessage?(message: AppMessage): void
  /** Messages of the platform that reached the client; left out where the transport has none. */
  messages?(): AppMessage[]
  /** Presses a key; left out where the transport has none. */
  press?(digit: string): void
}

export interface LinkBench {
  link: Link
  peer: LinkPeer
  /** Frees sockets and servers. */
  close(): Promise<void>
}

export interface LinkHarness {
  makeLink(): Promise<LinkBench>
}

/** What every `Link` does, whatever carries it. Audio is compared by length and level, since a phone leg's codec is lossy. */
export function describeLink(name: string, harness: LinkHarness): void {
  describe(`${name} is a link`, () => {
    let bench: LinkBench | undefined
    afterEach(async () => {
      await bench?.close()
      bench = undefined
    })
    const make = async () => {
      bench = await harness.makeLink()
      return bench
    }

    it('delivers the caller’s audio, also what came before it was opened, in order', async () => {
      const { link, peer } = await make()
      peer.sendAudio(tone(200, 0.1))
      peer.sendAudio(tone(200, 0.5))
      const caller = listenTo(link)
      peer.sendAudio(tone(200, 0.1))
      await until(() => expect(caller.audioMs()).toBeGreaterThan(570))
      expect(caller.audioMs()).toBeLessThan(630)
      const heard = caller.audio()
      const third = Math.floor(heard.length / 3)
      const levels = [0, 1, 2].map((n) => levelOf(middle(heard.subarray(n * third, (n + 1) * third))))
      expect(levels[0]).toBeCloseTo(0.07, 1)
      expect(levels[1]).toBeGreaterThan((levels[0] ?? 0) * 3)
      expect(levels[2]).toBeCloseTo(levels[0] ?? 0, 1)
    })

    it('brings speech to the caller whole', async () => {
      const { link, peer } = await make()
      listenTo(link)
      link.send(tone(1_234, 0.4))
      const done = link.mark()
      await playUntil(peer, done)
      await until(() => expect(peer.heardAudio().length / 16).toBeGreaterThan(1_190))
      expect(peer.heardAudio().length / 16).toBeLessThan(1_280)
      expect(levelOf(middle(peer.heardAudio()))).toBeCloseTo(0.28, 1)
    })

    it('settles a mark when its audio was played, not before', async () => {
      const { link, peer } = await make()
      listenTo(link)
      link.send(tone(400, 0.3))
      const outcome = link.mark()
      let settled = false
      outcome.then(() => {
        settled = true
      })
      await turns()
      expect(settled).toBe(false)
      expect(await playUntil(peer, outcome)).toBe('played')
    })

    it('settles marks in the order in which they were set, also with nothing between them', async () => {
      const { link, peer } = await make()
      listenTo(link)
      const order: number[] = []
      link.send(tone(100, 0.3))
      const marks = [1, 2, 3].map((n) =>
        link.mark().then((outcome) => {
          order.push(n)
          return outcome
        }),
      )
      expect(await playUntil(peer, Promise.all(marks))).toEqual(['played', 'played', 'played'])
      expect(order).toEqual([1, 2, 3])
    })

    it('drops unplayed speech on a clear and goes on afterwards', async () => {
      const { link, peer } = await make()
      listenTo(link)
      link.send(tone(3_000, 0.3))
      const dropped = link.mark()
      const playedMs = await link.clear()
      expect(playedMs).toBeGreaterThanOrEqual(0)
      expect(playedMs).toBeLessThanOrEqual(3_000)
      expect(await dropped).toBe('cleared')
      link.send(tone(100, 0.3))
      expect(await playUntil(peer, link.mark())).toBe('played')
    })

    it('clears when nothing is queued', async () => {
      const { link } = await make()
      listenTo(link)
      expect(await link.clear()).toBe(0)
    })

    it('tells once that the caller hung up, and is then quiet', async () => {
      const { link, peer } = await make()
      const caller = listenTo(link)
      link.send(tone(500, 0.3))
      const waiting = link.mark()
      peer.hangUp()
      expect(await waiting).toBe('cleared')
      await until(() => expect(caller.closed).toEqual(['left']))
      await expectQuiet(link)
      link.close('customer-ended-call')
      await turns()
      expect(caller.closed).toEqual(['left'])
    })

    it('tells once that the connection was lost', async () => {
      const { link, peer } = await make()
      const caller = listenTo(link)
      const waiting = link.mark()
      peer.drop()
      await until(() => expect(caller.closed).toEqual(['lost']))
      expect(await waiting).toBe('cleared')
      await expectQuiet(link)
    })

    it('tells of an end that came before it was opened', async () => {
      const { link, peer } = await make()
      peer.hangUp()
      await until(async () => expect(await link.mark()).toBe('cleared'))
      const caller = listenTo(link)
      await until(() => expect(caller.closed).toEqual(['left']))
    })

    it('ends the call for the caller when closed, without telling its own side', async () => {
      const { link, peer } = await make()
      const caller = listenTo(link)
      link.send(tone(500, 0.3))
      const waiting = link.mark()
      link.close('assistant-ended-call')
      link.close('assistant-ended-call')
      await peer.ended
      expect(await waiting).toBe('cleared')
      await expectQuiet(link)
      expect(caller.closed).toEqual([])
    })

    it('carries messages and digits where the transport has them', async () => {
      const { link, peer } = await make()
      const caller = listenTo(link)
      peer.sendMessage?.({ type: 'say', content: 'Hello.' })
      peer.press?.('5')
      link.listening()
      link.event({ type: 'status-update', status: 'in-progress' })
      await until(() => {
        if (peer.sendMessage) expect(caller.messages).toEqual([{ type: 'say', content: 'Hello.' }])
        if (peer.press) expect(caller.digits).toEqual(['5'])
        if (peer.messages)
          expect(peer.messages()).toContainEqual({ type: 'status-update', status: 'in-progress' })
      })
      expect(await playUntil(peer, link.mark())).toBe('played')
    })
  })
}

/** A closed link ignores everything, but answers. */
async function expectQuiet(link: Link): Promise<void> {
  link.send(tone(100, 0.3))
  link.listening()
  link.event({ type: 'status-update', status: 'ended' })
  expect(await link.mark()).toBe('cleared')
  const heardMs = await link.clear()
  expect(heardMs).toBeGreaterThanOrEqual(0)
  // No more than was sent before the end.
  expect(heardMs).toBeLessThanOrEqual(500)
}

/** A 440 Hz tone, PCM16 mono 16 kHz; its level (root mean square) is 0.71 of the amplitude. */
export function tone(ms: number, amplitude: number): Int16Array {
  const samples = new Int16Array((SAMPLE_RATE * ms) / 1000)
  for (let i = 0; i < samples.length; i++)
    samples[i] = Math.round(Math.sin((2 * Math.PI * 440 * i) / SAMPLE_RATE) * amplitude * 32_767)
  return samples
}

/** Opens a link and collects what it tells. */
function listenTo(link: Link) {
  const chunks: Int16Array[] = []
  const messages: AppMessage[] = []
  const digits: string[] = []
  const closed: string[] = []
  const handlers: LinkHandlers = {
    onAudio: (samples) => void chunks.push(samples.slice()),
    onMessage: (message) => void messages.push(message),
    onDigit: (digit) => void digits.push(digit),
    onClosed: (reason) => void closed.push(reason),
  }
  link.open(handlers)
  const audio = () => joined(chunks)
  return { audio, audioMs: () => audio().length / 16, messages, digits, closed }
}

/** One run of samples made of several. */
export function joined(chunks: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

const middle = (samples: Int16Array) =>
  samples.subarray(Math.floor(samples.length / 4), Math.floor((samples.length * 3) / 4))

/** Lets the caller play until the outcome is there: a mark may still be under way when the first playing ends. */
async function playUntil<Outcome extends MarkOutcome | MarkOutcome[]>(
  peer: LinkPeer,
  outcome: Promise<Outcome>,
): Promise<Outcome> {
  let settled = false
  outcome.then(() => {
    settled = true
  })
  await until(async () => {
    await peer.playAll()
    await turns()
    expect(settled).toBe(true)
  })
  return outcome
}

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 5_000, interval: 5 })

/** A few turns of the event loop, sockets included. */
async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}
