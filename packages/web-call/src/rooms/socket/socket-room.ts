import { type WallClock, wallClock } from '@heyline/kit/wall-clock'
import { MAX_TEXT_CHARACTERS, type RoomServerMessage, type WordsWish } from '@heyline/room-protocol'
import { Emitter } from '../../events/emitter.js'
import {
  ASSISTANT_NAME,
  type CallRoom,
  type InputSettings,
  type JoinOptions,
  type RoomOptions,
  type RoomState,
} from '../call-room.js'
import { checkInputSettings, checkRoomOptions } from '../options.js'
import { RoomError } from '../room-error.js'
import type { RoomEventArguments, RoomEventName, RoomListener, RoomParticipant } from '../room-events.js'
import type { AccessState, RoomPermissions } from '../room-permissions.js'
import type { AudioDevice } from './audio-device.js'
import { BrowserAudio } from './browser-audio.js'
import { RoomConnection } from './room-connection.js'
import { type TransportName, transportOf } from './transport.js'
import type { WordRecogniser } from './word-recogniser.js'

const ASSISTANT: RoomParticipant = { session_id: 'assistant', user_name: ASSISTANT_NAME, local: false }
const LEVEL_INTERVAL_MS = 100
/** What the person on the call may do: speak and listen. */
const SPEAKER: RoomPermissions = {
  hasPresence: true,
  canSend: new Set(['audio']),
  canReceive: { base: true },
  canAdmin: false,
}

/** Daily's factory options, of which a socket room uses `audioSource` and `startAudioOff`, and three of its own. */
export type SocketRoomOptions = RoomOptions & {
  /** Microphone and loudspeaker; the browser's own where none is given. The room closes it. */
  device?: AudioDevice
  /** What is spoken there; by default `room.v1` under `/-/rooms/`, and the platform's plain transport anywhere else. */
  transport?: TransportName
  clock?: WallClock
}

/**
 * A call room on a WebSocket that speaks `room.v1`, or the platform's plain transport (`vapi.websocket`). Serves one call
 * with one assistant: audio both ways, messages, levels. In `room.v1` it comes back when the connection is lost, and stays
 * joined meanwhile (`network-connection` tells); it gives up with a `connection-error`. Video and recording are refused.
 */
export class SocketRoom implements CallRoom {
  readonly #device: AudioDevice
  readonly #clock: WallClock
  #events = new Emitter<RoomEventArguments>()
  #state: RoomState = 'new'
  readonly #transport: TransportName | undefined
  #connection: RoomConnection | undefined
  #local: RoomParticipant = { session_id: 'local', user_name: '', local: true }
  #microphoneOn: boolean
  #recogniser: WordRecogniser | undefined
  #words: WordsWish | undefined
  #playable = false
  #settleJoin: ((error?: Error) => void) | undefined

  /** Throws a `RoomOptionError` for options that no room takes. */
  constructor({ device, clock = wallClock, transport, ...options }: SocketRoomOptions = {}) {
    checkRoomOptions(options)
    this.#device = device ?? new BrowserAudio(options)
    this.#clock = clock
    this.#transport = transport
    this.#microphoneOn = !options.startAudioOff
  }

