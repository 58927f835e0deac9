import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { decodeMuLaw, encodeMuLaw } from '../../audio/mu-law.js'
import { Resampler } from '../../audio/resampler.js'
import { HeardEstimate } from '../../link/heard-estimate.js'
import type { Link, LinkHandlers, MarkOutcome } from '../../link/link.js'
import { guarded } from '../../sockets/guarded.js'
import { readFrame } from './twilio-frame.js'

const LINK_RATE = 16_000
const PHONE_RATE = 8_000
/** Mu-law bytes of one media frame: 200 ms. */
const FRAME_BYTES = 1_600
/** Most frames kept until the link is opened: 30 s of audio. The oldest are dropped first. */
const MAX_PENDING = 1_500

export interface TwilioLinkOptions {
  /** Open, its `start` frame read, with no other reader of its messages. */
  socket: WebSocket
  streamSid: string
  logger: Logger
}

/**
 * A phone leg as a link: a media stream of Twilio's, mu-law 8 kHz in base64 both ways. The call ends with the stream, as its TwiML
 * has nothing after it. A frame that Twilio never sends closes the stream, and the caller counts as lost.
 */
export class TwilioLink implements Link {
  readonly #socket: WebSocket
  readonly #streamSid: string
  readonly #logger: Logger
  readonly #fromPhone = new Resampler(PHONE_RATE, LINK_RATE)
  #toPhone = new Resampler(LINK_RATE, PHONE_RATE)
  readonly #heard = new HeardEstimate()
  readonly #marks = new Map<string, { position: number; settle(outcome: MarkOutcome): void }>()
  #markCount = 0
  #handlers: LinkHandlers | undefined
  #pending: Array<(handlers: LinkHandlers) => void> = []
  #over = false
  #closedByUs = false

  constructor({ socket, streamSid, logger }: TwilioLinkOptions) {
    this.#socket = socket
    this.#streamSid = streamSid
    this.#logger = logger
    const guard = { logger, fail: () => this.#finish('lost', 1011) }
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
  }

  send(samples: Int16Array): void {
    if (this.#over || samples.length === 0) return
    const speech = encodeMuLaw(this.#toPhone.process(samples))
    for (let start = 0; start < speech.length; start += FRAME_BYTES) {
      const payload = Buffer.from(speech.subarray(start, start + FRAME_BYTES)).toString('base64')
      this.#transmit({ event: 'media', media: { payload } })
    }
    this.#heard.queue((speech.length * 1000) / PHONE_RATE)
  }

  mark(): Promise<MarkOutcome> {
    if (this.#over) return Promise.resolve('cleared')
    this.#markCount += 1
    const name = String(this.#markCount)
    return new Promise((settle) => {
      this.#marks.set(name, { position: this.#heard.position, settle })
      this.#transmit({ event: 'mark', mark: { name } })
    })
  }

  /** Twilio does not tell how much was heard. The milliseconds are estimated by the stream's clock (`HeardEstimate`). */
  clear(): Promise<number> {
    if (!this.#over) {
      this.#transmit({ event: 'clear' })
      this.#dropMarks()
      this.#toPhone = new Resampler(LINK_RATE, PHONE_RATE)
    }
    return Promise.resolve(this.#heard.clear())
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
      if (frame.media.track !== 'inbound') return
      if (frame.media.timestamp !== undefined) this.#heard.tick(frame.media.timestamp)
      const samples = this.#fromPhone.process(decodeMuLaw(Buffer.from(frame.media.payload, 'base64')))
      if (samples.length > 0) this.#deliver((handlers) => handlers.onAudio(samples))
    } else if (frame.event === 'mark') {
      const mark = this.#marks.get(frame.mark.name)
      if (mark === undefined) return
      this.#marks.delete(frame.mark.name)
      this.#heard.reach(mark.position)
      mark.settle('played')
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
    this.#dropMarks()
    this.#socket.close(code)
    if (reason !== undefined) this.#deliver((handlers) => handlers.onClosed(reason))
  }

  #dropMarks(): void {
    for (const mark of this.#marks.values()) mark.settle('cleared')
    this.#marks.clear()
  }

  #transmit(message: object): void {
    this.#socket.send(JSON.stringify({ ...message, streamSid: this.#streamSid }))
  }
}
