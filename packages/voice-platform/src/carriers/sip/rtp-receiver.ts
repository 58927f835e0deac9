import type { Clock } from '@heyline/kit/clock'
import { LineIn } from '../../audio/line-in.js'
import { AudioBudget } from '../../work/audio-budget.js'
import type { RtpPacket } from './rtp-packet.js'
import { PCMU } from './sdp.js'
import { TelephoneEvents } from './telephone-event.js'
import { Unwrapped } from './unwrapped.js'

/** After so much silence of one sender another may take its place, in milliseconds: a call that was sent on inside an office. */
const HANDOVER_MS = 100

export interface RtpReceiverOptions {
  clock: Clock
  hear(samples: Int16Array): void
  press(key: string): void
}

/** What the phone sends: its voice, and its keys. */
export class RtpReceiver {
  readonly #options: RtpReceiverOptions
  /** Of all senders together. */
  readonly #budget: AudioBudget
  #stream: RtpStream | undefined
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(options: RtpReceiverOptions) {
    this.#options = options
    this.#budget = new AudioBudget(options.clock)
  }

  /** `events` is the payload type of telephone-events. False for a packet that is not of this call. */
  receive(packet: RtpPacket, events: number | undefined): boolean {
    const { clock } = this.#options
    if (packet.type !== PCMU && packet.type !== events) return false
    if (packet.source !== this.#stream?.source) {
      if (clock.monotonic() - this.#lastAt < HANDOVER_MS) return false
      this.#stream?.end()
      this.#stream = new RtpStream(packet.source, this.#options, this.#budget)
    }
    this.#lastAt = clock.monotonic()
    this.#stream.receive(packet)
    return true
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
