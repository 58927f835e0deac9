import { type Clock, systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { LineIn } from '../../audio/line-in.js'
import { LineOut } from '../../audio/line-out.js'
import type { Link, LinkHandlers, MarkOutcome } from '../../link/link.js'
import { guarded } from '../../sockets/guarded.js'
import { AudioBudget } from '../../work/audio-budget.js'
import { readFrame } from './twilio-frame.js'

/** Samples of a media stream in a millisecond. */
const SAMPLES_PER_MS = 8
/**
 * How much audio Twilio holds at least, in milliseconds. For so long nobody hears that this process or the network stands still, and
 * for so long speech goes on after a cut.
 */
const LEAD_MS = 80
/** Most bytes that wait for a connection that does not get on: about four seconds of audio. Audio beyond that is dropped. */
const MOST_UNSENT = 64_000
/** Most frames kept until the link is opened: 30 s of audio. The oldest are dropped first. */
const MAX_PENDING = 1_500

export interface TwilioLinkOptions {
  /** Open, its `start` frame read, with no other reader of its messages. */
  socket: WebSocket
  streamSid: string
  logger: Logger
  clock?: Clock
}

/**
 * A phone leg as a link: a media stream of Twilio's, mu-law 8 kHz in base64 both ways. The call ends with the stream, as its TwiML
 * has nothing after it. A frame that Twilio never sends closes the stream, and the caller counts as lost.
 */
export class TwilioLink implements Link {
  readonly #socket: WebSocket
  readonly #streamSid: string
  readonly #logger: Logger
  readonly #in: LineIn
  readonly #out: LineOut
  #handlers: LinkHandlers | undefined
  #pending: Array<(handlers: LinkHandlers) => void> = []
  #over = false
  #closedByUs = false

  constructor({ socket, streamSid, logger, clock = systemClock }: TwilioLinkOptions) {
    this.#socket = socket
    this.#streamSid = streamSid
    this.#logger = logger
    const guard = { logger, fail: () => this.#finish('lost', 1011) }
    const hear = (samples: Int16Array) => this.#deliver((handlers) => handlers.onAudio(samples))
    this.#in = new LineIn({ clock, budget: new AudioBudget(clock), hear: guarded(hear, guard) })
    this.#out = new LineOut({
      clock,
      leadMs: LEAD_MS,
      wire: {
        frame: (bytes) => this.#play(bytes),
        mark: (name) => this.#transmit({ event: 'mark', mark: { name } }),
        clear: () => this.#transmit({ event: 'clear' }),
      },
    })
    const receive = (data: RawData, isBinary: boolean) => this.#receive(data, isBinary)
    socket.on('message', guarded(receive, guard))
    const closed = (code: number) => this.#finish(code === 1000 ? 'left' : 'lost')
    socket.on('close', guarded(closed, guard))
  }

  open(handlers: LinkHandlers): void {
    this.#handlers = handlers
    const pending = this.#pending
    this.#pending = []
    for (const tell of pending) {
      if (this.#closedByUs) return
      tell(handlers)
    }
    this.#out.open()
  }

  send(samples: Int16Array): void {
    this.#out.speak(samples)
  }

  office(isOn = true): void {
    this.#out.office(isOn)
  }

  mark(): Promise<MarkOutcome> {
    return this.#out.mark()
  }

  /** What Twilio holds by now is heard to its end: 100 ms at most. */
  clear(): Promise<number> {
    return Promise.resolve(this.#out.clear())
  }

  listening(): void {}

  event(): void {}

  close(): void {
    this.#closedByUs = true
    this.#finish()
  }

  /** The carrier has learned that the call is over. The caller counts as left. */
  leave(): void {
    this.#finish('left')
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#over) return
    const frame = readFrame(data, isBinary)
    if (frame.event === 'media') {
      const { track, timestamp, chunk, payload } = frame.media
      if (track !== 'inbound') return
      const position = timestamp === undefined ? undefined : timestamp * SAMPLES_PER_MS
      this.#in.frame(Buffer.from(payload, 'base64'), { position, sequence: chunk })
    } else if (frame.event === 'mark') {
      this.#out.reached(frame.mark.name)
    } else if (frame.event === 'dtmf') {
      this.#deliver((handlers) => handlers.onDigit(frame.dtmf.digit))
    } else if (frame.event === 'stop') {
      this.#finish('left')
    } else if (frame.event === 'refused') {
      this.#logger.warn({ streamSid: this.#streamSid }, `twilio stream closed: ${frame.why}`)
      this.#finish('lost', frame.code)
    }
  }

  #deliver(tell: (handlers: LinkHandlers) => void): void {
    if (this.#handlers !== undefined) {
      tell(this.#handlers)
      return
    }
    if (this.#pending.length >= MAX_PENDING) this.#pending.shift()
    this.#pending.push(tell)
  }

  #finish(reason?: 'left' | 'lost', code = 1000): void {
    if (this.#over) return
    this.#over = true
    this.#in.end()
    this.#out.end()
    this.#socket.close(code)
    if (reason !== undefined) this.#deliver((handlers) => handlers.onClosed(reason))
  }

  #play(bytes: Uint8Array): void {
    if (this.#socket.bufferedAmount > MOST_UNSENT) return
    const payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
    this.#transmit({ event: 'media', media: { payload } })
  }

  #transmit(message: object): void {
    this.#socket.send(JSON.stringify({ ...message, streamSid: this.#streamSid }))
  }
}
