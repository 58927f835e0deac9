import type { WallClock } from '@heyline/kit/wall-clock'
import { MicrophoneError } from './browser/microphone.js'
import type { ClientMessage } from './client-message.js'
import { Connection } from './connection.js'
import { errorText } from './error-details.js'
import type { Emitter } from './events/emitter.js'
import { attempt } from './events/waiting.js'
import { RemoteAudio, tellOutputFailure } from './remote-audio.js'
import { type CallRoom, listenToRoom } from './rooms/call-room.js'
import type { RoomEvents, RoomParticipant } from './rooms/room-events.js'
import {
  endedMessage,
  type IncomingMessage,
  isEnded,
  isListening,
  readServerMessage,
} from './server-message.js'
import { SpeechMeter } from './speech-meter.js'
import type { CallVideo } from './start-input.js'
import { Transcript } from './transcript.js'
import { WebCallError } from './web-call-error.js'
import { type CallErrorType, callErrorEvent, timestampOf, type WebCallEvents } from './web-call-events.js'

/** The end that the platform has not told of (spec 4). */
const LEFT = 'customer-ended-call'
/** A timer takes no more; a longer wait is none. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

export interface ConversationOptions {
  room: CallRoom
  events: Emitter<WebCallEvents>
  clock: WallClock
  /** Whether the participants' video is received as well, and a recording stopped in the end. */
  video: CallVideo
  /** Joined before: the assistant listens already, and does not say so again. */
  isRejoin: boolean
  /** How long the assistant has to listen once the room is joined, in milliseconds; 0 or false for ever. */
  listeningTimeoutMs: number | false
  /** Whether the person has muted the microphone. */
  isMuted(): boolean
  /** The loudspeaker that was chosen. */
  outputDevice(): string | undefined
  /** The call is over: told once, before `call-end`, and only of a room that had been joined. */
  onOver(): void
}

/**
 * Follows one room from before its join to its end and tells what happens in it. It hears its own room only, so that
 * what an earlier room still says cannot touch a later call. What the assistant says before the join is done is kept
 * until then, since a call that has not joined has not begun.
 */
export class Conversation {
  readonly audio: RemoteAudio
  /** Rejects when the room fails or is left before it was joined. */
  readonly failed: Promise<never>
  readonly #options: ConversationOptions
  readonly #speech: SpeechMeter
  readonly #transcript = new Transcript()
  readonly #stopListening: () => void
  readonly #subscribed = new Set<string>()
  #state: 'joining' | 'joined' | 'over' = 'joining'
  #held: unknown[] = []
  #owesPlayable = false
  #recordingAskedAt: number | undefined
  #hasStarted = false
  #endedSeen = false
  #cancelTimeout = () => {}
  #fail: (error: Error) => void = () => {}

