import type { Call, PlatformCore } from '@heyline/platform-client'
import { Stopped, untilAborted } from './abort.js'
import type { Clock } from './clock.js'
import type { Conversation } from './conversation.js'
import type { Emitter } from './emitter.js'
import { errorDetails, errorText } from './error-details.js'
import type { CallRoom, RoomOptions } from './rooms/call-room.js'
import type { RoomOpening } from './rooms/room-opening.js'
import { MicrophoneError } from './rooms/socket/microphone.js'
import { type CallVideo, callVideo, type StartInput, voiceProvider, webCallBody } from './start-input.js'
import type { StartProgress } from './start-progress.js'
import { WebCallError } from './web-call-error.js'
import type { CallErrorType, StartProgressEvent, StartStage, WebCallEvents } from './web-call-events.js'

/** `calls.createWeb`, without the table of all operations: the page pays for each byte. */
const CREATE_WEB_CALL = { method: 'POST', path: '/call/web' } as const
/** The wait on a mobile device between making the room and joining it, for its permissions (spec 9). */
const MOBILE_WAIT_MS = 1000
/** How often levels are reported (spec 9). */
const LEVEL_INTERVAL_MS = 100
/** How a call is recorded (spec 4, 9). */
const RECORDING = {
  width: 1280,
  height: 720,
  backgroundColor: '#FF1F2D3D',
  layout: { preset: 'default' },
} as const

export interface StartFlowOptions {
  input: StartInput
  platform: PlatformCore
  roomOptions: RoomOptions
  isMobile: boolean
  clock: Clock
  events: Emitter<WebCallEvents>
  progress: StartProgress
  /** Aborted when the start is stopped; every wait of the flow ends then. */
  signal: AbortSignal
  /** Resolves when the room of an earlier call is gone; undefined when there is none. */
  earlier: Promise<void> | undefined
  /** Asks for devices, and owns them. Called in the click, beside the request for the call. */
  openRoom(): RoomOpening
  /** Makes the room this start's own: whatever happens from now on, its owner releases it. */
  own(room: CallRoom, video: CallVideo): Conversation
}

interface Joinable {
  room: CallRoom
  conversation: Conversation
  video: CallVideo
}

/** The stages of a start, in order (spec 4). Rejects with the error of the stage that failed, after telling of it. */
export class StartFlow {
  /** A stage has failed, or the platform refused: the start is over, whoever stops it meanwhile. */
  hasFailed = false
  readonly #options: StartFlowOptions

  constructor(options: StartFlowOptions) {
    this.#options = options
  }

  /** Resolves with the call once its room is joined and set up. */
  async run(): Promise<Call> {
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

  async #createCall(): Promise<{ call: Call; opening: RoomOpening; url: string }> {
    const { input, openRoom, platform, signal } = this.#options
    const complete = this.#begin('web-call-creation')
    try {
      const creation = platform.request<Call>(CREATE_WEB_CALL, { body: webCallBody(input) }, { signal })
      creation.catch(() => {})
      // The request goes first: making an audio context takes its time the first time.
      const opening = openRoom()
      const call = await untilAborted(signal, Promise.race([creation, opening.refused]))
      if (!call.webCallUrl) throw new WebCallError('no-room-address')
      complete({
        callId: call.id ?? 'unknown',
        videoRecordingEnabled: callVideo(call).isVideoRecordingEnabled,
        voiceProvider: voiceProvider(call),
      })
      return { call, opening, url: call.webCallUrl }
    } catch (error) {
      if (!signal.aborted) this.hasFailed = true
      if (this.hasFailed && error instanceof MicrophoneError) this.#tellError('microphone-error', error)
      throw error
    }
  }

  async #createRoom(opening: RoomOpening, url: string, video: CallVideo): Promise<Joinable> {
    const { earlier, signal } = this.#options
    const stage = 'daily-call-object-creation'
    if (earlier) {
      this.#begin(stage, { action: 'cleanup-existing' })
      await untilAborted(signal, earlier)
    }
    const roomOptions: RoomOptions = {
      audioSource: true,
      videoSource: video.isVideoRecordingEnabled,
      ...this.#options.roomOptions,
    }
    const complete = this.#begin(stage, {
      audioSource: sourceName(roomOptions.audioSource ?? true),
      videoSource: sourceName(roomOptions.videoSource ?? false),
      ...video,
    })
    return this.#orFail(`${stage}-error`, async () => {
      const creation = opening.create(url, roomOptions)
      // A room that is made too late belongs to nobody else.
      const discard = (room: CallRoom) => (signal.aborted ? room.destroy() : undefined)
      creation.then(discard).catch(() => {})
      const room = await untilAborted(signal, creation)
      const conversation = this.#options.own(room, video)
      complete()
      return { room, conversation, video }
    })
  }

  async #waitForPermissions(): Promise<void> {
    const { clock, isMobile, progress, signal } = this.#options
    const complete = this.#begin('mobile-permissions', { isMobile })
    if (!isMobile) {
      progress.skip('mobile-permissions', 'skipped-not-mobile')
      return
    }
    let cancel = () => {}
    const wait = new Promise<void>((resolve) => {
      cancel = clock.after(MOBILE_WAIT_MS, resolve)
    })
    await untilAborted(signal, wait).finally(cancel)
    complete({ action: 'permissions-wait' })
  }

  async #join({ room, conversation }: Joinable, url: string): Promise<void> {
    const complete = this.#begin('daily-call-join')
    await this.#orFail('daily-call-join-error', async () => {
      const join = room.join({ url, subscribeToTracksAutomatically: false })
      await untilAborted(this.#options.signal, Promise.race([join, conversation.failed]))
    })
    if (this.#options.signal.aborted) throw new Stopped()
    complete()
    conversation.joined()
  }

  async #recordVideo({ room, conversation, video }: Joinable): Promise<void> {
    if (!video.isVideoRecordingEnabled) {
      this.#options.progress.skip('video-recording-setup', 'skipped-not-enabled')
      return
    }
    await this.#setUp('video-recording-setup', async () => {
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
      progress.fail(stage, error)
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
      this.#options.progress.fail(this.#options.progress.stage, error)
      this.#tellError(error instanceof MicrophoneError ? 'microphone-error' : type, error)
      throw error
    }
  }

  /** Begins a stage, unless the start was stopped: by then, or by a listener that hears of the stage. */
  #begin(stage: StartStage, metadata?: StartProgressEvent['metadata']): ReturnType<StartProgress['begin']> {
    const { progress, signal } = this.#options
    if (signal.aborted) throw new Stopped()
    const complete = progress.begin(stage, metadata)
    if (signal.aborted) throw new Stopped()
    return complete
  }

  #tellError(type: CallErrorType, error: unknown): void {
    const { events, progress } = this.#options
    events.emit('error', {
      type,
      stage: progress.stage,
      message: errorText(error),
      error: errorDetails(error),
      ...(error instanceof MicrophoneError ? { reason: error.reason } : {}),
      timestamp: progress.timestamp,
    })
  }
}

/** So that what is thrown at once is a rejection too. */
const attempt = async (work: () => Promise<unknown>): Promise<unknown> => work()

/** A track is no plain data; an event says only that there is one. */
const sourceName = (source: string | boolean | MediaStreamTrack): string | boolean =>
  typeof source === 'object' ? 'track' : source
