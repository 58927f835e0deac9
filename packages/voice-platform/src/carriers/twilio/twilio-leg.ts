import type { Clock } from '@heyline/kit/clock'
import { isSameSecret, newSecret } from '@heyline/kit/secret'
import type { Logger } from 'pino'
import type { CarrierEvents, LegEnd } from '../carrier.js'
import type { TwilioLink } from './twilio-link.js'

/** How long a key opens the media stream after the TwiML that names it, in milliseconds. */
const KEY_LIFE_MS = 30_000

/** Ends that are told as they are, also where we asked for the end. */
const ENDED_ITSELF: ReadonlySet<LegEnd> = new Set(['busy', 'misdialed', 'failed'])

export interface TwilioLegOptions {
  callId: string
  events: CarrierEvents
  clock: Clock
  logger: Logger
  /** The leg is over and can be forgotten. */
  onOver(): void
}

/**
 * One call of this process, from just before it is placed until it is over. Twilio's callbacks may come late, twice or out of order.
 * The leg reports ringing, answered and ended at most once each, in that order.
 */
export class TwilioLeg {
  readonly callId: string
  /** Twilio's id, known from the answer to our request or from the first callback, whichever comes first. */
  sid: string | undefined
  /** We asked for its end. If Twilio then says that nobody answered, the call was canceled. */
  hangingUp = false
  readonly #options: TwilioLegOptions
  #link: TwilioLink | undefined
  #rang = false
  #over = false
  #key: { value: string; expire(): void } | undefined
  #stopWatch = () => {}

  constructor(options: TwilioLegOptions) {
    this.callId = options.callId
    this.#options = options
  }

  get over(): boolean {
    return this.#over
  }

  get answered(): boolean {
    return this.#link !== undefined
  }

  /** Learns Twilio's id of the call. False when it is another call's. */
  learn(sid: string): boolean {
    this.sid ??= sid
    return this.sid === sid
  }

  ring(): void {
    if (this.#rang || this.answered || this.#over) return
    this.#rang = true
    this.#log('ringing')
    this.#options.events.onRinging(this.callId)
  }

  answer(link: TwilioLink): void {
    this.#link = link
    this.#stopWatch()
    this.#log('answered')
    this.#options.events.onAnswered(this.callId, link)
  }

  /** Ends the leg. The session learns first that the caller has left, then the platform that the leg is over. Idempotent. */
  end(end: LegEnd): void {
    if (this.#over) return
    this.#over = true
    this.#key?.expire()
    this.#stopWatch()
    this.#options.onOver()
    this.#link?.leave()
    const told = this.hangingUp && !this.answered && !ENDED_ITSELF.has(end) ? 'canceled' : end
    this.#log('ended', { end: told })
    this.#options.events.onEnded(this.callId, told)
  }

  /** Closes the audio of an answered leg from our side, which ends the call at Twilio too. */
  closeLink(): void {
    this.#link?.close()
  }

  /** Makes a key for one media stream. An earlier key is void. */
  issueKey(): string {
    this.#key?.expire()
    const value = newSecret()
    const callOff = this.#options.clock.after(KEY_LIFE_MS, () => {
      this.#key = undefined
    })
    this.#key = {
      value,
      expire: () => {
        callOff()
        this.#key = undefined
      },
    }
    return value
  }

  /** True once, for the key that was issued last and is still fresh. */
  redeemKey(given: string): boolean {
    if (this.#key === undefined || !isSameSecret(given, this.#key.value)) return false
    this.#key.expire()
    return true
  }

  /** Calls `look` after this many milliseconds, unless the leg is answered or over by then. Replaces an earlier watch. */
  watch(milliseconds: number, look: () => void): void {
    this.#stopWatch()
    if (this.#over || this.answered) return
    this.#stopWatch = this.#options.clock.after(milliseconds, look)
  }

  #log(what: string, more: Record<string, unknown> = {}): void {
    this.#options.logger.info({ callId: this.callId, sid: this.sid, ...more }, `twilio call ${what}`)
  }
}
