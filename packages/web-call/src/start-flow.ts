import type { WallClock } from '@heyline/kit/wall-clock'
import { MicrophoneError } from './browser/microphone.js'
import type { Conversation } from './conversation.js'
import type { Emitter } from './events/emitter.js'
import { attempt, untilAborted, within } from './events/waiting.js'
import type { RoomOpening } from './room-opening.js'
import type { CallRoom, RoomOptions } from './rooms/call-room.js'
import { type CallVideo, callVideo, type RejoinableCall, roomAddress, voiceProvider } from './start-input.js'
import type { StartProgress } from './start-progress.js'
import { WebCallError } from './web-call-error.js'
import {
  type CallErrorType,
  callErrorEvent,
  type StartContext,
  type StartProgressEvent,
  type StartStage,
  type WebCallEvents,
} from './web-call-events.js'

/** The wait on a mobile device between making the room and joining it, for its permissions (spec 9). */
const MOBILE_WAIT_MS = 1000
/**
 * How long a call that was created waits for its microphone. The platform gives a call up that nobody has joined in 15 s:
 * by then another one has to be created.
 */
const JOIN_MS = 14_000
/** How often levels are reported (spec 9). */
const LEVEL_INTERVAL_MS = 100
/** How a call is recorded (spec 4, 9). */
const RECORDING = {
  width: 1280,
  height: 720,
  backgroundColor: '#FF1F2D3D',
  layout: { preset: 'default' },
} as const

export interface StartFlowOptions<Joined extends RejoinableCall> {
  /**
   * Creates the call, or answers the one to join again. Called in the click where the microphone may be used without a
   * question, once it may be used otherwise; and again when the microphone came too late for the call.
   */
  call(signal: AbortSignal): Promise<Joined>
  /** Nothing is created: the call lives already. */
  isRejoin: boolean
  roomOptions: RoomOptions
  /** Who is called, and from where. */
  context: StartContext
  clock: WallClock
  events: Emitter<WebCallEvents>
  progress: StartProgress
  /** Aborted when the start is stopped; every wait of the flow ends then. */
  signal: AbortSignal
  /** The release of an earlier call's room, while it lasts. */
  earlier(): Promise<void> | undefined
  /** Whether nobody has to be asked for the microphone first, as far as that is known in the click. */
  isAllowed(): boolean
  /** Asks for devices, and owns them. Called in the click. */
  openRoom(): RoomOpening
  /**
   * Makes the room this start's own in the moment it is made: whatever happens, its owner releases it. Rejects when it
   * cannot be made, and when it comes too late.
   */
  own(creation: Promise<CallRoom>, video: CallVideo, url: string): Promise<Omit<Joinable, 'video'>>
}

interface Joinable {
  room: CallRoom
  conversation: Conversation
  video: CallVideo
}

/** The stages of a start, in order (spec 4). Rejects with the error of the stage that failed, after telling of it. */
export class StartFlow<Joined extends RejoinableCall> {
  /** A stage has failed, or the platform refused: the start is over, whoever stops it meanwhile. */
  hasFailed = false
  readonly #options: StartFlowOptions<Joined>

  constructor(options: StartFlowOptions<Joined>) {
    this.#options = options
  }

