import { Conversation, type ConversationOptions } from './conversation.js'
import { errorText } from './error-details.js'
import { within } from './events/waiting.js'
import type { RoomOpening } from './room-opening.js'
import type { CallRoom } from './rooms/call-room.js'
import { StartFlow, type StartFlowOptions } from './start-flow.js'
import type { CallVideo, RejoinableCall } from './start-input.js'
import { StartProgress } from './start-progress.js'
import { WebCallError } from './web-call-error.js'
import { callErrorEvent, timestampOf } from './web-call-events.js'

/** A room that is not made and destroyed in this time is left to itself: it is destroyed when it comes. */
const RELEASE_TIMEOUT_MS = 3000

export interface CallAttemptOptions<Joined extends RejoinableCall>
  extends Omit<StartFlowOptions<Joined>, 'progress' | 'signal' | 'own'>,
    Pick<ConversationOptions, 'listeningTimeoutMs' | 'outputDevice'> {
  /** The attempt is over, and another may begin. Told before the events of the end; maybe more than once. */
  onOver(): void
}

/** One call from the click to its end: its abort, its room and all that hangs on it belong to it alone. */
export class CallAttempt<Joined extends RejoinableCall = RejoinableCall> {
  /** Resolves when all that the call held is released. */
  readonly released: Promise<void>
  readonly #options: CallAttemptOptions<Joined>
  readonly #abort = new AbortController()
  #opening: RoomOpening | undefined
  #creation: Promise<CallRoom> | undefined
  #room: CallRoom | undefined
  #url: string | undefined
  #conversation: Conversation | undefined
  #isMuted: boolean
  #releasing: Promise<void> | undefined
  #tellReleased: () => void = () => {}

  constructor(options: CallAttemptOptions<Joined>) {
    this.#options = options
    this.released = new Promise((resolve) => {
      this.#tellReleased = resolve
    })
    this.#isMuted = options.roomOptions.startAudioOff ?? false
  }

  /** Resolves with the call, or with null when the start failed, was stopped, or the call ended meanwhile. Never rejects. */
  async start(): Promise<Joined | null> {
    const { clock, context, events } = this.#options
    const { signal } = this.#abort
    const progress = new StartProgress(events, clock)
    const flow = new StartFlow({
      ...this.#options,
      progress,
      signal,
      openRoom: () => {
        this.#opening = this.#options.openRoom()
        return this.#opening
      },
      own: (...made) => this.#own(...made),
    })
    const { isMobile: _, ...asked } = context
    progress.begin('initialization', asked)
    try {
      const call = await flow.run()
      if (signal.aborted) return null
      events.emit('call-start-success', {
        totalDuration: progress.totalDuration,
        callId: call.id ?? 'unknown',
        timestamp: timestampOf(clock),
      })
      return call
    } catch (error) {
      if (signal.aborted && !flow.hasFailed) return null
      this.#options.onOver()
      this.#tellFailure(error, progress)
      // What fails in the join's last moment ends a call that has begun.
      this.#conversation?.end()
      void this.#release()
      return null
    }
  }

  /** Ends the call, or the start, at once; resolves when all is released. Idempotent. */
  stop(): Promise<void> {
    this.#options.onOver()
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

  /** Where the call can be joined again: what its room says, or where it was joined; undefined while it is not. */
  get rejoinUrl(): string | undefined {
    if (!this.#conversation?.isJoined) return undefined
    return this.#room?.meetingAddress ? this.#room.meetingAddress() : this.#url
  }

  /** Moves the sound of the call to the loudspeaker; without a room there is none yet. Rejects when it cannot be moved. */
  async setOutputDevice(deviceId: string): Promise<void> {
    await Promise.all([
      this.#conversation?.audio.moveTo(deviceId),
      this.#conversation?.isJoined && this.#room?.setOutputDevice?.(deviceId),
    ])
  }

  /** Plays what was refused. Rejects while there is no room, and when it is refused again. */
  async resumeAudio(): Promise<void> {
    await Promise.all([this.conversation.audio.resume(), this.#room?.resumeAudio?.()])
  }

  async #own(creation: Promise<CallRoom>, video: CallVideo, url: string) {
    this.#creation = creation
    const room = await creation
    this.#abort.signal.throwIfAborted()
    this.#room = room
    this.#url = url
    const conversation = new Conversation({
      ...this.#options,
      room,
      video,
      isMuted: () => this.#isMuted,
      onOver: () => this.#ended(),
    })
    this.#conversation = conversation
    return { room, conversation }
  }

  /** The call ended by itself: its events come first, then its release. */
  #ended(): void {
    this.#options.onOver()
    this.#abort.abort()
    queueMicrotask(() => void this.#release())
  }

  #tellFailure(thrown: unknown, { stage, totalDuration }: StartProgress): void {
    const { clock, context, events } = this.#options
    const event = callErrorEvent('start-method-error', stage, thrown, clock)
    const { error, message, timestamp } = event
    const errorStack = error.stack ?? 'No stack trace available'
    events.emit('call-start-failed', { stage, totalDuration, error: message, errorStack, timestamp, context })
    events.emit('error', { ...event, type: 'start-method-error', totalDuration, context })
  }

  #release(): Promise<void> {
    this.#releasing ??= this.#releaseAll().finally(this.#tellReleased)
    return this.#releasing
  }

  async #releaseAll(): Promise<void> {
    this.#abort.abort()
    this.#conversation?.close()
    this.#opening?.close()
    if (this.#creation) await within(this.#options.clock, RELEASE_TIMEOUT_MS, this.#destroy(this.#creation))
  }

  /** A room that is still being made is destroyed when it comes, so that no two are there at once. Never rejects. */
  async #destroy(creation: Promise<CallRoom>): Promise<void> {
    try {
      const room = this.#room ?? (await creation.catch(() => undefined))
      await room?.destroy()
    } catch (error) {
      console.warn('The room of a call could not be closed:', errorText(error))
    }
  }
}
