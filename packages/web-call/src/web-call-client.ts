import { type WallClock, wallClock } from '@heyline/kit/wall-clock'
import { type Call, DEFAULT_BASE_URL, PlatformCore } from '@heyline/platform-client'
import { isMicrophoneAllowed } from './browser/microphone.js'
import { isMobile } from './browser/mobile.js'
import { CallAttempt } from './call-attempt.js'
import { type ClientMessage, type SayOptions, sayMessage } from './client-message.js'
import { Emitter, type Listener } from './events/emitter.js'
import { openCustomRoom, openRoom, preloadRoom, type RoomKind } from './room-opening.js'
import type { CreateRoom, RoomOptions } from './rooms/call-room.js'
import {
  type RejoinableCall,
  roomAddress,
  type StartInput,
  startContext,
  webCallBody,
} from './start-input.js'
import { WebCallError, type WebCallErrorCode } from './web-call-error.js'
import { callErrorEvent, timestampOf, type WebCallEvents } from './web-call-events.js'

/** `calls.createWeb`, without the table of all operations: the page pays for each byte. */
const CREATE_WEB_CALL = { method: 'POST', path: '/call/web' } as const
/** How long an assistant may take to listen once its room is joined. */
const LISTENING_TIMEOUT_MS = 30_000

/** A call of any kind. */
type Attempt = Omit<CallAttempt, 'start'>

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
  /**
   * How long the assistant has to listen once the room is joined, in milliseconds; default 30,000. After that the call
   * ends with an `error` of type `listening-timeout`. 0 or false: it may take for ever.
   */
  listeningTimeoutMs?: number | false
  clock?: WallClock
}

/**
 * Starts, follows and ends calls with an assistant, one at a time. Several clients in one page do not touch each other.
 * Nothing of the browser is used before `start` or `preload`.
 */
export class WebCallClient {
  readonly #options: WebCallClientOptions
  readonly #platform: PlatformCore
  readonly #clock: WallClock
  readonly #events = new Emitter<WebCallEvents>()
  #outputDevice: string | undefined
  #current: Attempt | undefined
  /** The release of the room before, while it lasts. */
  #releasing: Promise<void> | undefined

  constructor(options: WebCallClientOptions) {
    const { token, baseUrl, fetch } = options
    this.#options = options
    this.#clock = options.clock ?? wallClock
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
  preload(kind: RoomKind = this.likelyRoom): Promise<void> {
    return preloadRoom(kind)
  }

  /**
   * Starts a call. Call it in the click itself: the microphone is asked for at once. Resolves with the platform's call
   * when its room is joined; with null when a call is running already, when the start failed (see `call-start-failed`),
   * and when it was stopped or aborted: the signal ends the start, not the call that came of it. Rejects only with a
   * `WebCallError` when nothing is given to call.
   *
   * It may be called again in `call-start-failed` and in `call-end`. What is left to tell of the old call then still
   * comes, among the first events of the new one: its `error` after the one, its ended `message` after the other.
   */
  async start(input: StartInput, { signal }: { signal?: AbortSignal } = {}): Promise<Call | null> {
    if (!(input?.assistant || input?.squad || input?.workflow)) this.#refuse('nothing-to-call')
    const body = webCallBody(input)
    return this.#run(
      body,
      (aborted) => this.#platform.request<Call>(CREATE_WEB_CALL, { body }, { signal: aborted }),
      signal,
    )
  }

  /**
   * Joins a call again that still lives: after the page was loaded anew, in another tab, after the network was lost for
   * too long. A socket room lets in who comes with the `rejoinUrl` of then: `reconnect({ ...call, webCallUrl })`; a Daily
   * room's own `webCallUrl` does. As `start` in all else, but that nothing is created and that `call-start` comes with the
   * join. Rejects only with a `WebCallError` when the call names no room.
   */
  async reconnect<Joined extends RejoinableCall>(
    call: Joined,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Joined | null> {
    if (!roomAddress(call)) this.#refuse('no-room-address')
    return this.#run(call, async () => call, signal, true)
  }

  /**
   * The address by which `reconnect` joins the running call again; undefined while none is joined. A socket room's is
   * good once and changes whenever the room was joined or came back (`connection`): read it late, on `pagehide` say.
   */
  get rejoinUrl(): string | undefined {
    return this.#current?.rejoinUrl
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

  /** Plays what the browser refused to play (`audio-blocked`). Call it in a click. Rejects without a call. */
  async resumeAudio(): Promise<void> {
    await this.#running.resumeAudio()
  }

  /**
   * Plays the assistant through this loudspeaker (a device id of `enumerateDevices`; '' is the default one), in this call
   * and those that follow. Rejects when the browser cannot, and keeps the one before then; without a call it cannot tell.
   */
  async setOutputDevice(deviceId: string): Promise<void> {
    const before = this.#outputDevice
    this.#outputDevice = deviceId
    try {
      await this.#current?.setOutputDevice(deviceId)
    } catch (error) {
      if (this.#outputDevice === deviceId) this.#outputDevice = before
      throw error
    }
  }

  get #running(): Attempt {
    if (!this.#current) throw new WebCallError('no-call')
    return this.#current
  }

  #refuse(code: WebCallErrorCode): never {
    const error = new WebCallError(code)
    this.#events.emit('error', callErrorEvent('validation-error', 'input-validation', error, this.#clock))
    throw error
  }

  async #run<Joined extends RejoinableCall>(
    called: Parameters<typeof startContext>[0],
    call: (signal: AbortSignal) => Promise<Joined>,
    signal: AbortSignal | undefined,
    isRejoin = false,
  ): Promise<Joined | null> {
    if (this.#current) {
      this.#events.emit('call-start-progress', {
        stage: 'validation',
        status: 'failed',
        timestamp: timestampOf(this.#clock),
        metadata: { reason: 'already-started' },
      })
      return null
    }
    if (signal?.aborted) return null
    const {
      audioSource,
      createRoom,
      listeningTimeoutMs = LISTENING_TIMEOUT_MS,
      startAudioOff,
    } = this.#options
    const roomOptions: RoomOptions = {
      ...(audioSource !== undefined && { audioSource }),
      ...(startAudioOff !== undefined && { startAudioOff }),
    }
    const attempt = new CallAttempt<Joined>({
      context: startContext(called, isMobile()),
      call,
      isRejoin,
      roomOptions,
      isAllowed: () => Boolean(createRoom) || isMicrophoneAllowed(),
      openRoom: () => (createRoom ? openCustomRoom(createRoom) : openRoom(roomOptions, this.likelyRoom)),
      listeningTimeoutMs,
      outputDevice: () => this.#outputDevice,
      clock: this.#clock,
      events: this.#events,
      earlier: () => this.#releasing,
      onOver: () => this.#forget(attempt),
    })
    this.#current = attempt
    const stop = () => void attempt.stop()
    signal?.addEventListener('abort', stop)
    try {
      return await attempt.start()
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** The hosted platform's rooms are Daily's, so their code is loaded beside the creation of the call; another's are socket rooms. */
  get likelyRoom(): RoomKind {
    return new URL(this.#platform.baseUrl).origin === DEFAULT_BASE_URL ? 'daily' : 'socket'
  }

  #forget(attempt: Attempt): void {
    if (this.#current !== attempt) return
    this.#current = undefined
    const released = Promise.all([this.#releasing, attempt.released])
    const releasing = released.then(() => {
      if (this.#releasing === releasing) this.#releasing = undefined
    })
    this.#releasing = releasing
  }
}
