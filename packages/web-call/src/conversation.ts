import type { ClientMessage } from './client-message.js'
import type { Clock } from './clock.js'
import type { Emitter } from './emitter.js'
import { errorDetails, errorText } from './error-details.js'
import { RemoteAudio } from './remote-audio.js'
import type { CallRoom, RoomParticipant } from './rooms/call-room.js'
import { RoomError } from './rooms/room-error.js'
import type { RoomEvents } from './rooms/room-events.js'
import { listenToRoom } from './rooms/room-listeners.js'
import { MicrophoneError } from './rooms/socket/microphone.js'
import { endedMessage, isEnded, readServerMessage } from './server-message.js'
import { SpeechMeter } from './speech-meter.js'
import { WebCallError } from './web-call-error.js'
import type { CallErrorEvent, WebCallEvents } from './web-call-events.js'

/** The end that the platform has not told of (spec 4). */
const LEFT = 'customer-ended-call'

export interface ConversationOptions {
  room: CallRoom
  events: Emitter<WebCallEvents>
  clock: Clock
  /** Whether to receive the participants' video as well. */
  video: boolean
  /** Whether the person has muted the microphone. */
  isMuted(): boolean
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
  readonly #stopListening: () => void
  readonly #subscribed = new Set<string>()
  #state: 'joining' | 'joined' | 'over' = 'joining'
  #held: unknown[] = []
  #owesPlayable = false
  #recordingAskedAt: number | undefined
  #hasStarted = false
  #endedSeen = false
  #fail: (error: Error) => void = () => {}

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#speech = new SpeechMeter(options.events, options.clock)
    this.audio = new RemoteAudio({
      playable: () => this.#sendPlayable(),
      blocked: () => options.events.emit('audio-blocked', { timestamp: this.#timestamp() }),
    })
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.failed.catch(() => {})
    this.#stopListening = listenToRoom(options.room, {
      'left-meeting': (event) => this.#left(event),
      error: (event) => this.#failedBy(event),
      'camera-error': ({ error }) => this.#lostDevice(error.type, error),
      'nonfatal-error': ({ type }) => void this.#recover(type),
      'app-message': ({ data }) => this.#hear(data),
      'participant-joined': ({ participant }) => this.#subscribe(participant),
      'participant-left': ({ participant }) => this.audio.remove(participant.session_id),
      'recording-started': () => this.#beginRecorded(),
      'track-started': (event) => void this.audio.add(event),
      'remote-participants-audio-level': (event) => this.#speech.measure(event.participantsAudioLevel),
    })
  }

  /** The join is done: the call has begun, and from now on its end gives `call-end`. */
  joined(): void {
    if (this.#state !== 'joining') return
    this.#state = 'joined'
    for (const participant of Object.values(this.#options.room.participants())) this.#subscribe(participant)
    if (this.#owesPlayable) this.#sendPlayable()
    for (const data of this.#held.splice(0)) this.#hear(data)
  }

  /** Sends a message to the assistant. Throws when it is too long for the room. */
  send(message: ClientMessage): void {
    if (this.#state !== 'joined') throw new WebCallError('no-call')
    this.#options.room.sendAppMessage(JSON.stringify(message))
  }

  /** A recording was asked for; when it runs, the assistant is told to begin (spec 7: control). */
  awaitRecording(): void {
    this.#recordingAskedAt = this.#options.clock.now()
  }

  /** Ends the call: `speech-end` where somebody speaks, `call-end`, and the ended message where none was seen. */
  end(endedReason = LEFT): void {
    if (this.#state !== 'joined') return
    const { events, onOver } = this.#options
    this.close()
    onOver()
    events.emit('call-end')
    if (!this.#endedSeen) events.emit('message', endedMessage(endedReason))
  }

  /** Takes off listeners, timers and audio elements. Idempotent; tells nothing but the end of a speech. */
  close(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#speech.stop()
    this.audio.close()
    this.#stopListening()
  }

  #left({ endedReason }: RoomEvents['left-meeting']): void {
    if (this.#state === 'joining') this.#fail(new Error('The room was left before it was joined.'))
    else this.end(endedReason)
  }

  #failedBy({ errorMsg, error }: RoomEvents['error']): void {
    const kind = error?.type ?? 'connection-error'
    const fault = new RoomError(kind, errorMsg || error?.msg)
    if (this.#state === 'joining') {
      this.#fail(fault)
      return
    }
    // A room that is closed under its participants puts them out: that is how some calls end, and no error.
    const isEnd = kind === 'ejected' && (this.#endedSeen || /meeting has ended/i.test(fault.message))
    if (!isEnd) this.#emitError({ type: kind, ...faultOf(fault) })
    this.end()
  }

  #lostDevice(type: string, cause: unknown): void {
    if (type === 'cam-in-use') return
    const error = MicrophoneError.of(type, cause)
    if (this.#state === 'joining') this.#fail(error)
    else this.#emitError({ type: 'microphone-error', reason: error.reason, ...faultOf(error) })
  }

  /** Spec 4: without its noise processor the microphone goes on, unless the person has muted it. */
  async #recover(type: string): Promise<void> {
    if (type !== 'audio-processor-error') return
    const { room, isMuted } = this.#options
    try {
      await room.updateInputSettings({ audio: { processor: { type: 'none' } } })
      if (this.#state === 'joined' && !isMuted()) room.setLocalAudio(true)
    } catch (error) {
      this.#emitError({ type: 'audio-processing-setup-error', ...faultOf(error) })
    }
  }

  #hear(data: unknown): void {
    if (this.#state === 'over') return
    if (this.#state === 'joining') {
      this.#held.push(data)
      return
    }
    const text = readServerMessage(data)
    if (text.kind === 'listening') this.#start()
    else if (text.kind === 'unreadable') console.warn(`A message in the call was ignored: ${text.reason}.`)
    else {
      this.#endedSeen ||= isEnded(text.message)
      this.#options.events.emit('message', text.message)
    }
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#options.events.emit('call-start')
  }

  #beginRecorded(): void {
    if (this.#recordingAskedAt === undefined) return
    const delaySeconds = (this.#options.clock.now() - this.#recordingAskedAt) / 1000
    this.#recordingAskedAt = undefined
    this.#options.events.emit('call-start-progress', {
      stage: 'video-recording-started',
      status: 'completed',
      timestamp: this.#timestamp(),
      metadata: { delaySeconds },
    })
    this.send({
      type: 'control',
      control: 'say-first-message',
      videoRecordingStartDelaySeconds: delaySeconds,
    })
  }

  #sendPlayable(): void {
    this.#owesPlayable = this.#state === 'joining'
    if (this.#state === 'joined') this.#options.room.sendAppMessage('playable')
  }

  #subscribe({ session_id: id, local }: RoomParticipant): void {
    if (local || this.#subscribed.has(id)) return
    this.#subscribed.add(id)
    this.#options.room.updateParticipant(id, {
      setSubscribedTracks: { audio: true, video: this.#options.video },
    })
  }

  #emitError(error: Pick<CallErrorEvent, 'type' | 'message' | 'error' | 'reason'>): void {
    this.#options.events.emit('error', { ...error, stage: 'call', timestamp: this.#timestamp() })
  }

  #timestamp(): string {
    return new Date(this.#options.clock.now()).toISOString()
  }
}

const faultOf = (error: unknown) => ({ message: errorText(error), error: errorDetails(error) })
