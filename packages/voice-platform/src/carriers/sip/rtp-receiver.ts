import type { Clock } from '@heyline/kit/clock'
import { LineIn } from '../../audio/line-in.js'
import { AudioBudget } from '../../work/audio-budget.js'
import { Budget } from '../../work/budget.js'
import type { RtpPacket } from './rtp-packet.js'
import { type AudioOffer, PCMU } from './sdp.js'
import type { Peer } from './sip-socket.js'
import { Speaker } from './speaker.js'
import { TelephoneEvents } from './telephone-event.js'
import { Unwrapped } from './unwrapped.js'

/**
 * Packets of the speaker that are heard: twice as many as a phone sends, which sends one in 20 ms and some more of a key. Others' spend nothing
 * of it: each costs a look at its head.
 */
const PACKETS = { perSecond: 100, atOnce: 200 }

export interface RtpReceiverOptions {
  clock: Clock
  hear(samples: Int16Array): void
  press(key: string): void
}

/** What comes with a packet. */
export interface RtpContext {
  from: Peer
  /** What the phone said of its audio. */
  remote: AudioOffer
  /** The payload type of telephone-events. */
  events: number | undefined
}

/** What the phone sends: its voice, and its keys. */
export class RtpReceiver {
  readonly #options: RtpReceiverOptions
  readonly #speaker: Speaker
  readonly #packets: Budget
  /** Of all senders together. */
  readonly #budget: AudioBudget
  #stream: RtpStream | undefined

  constructor(options: RtpReceiverOptions) {
    this.#options = options
    this.#speaker = new Speaker(options.clock)
    this.#packets = new Budget(options.clock, PACKETS)
    this.#budget = new AudioBudget(options.clock)
  }

  /** False for a packet that is not of this call. True also for one that came too fast, and was not heard. */
  receive(packet: RtpPacket, { from, remote, events }: RtpContext): boolean {
    if (packet.type !== PCMU && packet.type !== events) return false
    if (!this.#speaker.hears(packet.source, from, remote)) return false
    if (!this.#packets.spend()) return true
    if (packet.source !== this.#stream?.source) {
      this.#stream?.end()
      this.#stream = new RtpStream(packet.source, this.#options, this.#budget)
    }
    this.#stream.receive(packet)
    return true
  }

  /** The phone's audio comes from elsewhere now. */
  move(): void {
    this.#speaker.forget()
  }

  /** Idempotent. */
  end(): void {
    this.#stream?.end()
  }
}

/** The packets of one sender. */
class RtpStream {
  readonly source: number
  readonly #line: LineIn
  readonly #keys: TelephoneEvents
  readonly #sequences = new Unwrapped(16)
  readonly #timestamps = new Unwrapped(32)
  /** Packets with keys. They share the numbers of those with a voice, which are counted without them. */
  #keyPackets = 0

  constructor(source: number, { clock, hear, press }: RtpReceiverOptions, budget: AudioBudget) {
    this.source = source
    this.#line = new LineIn({ clock, budget, hear })
    this.#keys = new TelephoneEvents(press)
  }

  receive({ type, sequence, timestamp, payload }: RtpPacket): void {
    const number = this.#sequences.next(sequence)
    const position = this.#timestamps.next(timestamp)
    if (type === PCMU) this.#line.frame(payload, { position, sequence: number - this.#keyPackets })
    else {
      this.#keyPackets += 1
      this.#keys.receive(payload, position)
    }
  }

  end(): void {
    this.#line.end()
  }
}
