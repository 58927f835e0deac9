import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { dtmfTones } from '../../audio/dtmf-tones.js'
import { LineOut } from '../../audio/line-out.js'
import { CallerFeed } from '../../link/caller-feed.js'
import type { Link, LinkHandlers, MarkOutcome } from '../../link/link.js'
import { parseRtp } from './rtp-packet.js'
import type { RtpPort } from './rtp-port.js'
import { RtpReceiver } from './rtp-receiver.js'
import { RtpSender } from './rtp-sender.js'
import type { AudioOffer } from './sdp.js'
import type { Peer } from './sip-socket.js'
import { KEY_MS } from './telephone-event.js'

/** What our line says while a key is pressed: PCM16 16 kHz. */
const WHILE_PRESSED = new Int16Array(KEY_MS * 16)

export interface SipLinkOptions {
  rtp: RtpPort
  /** Where the phone wants its audio, and what it speaks. */
  remote: AudioOffer
  /** The payload type of keys, as our own description has it: the phone sends them with that one (RFC 3264 5.1). */
  events: number | undefined
  /** Addresses of its signalling, from which its audio may come as well: a router may have changed the one in `remote`. */
  peers: ReadonlySet<string>
  clock: Clock
  logger: Logger
  /** Our side closed the link. */
  onClose(): void
  /** A packet could not be handled. */
  onFault(): void
}

/**
 * A phone leg as a link: RTP with PCMU, a packet every 20 ms both ways. RTP tells nobody what was played, so the clock says when marks
 * are reached. Audio goes to where the phone's own audio comes from, and before it comes, to where the phone said (symmetric RTP).
 */
export class SipLink implements Link {
  readonly #options: SipLinkOptions
  readonly #feed = new CallerFeed()
  readonly #receiver: RtpReceiver
  readonly #line: LineOut
  readonly #sender: RtpSender
  #remote: AudioOffer
  #events: number | undefined
  #to: Peer
  #heardAt = 0

  constructor(options: SipLinkOptions) {
    this.#options = options
    const { rtp, remote, clock } = options
    this.#remote = remote
    this.#events = options.events
    this.#to = remote
    this.#receiver = new RtpReceiver({
      clock,
      hear: (samples) => this.#feed.audio(samples),
      press: (key) => this.#feed.digit(key),
    })
    this.#sender = new RtpSender((packet) => {
      if (this.#mayHear) rtp.send(packet, this.#to)
    })
    this.#line = new LineOut({
      clock,
      wire: { frame: (bytes, at) => this.#sender.frame(bytes, at) },
      leadMs: 0,
    })
  }

  /** The call is confirmed: audio goes out and comes in from now on. */
  begin(): void {
    const { rtp, clock, onFault } = this.#options
    this.#heardAt = clock.monotonic()
    rtp.listen((packet, from) => this.#receive(packet, from), onFault)
    this.#line.open()
  }

  /** For how long nothing came of the phone, in milliseconds. */
  get silentMs(): number {
    return this.#options.clock.monotonic() - this.#heardAt
  }

  /** The phone has changed where or whether it wants audio. */
  follow(remote: AudioOffer, events: number | undefined): void {
    if (remote.address !== this.#remote.address || remote.port !== this.#remote.port) this.#receiver.move()
    this.#remote = remote
    this.#events = events
    this.#to = remote
    this.#heardAt = this.#options.clock.monotonic()
  }

  open(handlers: LinkHandlers): void {
    this.#feed.open(handlers)
  }

  send(samples: Int16Array): void {
    this.#line.speak(samples)
  }

  /** Keys go as telephone-events to a phone that knows them, and as tones to any other. */
  press(keys: string): void {
    const { events } = this.#remote
    if (events === undefined) {
      this.#line.speak(dtmfTones(keys))
      return
    }
    for (const key of keys) {
      this.#line.cue(() => this.#sender.press(key, events))
      this.#line.speak(WHILE_PRESSED)
    }
  }

  office(isOn = true): void {
    this.#line.office(isOn)
  }

  mark(): Promise<MarkOutcome> {
    return this.#line.mark()
  }

  async clear(): Promise<number> {
    return this.#line.clear()
  }

  listening(): void {}

  event(): void {}

  close(): void {
    if (this.#feed.over) return
    this.#feed.end()
    this.#end()
    this.#options.onClose()
  }

  /** The phone has hung up. */
  leave(): void {
    this.#end()
    this.#feed.closed('left')
  }

  /** The phone is gone without a word. */
  lose(): void {
    this.#end()
    this.#feed.closed('lost')
  }

  /** False while the phone has us on hold. */
  get #mayHear(): boolean {
    const { direction } = this.#remote
    return direction === 'sendrecv' || direction === 'recvonly'
  }

  #receive(bytes: Buffer, from: Peer): void {
    const { peers, clock } = this.#options
    if (from.address !== this.#remote.address && !peers.has(from.address)) return
    if (this.#feed.over) return
    const packet = parseRtp(bytes)
    const context = { from, remote: this.#remote, events: this.#events }
    if (!packet || !this.#receiver.receive(packet, context)) return
    this.#heardAt = clock.monotonic()
    this.#to = from
  }

  #end(): void {
    this.#receiver.end()
    this.#line.end()
    this.#options.rtp.close()
  }
}