  constructor(options: ConversationOptions) {
    const { clock, events } = options
    this.#options = options
    this.#speech = new SpeechMeter(events, clock)
    const connection = new Connection(events, clock)
    const tell = (name: 'audio-blocked' | 'microphone-changed') => () =>
      events.emit(name, { timestamp: timestampOf(clock) })
    const blocked = tell('audio-blocked')
    this.audio = new RemoteAudio({
      onPlayable: () => this.#sendPlayable(),
      onBlocked: blocked,
      outputDevice: options.outputDevice,
    })
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.failed.catch(() => {})
    this.#stopListening = listenToRoom(options.room, {
      'left-meeting': (event) => this.#left(event),
      error: (event) => this.#failedBy(event),
      'camera-error': (event) => this.#lostDevice(event),
      'nonfatal-error': ({ type }) => void this.#recover(type),
      'app-message': ({ data }) => this.#hear(data),
      'participant-joined': ({ participant }) => this.#subscribe(participant),
      'participant-left': ({ participant }) => this.audio.remove(participant.session_id),
      'recording-started': () => this.#beginRecorded(),
      'track-started': (event) => void this.audio.add(event),
      'audio-blocked': blocked,
      'microphone-changed': tell('microphone-changed'),
      'microphone-lost': ({ error }) => this.#endBy('microphone-error', error),
      'network-connection': (event) => this.isJoined && connection.changed(event),
      'network-quality-change': (event) => this.isJoined && connection.measured(event),
      'remote-participants-audio-level': (event) => this.#speech.measure(event.participantsAudioLevel),
    })
  }

  /** The join is done, which is told: the call has begun, and from now on its end gives `call-end`. */
  joined(tell: () => void): void {
    if (this.#state !== 'joining') return
    this.#state = 'joined'
    tell()
    if (!this.isJoined) return
    const { clock, isMuted, isRejoin, listeningTimeoutMs, outputDevice, room } = this.#options
    for (const participant of Object.values(room.participants())) this.#subscribe(participant)
    // Rooms may forget what they were told of the microphone before they were joined.
    if (isMuted() && room.localAudio()) room.setLocalAudio(false)
    const device = outputDevice()
    if (device) attempt(async () => room.setOutputDevice?.(device)).catch(tellOutputFailure)
    if (this.#owesPlayable) this.#sendPlayable()
    if (listeningTimeoutMs && listeningTimeoutMs <= LONGEST_WAIT_MS)
      this.#cancelTimeout = clock.after(listeningTimeoutMs, () =>
        this.#endBy('listening-timeout', new Error('The assistant did not answer in time. Start again.')),
      )
    if (isRejoin) this.#start()
    for (const data of this.#held.splice(0)) this.#hear(data)
  }

  get isJoined(): boolean {
    return this.#state === 'joined'
  }

  /** Sends a message to the assistant. Throws when it is too long for the room. */
  send(message: ClientMessage): void {
    if (!this.isJoined) throw new WebCallError('no-call')
    this.#options.room.sendAppMessage(JSON.stringify(message))
  }

  /** A recording was asked for; when it runs, the assistant is told to begin (spec 7: control). */
  awaitRecording(): void {
    this.#recordingAskedAt = this.#options.clock.now()
  }

  /**
   * Ends a call that was joined: tells `speech-end` where somebody speaks, what was said to its end, `call-end`, and the
   * ended message where none was seen; then stops its recording (spec 4).
   */
  end(endedReason = LEFT): void {
    if (!this.isJoined) return
    const { events, onOver, room, video } = this.#options
    this.close()
    for (const line of this.#transcript.close()) events.emit('transcript', line)
    onOver()
    events.emit('call-end')
    if (!this.#endedSeen) events.emit('message', endedMessage(endedReason))
    try {
      if (video.isVideoRecordingEnabled) room.stopRecording()
    } catch (error) {
      console.warn('The recording of a call could not be stopped:', errorText(error))
    }
  }

  /** Takes off listeners, timers and audio elements. Idempotent; tells nothing but the end of a speech. */
  close(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#cancelTimeout()
    this.#speech.close()
    this.audio.close()
    this.#stopListening()
  }

  #left({ endedReason }: RoomEvents['left-meeting']): void {
    if (this.#state === 'joining') this.#fail(new Error('The room was left before it was joined.'))
    else this.end(endedReason)
  }

  #failedBy({ errorMsg, error }: RoomEvents['error']): void {
    const code = error?.type ?? 'connection-error'
    // A `RoomError` without its texts, which come with the room.
    const fault = Object.assign(new Error(errorMsg || error?.msg), { name: 'RoomError', code })
    // A room that is closed under its participants puts them out or drops them: so some calls end, and it is no error.
    const isEnd = this.#endedSeen
      ? /^(ejected|connection-error)$/.test(code)
      : code === 'ejected' && /meeting has ended/i.test(fault.message)
    if (isEnd && this.isJoined) this.end()
    else this.#endBy(code, fault)
  }

  /** What ends a call, or its join. */
  #endBy(type: CallErrorType, error: Error): void {
    if (this.#state === 'joining') this.#fail(error)
    else {
      this.#tellError(type, error)
      this.end()
    }
  }

  #lostDevice(cause: RoomEvents['camera-error']): void {
    const { type, blockedMedia, missingMedia, failedMedia } = cause.error
    const media = blockedMedia ?? missingMedia ?? failedMedia
    // The camera alone: the person is heard.
    if (type === 'cam-in-use' || cause.errorMsg?.audioOk || (media && !media.includes('audio'))) return
    const error =
      type === 'unknown'
        ? new Error('The microphone could not be opened. Start again.', { cause })
        : MicrophoneError.of(type, cause)
    if (this.#state === 'joining') this.#fail(error)
    else this.#tellError('microphone-error', error)
  }

  /** Spec 4: without its noise processor the microphone goes on, unless the person has muted it. */
  async #recover(type: string): Promise<void> {
    if (type !== 'audio-processor-error') return
    const { room, isMuted } = this.#options
    try {
      await room.updateInputSettings({ audio: { processor: { type: 'none' } } })
      if (this.isJoined && !isMuted()) room.setLocalAudio(true)
    } catch (error) {
      if (this.isJoined) this.#tellError('audio-processing-setup-error', error)
    }
  }

  #hear(data: unknown): void {
    if (this.#state === 'over') return
    if (this.#state === 'joining') {
      this.#held.push(data)
      return
    }
    if (isListening(data)) {
      this.#start()
      return
    }
    const message = readServerMessage(data)
    if (message) this.#tellMessage(message)
    else console.warn('Message ignored: no JSON object with a type.')
  }

  #tellMessage(message: IncomingMessage): void {
    const { events } = this.#options
    const lines = this.#transcript.hear(message)
    this.#endedSeen ||= isEnded(message)
    events.emit('message', message)
    for (const line of lines) if (this.isJoined) events.emit('transcript', line)
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#cancelTimeout()
    this.#options.events.emit('call-start')
  }

  #beginRecorded(): void {
    if (this.#recordingAskedAt === undefined) return
    const { clock, events } = this.#options
    const delaySeconds = (clock.now() - this.#recordingAskedAt) / 1000
    this.#recordingAskedAt = undefined
    events.emit('call-start-progress', {
      stage: 'video-recording-started',
      status: 'completed',
      timestamp: timestampOf(clock),
      metadata: { delaySeconds },
    })
    // A listener may have stopped the call.
    if (!this.isJoined) return
    this.send({
      type: 'control',
      control: 'say-first-message',
      videoRecordingStartDelaySeconds: delaySeconds,
    })
  }

  #sendPlayable(): void {
    this.#owesPlayable = this.#state === 'joining'
    if (this.isJoined) this.#options.room.sendAppMessage('playable')
  }

  #subscribe({ session_id: id, local }: RoomParticipant): void {
    if (local || this.#subscribed.has(id)) return
    this.#subscribed.add(id)
    const { room, video } = this.#options
    const { isVideoEnabled, isVideoRecordingEnabled } = video
    room.updateParticipant(id, {
      setSubscribedTracks: { audio: true, video: isVideoEnabled || isVideoRecordingEnabled },
    })
  }

  #tellError(type: CallErrorType, error: unknown): void {
    const { clock, events } = this.#options
    events.emit('error', callErrorEvent(type, 'call', error, clock))
  }
}
