import { type Call, DEFAULT_BASE_URL, PlatformCore } from '@heyline/platform-client'
import { CallAttempt } from './call-attempt.js'
import { type ClientMessage, type SayOptions, sayMessage } from './client-message.js'
import { type Clock, systemClock } from './clock.js'
import { Emitter, type Listener } from './emitter.js'
import { errorDetails } from './error-details.js'
import { isMobile } from './mobile.js'
import type { CreateRoom, RoomOptions } from './rooms/call-room.js'
import { openCustomRoom, openRoom, preloadRoom, type RoomKind } from './rooms/room-opening.js'
import type { StartInput } from './start-input.js'
import { WebCallError } from './web-call-error.js'
import type { WebCallEvents } from './web-call-events.js'

export interface WebCallClientOptions {
  /** The platform's public key. */
  token: string
  /** The platform's address; the hosted platform's where none is given. */
  baseUrl?: string
  fetch?: typeof fetch
  /** Makes the room at an address. Devices and permissions are then that room's business. */
  createRoom?: CreateRoom
  /** Which microphone: a device id, a track, true for the default one (that is what is used otherwise), false for none. */
  audioSource?: string | boolean | MediaStreamTrack
  /** Begin with the microphone muted. */
  startAudioOff?: boolean
  clock?: Clock
}

/**
 * Starts, follows and ends calls with an assistant, one at a time. Several clients in one page do not touch each other.
 * Nothing of the browser is used before `start` or `preload`.
 */
export class WebCallClient {
  readonly #options: WebCallClientOptions
  readonly #platform: PlatformCore
  readonly #clock: Clock
  readonly #events = new Emitter<WebCallEvents>()
  #current: CallAttempt | undefined
  /** The release of the room before, while it lasts. */
  #releasing: Promise<void> | undefined

  constructor(options: WebCallClientOptions) {
    const { token, baseUrl, fetch } = options
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#platform = new PlatformCore({ token, ...(baseUrl && { baseUrl }), ...(fetch && { fetch }) })
  }

  on<Name extends keyof WebCallEvents>(name: Name, listener: Listener<WebCallEvents[Name]>): this {
    this.#events.on(name, listener)
    return this
  }

  /** Takes off one listener, or all of an event. */
  off<Name extends keyof WebCallEvents>(name: Name, listener?: Listener<WebCallEvents[Name]>): this {
    this.#events.off(name, listener)
    return this
  }

  /** Loads the code of a room ahead of the click, of the likely one by default. Never rejects: what fails here shows in `start`. */
  preload(kind: RoomKind = this.#likelyRoom): Promise<void> {
    return preloadRoom(kind)
  }

  /**
   * Starts a call. Call it in the click itself: the microphone is asked for at once. Resolves with the platform's call
   * when its room is joined; with null when a call is running already, when the start failed (see `call-start-failed`),
   * and when it was stopped or aborted. Rejects only with a `WebCallError` when nothing is given to call.
   */
  async start(input: StartInput, { signal }: { signal?: AbortSignal } = {}): Promise<Call | null> {
    this.#validate(input)
    if (this.#current) {
      const metadata = { reason: 'already-started' }
      const timestamp = this.#timestamp()
      this.#events.emit('call-start-progress', { stage: 'validation', status: 'failed', timestamp, metadata })
      return null
    }
    if (signal?.aborted) return null
    const attempt = this.#attempt(input)
    this.#current = attempt
    const stop = () => void attempt.stop()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await attempt.start()
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Ends the call, or the start that is under way. Resolves when its room is released; at once without a call. */
  async stop(): Promise<void> {
    await this.#current?.stop()
    await this.#releasing
  }

  /** Throws a `WebCallError` ('Call object is not available.') while there is no room, as `say` and `send` do. */
  setMuted(muted: boolean): void {
    this.#running.setMuted(muted)
  }

  /** Whether the microphone is muted; false without a call. */
  isMuted(): boolean {
    return this.#current?.isMuted ?? false
  }

  /** Makes the assistant say something. */
  say(message: string, options?: SayOptions): void {
    this.send(sayMessage(message, options))
  }

  /** Sends a message to the assistant. Throws when the room is not joined yet and when the message is too long for it. */
  send(message: ClientMessage): void {
    this.#running.conversation.send(message)
  }

  /** Plays what the browser refused to play (`audio-blocked`). Call it in a click. */
  async resumeAudio(): Promise<void> {
    await this.#running.conversation.audio.resume()
  }

  get #running(): CallAttempt {
    if (!this.#current) throw new WebCallError('no-call')
    return this.#current
  }

  #validate({ assistant, squad, workflow }: StartInput): void {
    if (assistant || squad || workflow) return
    const error = new WebCallError('nothing-to-call')
    this.#events.emit('error', {
      type: 'validation-error',
      stage: 'input-validation',
      message: error.message,
      error: errorDetails(error),
      timestamp: this.#timestamp(),
    })
    throw error
  }

  #attempt(input: StartInput): CallAttempt {
    const { audioSource, createRoom, startAudioOff } = this.#options
    const roomOptions: RoomOptions = {
      ...(audioSource === undefined ? {} : { audioSource }),
      ...(startAudioOff === undefined ? {} : { startAudioOff }),
    }
    const attempt: CallAttempt = new CallAttempt({
      input,
      platform: this.#platform,
      roomOptions,
      openRoom: () => (createRoom ? openCustomRoom(createRoom) : openRoom(roomOptions, this.#likelyRoom)),
      isMobile: isMobile(),
      clock: this.#clock,
      events: this.#events,
      earlier: this.#releasing,
      onOver: () => this.#forget(attempt),
    })
    return attempt
  }

  /** The hosted platform's rooms are Daily's, so their code is loaded beside the creation of the call. */
  get #likelyRoom(): RoomKind {
    const { origin } = new URL(this.#options.baseUrl ?? DEFAULT_BASE_URL, DEFAULT_BASE_URL)
    return origin === DEFAULT_BASE_URL ? 'daily' : 'socket'
  }

  #forget(attempt: CallAttempt): void {
    if (this.#current !== attempt) return
    this.#current = undefined
    const released = Promise.all([this.#releasing, attempt.released])
    const releasing = released.then(() => {
      if (this.#releasing === releasing) this.#releasing = undefined
    })
    this.#releasing = releasing
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}