  /** Resolves with the call once its room is joined and set up. */
  async run(): Promise<Joined> {
    const { call, opening, url } = await this.#createCall()
    const joinable = await this.#createRoom(opening, url, callVideo(call))
    await this.#waitForPermissions()
    await this.#join(joinable, url)
    await this.#recordVideo(joinable)
    await this.#setUp('audio-observer-setup', () =>
      joinable.room.startRemoteParticipantsAudioLevelObserver(LEVEL_INTERVAL_MS),
    )
    await this.#setUp('audio-processing-setup', () =>
      joinable.room.updateInputSettings({ audio: { processor: { type: 'noise-cancellation' } } }),
    )
    return call
  }

  async #createCall(): Promise<{ call: Joined; opening: RoomOpening; url: string }> {
    const { clock, isAllowed, isRejoin, openRoom, signal } = this.#options
    const stage = 'web-call-creation'
    const complete = isRejoin ? this.#skip(stage, 'skipped-rejoin') : this.#begin(stage)
    try {
      let createdAt = 0
      const create = async () => {
        const created = await this.#options.call(signal)
        createdAt = clock.now()
        return created
      }
      // Where nobody has to be asked, the request goes first: making an audio context takes its time the first time.
      const early = isAllowed() ? create() : undefined
      early?.catch(() => {})
      const opening = openRoom()
      const creation = early ?? opening.allowed().then(create)
      await untilAborted(signal, Promise.all([creation, opening.microphone]))
      const call = await untilAborted(signal, clock.now() - createdAt > JOIN_MS ? create() : creation)
      const url = roomAddress(call)
      if (!url) throw new WebCallError('no-room-address')
      complete?.({
        callId: call.id ?? 'unknown',
        videoRecordingEnabled: callVideo(call).isVideoRecordingEnabled,
        voiceProvider: voiceProvider(call),
      })
      return { call, opening, url }
    } catch (error) {
      this.hasFailed ||= !signal.aborted
      if (this.hasFailed && error instanceof MicrophoneError) this.#tellError('microphone-error', error)
      throw error
    }
  }

  async #createRoom(opening: RoomOpening, url: string, video: CallVideo): Promise<Joinable> {
    const { own, signal } = this.#options
    const stage = 'daily-call-object-creation'
    const earlier = this.#options.earlier()
    if (earlier) {
      this.#begin(stage, { action: 'cleanup-existing' })
      await untilAborted(signal, earlier)
    }
    const roomOptions = {
      audioSource: true,
      videoSource: video.isVideoRecordingEnabled,
      ...this.#options.roomOptions,
    }
    const complete = this.#begin(stage, {
      audioSource: sourceName(roomOptions.audioSource),
      videoSource: sourceName(roomOptions.videoSource),
      ...video,
    })
    return this.#orFail(`${stage}-error`, async () => {
      const owned = await untilAborted(signal, own(opening.create(url, roomOptions), video, url))
      complete()
      return { ...owned, video }
    })
  }

  async #waitForPermissions(): Promise<void> {
    const {
      clock,
      context: { isMobile },
      signal,
    } = this.#options
    const complete = this.#begin('mobile-permissions', { isMobile })
    if (!isMobile) return this.#skip('mobile-permissions', 'skipped-not-mobile')
    await within(clock, MOBILE_WAIT_MS, untilAborted(signal, new Promise<never>(() => {})))
    complete({ action: 'permissions-wait' })
  }

  async #join({ room, conversation }: Joinable, url: string): Promise<void> {
    const complete = this.#begin('daily-call-join')
    await this.#orFail('daily-call-join-error', async () => {
      const join = room.join({ url, subscribeToTracksAutomatically: false })
      await untilAborted(this.#options.signal, Promise.race([join, conversation.failed]))
    })
    conversation.joined(complete)
  }

  async #recordVideo({ room, conversation, video }: Joinable): Promise<void> {
    const stage = 'video-recording-setup'
    if (!video.isVideoRecordingEnabled) return this.#skip(stage, 'skipped-not-enabled')
    // It runs on in the room; to ask for it again would have the assistant say its first message again.
    if (this.#options.isRejoin) return this.#skip(stage, 'skipped-rejoin')
    await this.#setUp(stage, async () => {
      conversation.awaitRecording()
      room.startRecording(RECORDING)
    })
  }

  /** A stage whose failure is told, and the call goes on. */
  async #setUp(
    stage: 'video-recording-setup' | 'audio-observer-setup' | 'audio-processing-setup',
    work: () => Promise<unknown>,
  ): Promise<void> {
    const { progress, signal } = this.#options
    const complete = this.#begin(stage)
    try {
      await untilAborted(signal, attempt(work))
      complete()
    } catch (error) {
      if (signal.aborted) throw error
      progress.fail(error)
      this.#tellError(`${stage}-error`, error)
    }
  }

  /** A stage whose failure ends the start. */
  async #orFail<T>(type: CallErrorType, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (this.#options.signal.aborted) throw error
      this.hasFailed = true
      this.#options.progress.fail(error)
      this.#tellError(type, error)
      throw error
    }
  }

  /** Begins a stage, unless the start was stopped: by then, or by a listener that hears of the stage. */
  #begin(stage: StartStage, metadata?: StartProgressEvent['metadata']): ReturnType<StartProgress['begin']> {
    const { progress, signal } = this.#options
    signal.throwIfAborted()
    const complete = progress.begin(stage, metadata)
    signal.throwIfAborted()
    return complete
  }

  #skip(stage: StartStage, action: string): undefined {
    const { progress, signal } = this.#options
    signal.throwIfAborted()
    progress.skip(stage, action)
  }

  #tellError(type: CallErrorType, error: unknown): void {
    const { clock, events, progress } = this.#options
    events.emit('error', callErrorEvent(type, progress.stage, error, clock))
  }
}

/** A track is no plain data; an event says only that there is one. */
const sourceName = (source: string | boolean | MediaStreamTrack): string | boolean =>
  typeof source === 'object' ? 'track' : source