  /** Waits for the microphone first, so that the assistant does not speak into a permission prompt. */
  async join(options: JoinOptions): Promise<void> {
    checkRoomOptions(options)
    if (this.#state !== 'new') throw new Error(`This room is ${this.#state}. Make another one to join again.`)
    this.#state = 'joining-meeting'
    const joined = new Promise<void>((resolve, reject) => {
      this.#settleJoin = (error) => (error ? reject(error) : resolve())
    })
    this.#enter(options.url).catch((error: Error) => this.#end({ error }))
    return joined
  }

  async leave(): Promise<void> {
    this.#connection?.leave()
    this.#end({})
  }

  async destroy(): Promise<void> {
    await this.leave()
    this.#events = new Emitter()
  }

  meetingState(): RoomState {
    return this.#state
  }

  accessState(): AccessState {
    return { access: this.#state === 'joined-meeting' ? { level: 'full' } : 'unknown' }
  }

  participants(): Record<string, RoomParticipant> {
    if (this.#state !== 'joined-meeting') return { local: this.#local }
    return { local: this.#local, [ASSISTANT.session_id]: ASSISTANT }
  }

  /** There is one track, the assistant's voice, and it is always received. */
  updateParticipant(): void {}

  localAudio(): boolean {
    return this.#microphoneOn
  }

  setLocalAudio(enabled: boolean): void {
    this.#microphoneOn = enabled
    this.#device.setMicrophone(enabled)
    this.#recogniser?.setMicrophone(enabled)
  }

  /** While the connection is interrupted twenty messages wait for its return; a further one is an error. */
  sendAppMessage(data: string): void {
    if (this.#state !== 'joined-meeting') throw new Error('A message can be sent once the room is joined.')
    if (data.length > MAX_TEXT_CHARACTERS)
      throw new RangeError(
        `A message may have ${MAX_TEXT_CHARACTERS} characters; this one has ${data.length}.`,
      )
    if (data === 'playable') this.#sendPlayable()
    else this.#connection?.sendText(data)
  }

  /** The noise cancellation of a socket room is that of the browser's own capture. */
  async updateInputSettings(settings: InputSettings): Promise<void> {
    checkInputSettings(settings)
    await this.#device.setNoiseSuppression(settings.audio.processor.type === 'noise-cancellation')
  }

  async setOutputDevice(deviceId: string): Promise<void> {
    if (!this.#device.setOutputDevice)
      throw new Error('The audio device of this room has no choice of loudspeakers.')
    await this.#device.setOutputDevice(deviceId)
  }

  async resumeAudio(): Promise<void> {
    await this.#device.resume?.()
  }

  meetingAddress(): string | undefined {
    return this.#connection?.returnUrl
  }

  async startRemoteParticipantsAudioLevelObserver(interval = LEVEL_INTERVAL_MS): Promise<void> {
    this.#device.observeLevel(interval)
  }

  startRecording(): never {
    throw new Error(
      'A socket room carries no video, so it cannot record any. Use a Daily room for recordings.',
    )
  }

  stopRecording(): void {}

  on<Name extends RoomEventName>(name: Name, listener: RoomListener<Name>): this {
    this.#events.on(name, listener)
    return this
  }

  off<Name extends RoomEventName>(name: Name, listener: RoomListener<Name>): this {
    this.#events.off(name, listener)
    return this
  }

  async #enter(url: string): Promise<void> {
    await this.#device.open({
      onCaptured: (samples) => this.#connection?.sendAudio(samples),
      onAudible: () => this.#sendPlayable(),
      onReached: (id) => this.#connection?.send({ type: 'room.played', id }),
      onCleared: (id, playedMs) => this.#connection?.send({ type: 'room.cleared', id, playedMs }),
      onLevel: (level) => this.#reportLevel(level),
      onBlocked: () => this.#events.emit('audio-blocked', { action: 'audio-blocked' }),
      onMicrophoneChanged: () => this.#changeMicrophone(),
      onMicrophoneLost: (error) => this.#events.emit('microphone-lost', { action: 'microphone-lost', error }),
    })
    if (this.#state !== 'joining-meeting') return
    this.#device.setMicrophone(this.#microphoneOn)
    this.#connection = new RoomConnection(url, this.#transport ?? transportOf(url), this.#clock, {
      onJoined: (participantId, words) => this.#joined(participantId, words),
      onRoomMessage: (message) => this.#obey(message),
      onAppMessage: (text) => this.#deliver(text),
      onAudio: (samples) => this.#device.play(samples),
      onChanged: (event) =>
        this.#events.emit('network-connection', { action: 'network-connection', type: 'signaling', event }),
      onEnded: (end) => this.#end(end),
    })
  }

  #obey(message: RoomServerMessage): void {
    if (message.type === 'room.listening') this.#deliver('listening')
    else if (message.type === 'room.mark') this.#device.mark(message.id)
    else if (message.type === 'room.clear') this.#device.clear(message.id)
  }

  #joined(participantId: string, words: WordsWish | undefined): void {
    if (this.#state !== 'joining-meeting') return
    this.#local = { ...this.#local, session_id: participantId, permissions: SPEAKER }
    this.#state = 'joined-meeting'
    this.#events.emit('joined-meeting', { action: 'joined-meeting', participants: this.participants() })
    this.#events.emit('participant-joined', { action: 'participant-joined', participant: ASSISTANT })
    this.#settleJoin?.()
    this.#words = words
    this.#recognise()
  }

  #changeMicrophone(): void {
    this.#recognise()
    this.#events.emit('microphone-changed', { action: 'microphone-changed' })
  }

  #recognise(): void {
    if (this.#words) this.#recogniseWords(this.#words).catch(console.warn)
  }

  /** By code that is loaded for it: without, the call goes on, and the assistant hears that somebody speaks, but not what. */
  async #recogniseWords(wish: WordsWish): Promise<void> {
    const { WordRecogniser } = await import('./word-recogniser.js')
    const { track } = this.#device
    if (this.#state !== 'joined-meeting' || !track) return
    this.#recogniser?.close()
    this.#recogniser = new WordRecogniser(track, wish, this.#clock, (text, isFinal) =>
      this.#connection?.send({ type: 'room.words', text, isFinal }),
    )
    this.#recogniser.setMicrophone(this.#microphoneOn)
  }

  #deliver(data: string): void {
    this.#events.emit('app-message', { action: 'app-message', data, fromId: ASSISTANT.session_id })
  }

  #sendPlayable(): void {
    if (this.#playable) return
    this.#playable = true
    this.#connection?.send({ type: 'room.playable' })
  }

  #reportLevel(level: number): void {
    this.#events.emit('remote-participants-audio-level', {
      action: 'remote-participants-audio-level',
      participantsAudioLevel: { [ASSISTANT.session_id]: level },
    })
  }

  /** The one end: whoever left, whatever failed. Only the first counts. */
  #end({ error: failure, endedReason }: { error?: Error | undefined; endedReason?: string }): void {
    if (this.#state === 'left-meeting' || this.#state === 'error') return
    const wasJoined = this.#state === 'joined-meeting'
    const error = failure ?? (wasJoined ? undefined : tooLate(endedReason))
    this.#state = error ? 'error' : 'left-meeting'
    this.#recogniser?.close()
    this.#device.close()
    this.#settleJoin?.(error ?? new Error('The room was left before it was joined.'))
    if (error instanceof RoomError) {
      const { code: type, message: msg } = error
      this.#events.emit('error', { action: 'error', errorMsg: msg, error: { type, msg } })
    }
    if (wasJoined) {
      const reason = endedReason === undefined ? {} : { endedReason }
      this.#events.emit('left-meeting', { action: 'left-meeting', ...reason })
    }
  }
}

/** Somebody comes back to a call which has ended meanwhile. */
function tooLate(endedReason: string | undefined): RoomError | undefined {
  if (endedReason === undefined) return undefined
  return new RoomError('end-of-life', `This call has ended${endedReason && ` (${endedReason})`}.`)
}

/** Makes a socket room. Call it in the click itself where no `device` is given, since it opens the browser's. */
export const createSocketRoom = (_url: string, options: SocketRoomOptions = {}): CallRoom =>
  new SocketRoom(options)
