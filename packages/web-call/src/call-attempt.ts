import type { Call, PlatformCore } from '@heyline/platform-client'
import { Stopped } from './abort.js'
import type { Clock } from './clock.js'
import { Conversation } from './conversation.js'
import type { Emitter } from './emitter.js'
import { errorDetails, errorText } from './error-details.js'
import type { CallRoom, RoomOptions } from './rooms/call-room.js'
import type { RoomOpening } from './rooms/room-opening.js'
import { StartFlow } from './start-flow.js'
import { type CallVideo, type StartInput, startContext } from './start-input.js'
import { StartProgress } from './start-progress.js'
import { WebCallError } from './web-call-error.js'
import type { StartContext, WebCallEvents } from './web-call-events.js'

/** A room that does not let itself be destroyed in this time is left to itself. */
const RELEASE_TIMEOUT_MS = 3000

export interface CallAttemptOptions {
  input: StartInput
  platform: PlatformCore
  roomOptions: RoomOptions
  /** Called at once, in the click; the attempt closes what it answers. */
  openRoom(): RoomOpening
  isMobile: boolean
  clock: Clock
  events: Emitter<WebCallEvents>
  /** Resolves when the room of the call before is gone; undefined when there is none. */
  earlier: Promise<void> | undefined
  /** The attempt is over, and another may begin. Told before the events of the end; maybe more than once. */
  onOver(): void
}

/** One call from the click to its end: its abort, its room and all that hangs on it belong to it alone. */
export class CallAttempt {
  /** Resolves when all that the call held is released. */
  readonly released: Promise<void>
  readonly #options: CallAttemptOptions
  readonly #abort = new AbortController()
  readonly #context: StartContext
  #opening: RoomOpening | undefined
  #room: CallRoom | undefined
  #conversation: Conversation | undefined
  #isRecording = false
  #isMuted: boolean
  #releasing: Promise<void> | undefined
  #tellReleased: () => void = () => {}

  constructor(options: CallAttemptOptions) {
    this.#options = options
    this.released = new Promise((resolve) => {
      this.#tellReleased = resolve
    })
    this.#context = startContext(options.input, options.isMobile)
    this.#isMuted = options.roomOptions.startAudioOff ?? false
  }

  /** Resolves with the call, or with null when the start failed, was stopped, or the call ended meanwhile. Never rejects. */
  async start(): Promise<Call | null> {
    const { clock, events } = this.#options
    const progress = new StartProgress(events, clock)
    const flow = new StartFlow({
      ...this.#options,
      progress,
      signal: this.#abort.signal,
      openRoom: () => {
        this.#opening = this.#options.openRoom()
        return this.#opening
      },
      own: (room, video) => this.#own(room, video),
    })
    const { isMobile: _, ...asked } = this.#context
    progress.begin('initialization', asked)
    try {
      const call = await flow.run()
      if (this.#abort.signal.aborted) return null
      const { timestamp, totalDuration } = progress
      events.emit('call-start-success', { totalDuration, callId: call.id ?? 'unknown', timestamp })
      return call
    } catch (error) {
      if (this.#abort.signal.aborted && !flow.hasFailed) return null
      this.#options.onOver()
      this.#tellFailure(error, progress)
      await this.#release()
      return null
    }
  }

  /** Ends the call, or the start, at once; resolves when all is released. Idempotent. */
  stop(): Promise<void> {
    this.#options.onOver()
    this.#abort.abort()
    this.#conversation?.end()
    return this.#release()
  }

  /** The conversation; throws while there is no room. */
  get conversation(): Conversation {
    if (!this.#conversation) throw new WebCallError('no-call')
    return this.#conversation
  }

  get isMuted(): boolean {
    return this.#isMuted
  }

  setMuted(muted: boolean): void {
    if (!this.#room) throw new WebCallError('no-call')
    this.#isMuted = muted
    this.#room.setLocalAudio(!muted)
  }

  #own(room: CallRoom, { isVideoEnabled, isVideoRecordingEnabled }: CallVideo): Conversation {
    if (this.#abort.signal.aborted) {
      void this.#destroy(room)
      throw new Stopped()
    }
    this.#room = room
    this.#isRecording = isVideoRecordingEnabled
    this.#conversation = new Conversation({
      room,
      events: this.#options.events,
      clock: this.#options.clock,
      video: isVideoEnabled || isVideoRecordingEnabled,
      isMuted: () => this.#isMuted,
      onOver: () => this.#ended(),
    })
    return this.#conversation
  }

  /** The call ended by itself: its events come first, then its release. */
  #ended(): void {
    this.#options.onOver()
    this.#abort.abort()
    queueMicrotask(() => void this.#release())
  }

  #tellFailure(error: unknown, { stage, timestamp, totalDuration }: StartProgress): void {
    const { events } = this.#options
    const details = errorDetails(error)
    const message = errorText(error)
    const context = this.#context
    const errorStack = details.stack ?? 'No stack trace available'
    events.emit('call-start-failed', {
      stage,
      totalDuration,
      error: message,
      errorStack,
      timestamp,
      context,
    })
    events.emit('error', {
      type: 'start-method-error',
      stage,
      message,
      error: details,
      totalDuration,
      timestamp,
      context,
    })
  }

  #release(): Promise<void> {
    this.#releasing ??= this.#releaseAll().finally(this.#tellReleased)
    return this.#releasing
  }

  async #releaseAll(): Promise<void> {
    this.#abort.abort()
    this.#conversation?.close()
    this.#opening?.close()
    const room = this.#room
    if (!room) return
    let cancel = () => {}
    const timeout = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(RELEASE_TIMEOUT_MS, resolve)
    })
    await Promise.race([this.#destroy(room), timeout]).finally(cancel)
  }

  async #destroy(room: CallRoom): Promise<void> {
    try {
      if (this.#isRecording && room.meetingState() === 'joined-meeting') room.stopRecording()
    } catch (error) {
      console.warn('The recording of a call could not be stopped:', errorText(error))
    }
    try {
      await room.destroy()
    } catch (error) {
      console.warn('The room of a call could not be destroyed:', errorText(error))
    }
  }
}
