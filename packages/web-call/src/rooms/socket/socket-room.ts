import { ASSISTANT_NAME, MAX_TEXT_CHARACTERS, type RoomServerMessage } from '@heyline/room-protocol'
import { type Clock, systemClock } from '../../clock.js'
import { Emitter } from '../../emitter.js'
import type {
  CallRoom,
  InputSettings,
  JoinOptions,
  RoomOptions,
  RoomParticipant,
  RoomState,
} from '../call-room.js'
import { RoomError } from '../room-error.js'
import type { RoomEventArguments, RoomEventName, RoomListener } from '../room-events.js'
import type { AccessState, RoomPermissions } from '../room-permissions.js'
import type { AudioDevice } from './audio-device.js'
import { BrowserAudio } from './browser-audio.js'
import { RoomSocket } from './room-socket.js'

/** How long a join may take once the microphone is there. */
const JOIN_TIMEOUT_MS = 15_000
const ASSISTANT: RoomParticipant = { session_id: 'assistant', user_name: ASSISTANT_NAME, local: false }
const LEVEL_INTERVAL_MS = 100
/** What the person on the call may do: speak and listen. */
const SPEAKER: RoomPermissions = {
  hasPresence: true,
  canSend: new Set(['audio']),
  canReceive: { base: true },
  canAdmin: false,
}

export type SocketRoomOptions = Pick<RoomOptions, 'audioSource' | 'startAudioOff'> & {
  /** Microphone and loudspeaker; the browser's own where none is given. The room closes it. */
  device?: AudioDevice
  clock?: Clock
}

/**
 * A call room on a WebSocket that speaks `room.v1`. Serves one call with one assistant: audio both ways, messages,
 * levels. It does not come back when the connection is lost: that is a `connection-error` and the end. Video and
 * recording are refused.
 */
export class SocketRoom implements CallRoom {
  readonly #device: AudioDevice
  readonly #clock: Clock
  #events = new Emitter<RoomEventArguments>()
  #state: RoomState = 'new'
  #socket: RoomSocket | undefined
  #local: RoomParticipant = { session_id: 'local', user_name: '', local: true }
  #microphoneOn: boolean
  #playable = false
  #settleJoin: ((error?: Error) => void) | undefined
  #cancelTimeout: (() => void) | undefined

  constructor({ device, clock = systemClock, ...options }: SocketRoomOptions = {}) {
    this.#device = device ?? new BrowserAudio(options)
    this.#clock = clock
    this.#microphoneOn = !options.startAudioOff
  }

  /** Waits for the microphone first, so that the assistant does not speak into a permission prompt. */
  async join({ url }: JoinOptions): Promise<void> {
    if (this.#state !== 'new') throw new Error(`This room is ${this.#state}. Make another one to join again.`)
    this.#state = 'joining-meeting'
    const joined = new Promise<void>((resolve, reject) => {
      this.#settleJoin = (error) => (error ? reject(error) : resolve())
    })
    this.#enter(url).catch((error: Error) => this.#end({ error }))
    return joined
  }

  async leave(): Promise<void> {
    this.#socket?.send({ type: 'room.leave' })
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
  }

  sendAppMessage(data: string): void {
    if (this.#state !== 'joined-meeting') throw new Error('A message can be sent once the room is joined.')
    if (data.length > MAX_TEXT_CHARACTERS)
      throw new RangeError(
        `A message may have ${MAX_TEXT_CHARACTERS} characters; this one has ${data.length}.`,
      )
    if (data === 'playable') this.#sendPlayable()
    else this.#socket?.sendText(data)
  }

  /** The noise cancellation of a socket room is that of the browser's own capture. */
  async updateInputSettings({ audio }: InputSettings): Promise<void> {
    await this.#device.setNoiseSuppression(audio.processor.type === 'noise-cancellation')
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
      captured: (samples) => this.#socket?.sendAudio(samples),
      audible: () => this.#sendPlayable(),
      reached: (id) => this.#socket?.send({ type: 'room.played', id }),
      cleared: (id, playedMs) => this.#socket?.send({ type: 'room.cleared', id, playedMs }),
      level: (level) => this.#reportLevel(level),
    })
    if (this.#state !== 'joining-meeting') return
    this.#device.setMicrophone(this.#microphoneOn)
    this.#socket = new RoomSocket(url, {
      room: (message) => this.#obey(message),
      app: (text) => this.#deliver(text),
      audio: (samples) => this.#device.play(samples),
      closed: (error) => this.#end({ error }),
    })
    this.#cancelTimeout = this.#clock.after(JOIN_TIMEOUT_MS, () =>
      this.#end({
        error: new RoomError('connection-error', 'The room did not answer in time. Start again.'),
      }),
    )
  }

  #obey(message: RoomServerMessage): void {
    if (message.type === 'room.joined') this.#joined(message.participantId)
    else if (message.type === 'room.listening') this.#deliver('listening')
    else if (message.type === 'room.mark') this.#device.mark(message.id)
    else if (message.type === 'room.clear') this.#device.clear(message.id)
    else if (message.type === 'room.ended') this.#end({ endedReason: message.reason })
    else this.#end({ error: new RoomError(message.kind, message.message) })
  }

  #joined(participantId: string): void {
    if (this.#state !== 'joining-meeting') return
    this.#cancelTimeout?.()
    this.#local = { ...this.#local, session_id: participantId, permissions: SPEAKER }
    this.#state = 'joined-meeting'
    this.#events.emit('joined-meeting', { action: 'joined-meeting', participants: this.participants() })
    this.#events.emit('participant-joined', { action: 'participant-joined', participant: ASSISTANT })
    this.#settleJoin?.()
  }

  #deliver(data: string): void {
    this.#events.emit('app-message', { action: 'app-message', data, fromId: ASSISTANT.session_id })
  }

  #sendPlayable(): void {
    if (this.#playable) return
    this.#playable = true
    this.#socket?.send({ type: 'room.playable' })
  }

  #reportLevel(level: number): void {
    this.#events.emit('remote-participants-audio-level', {
      action: 'remote-participants-audio-level',
      participantsAudioLevel: { [ASSISTANT.session_id]: level },
    })
  }

  /** The one end: whoever left, whatever failed. Only the first counts. */
  #end({ error, endedReason }: { error?: Error | undefined; endedReason?: string }): void {
    if (this.#state === 'left-meeting' || this.#state === 'error') return
    const wasJoined = this.#state === 'joined-meeting'
    this.#state = error ? 'error' : 'left-meeting'
    this.#cancelTimeout?.()
    this.#socket?.close()
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

/** Makes a socket room. Call it in the click itself where no `device` is given, since it opens the browser's. */
export const createSocketRoom = (_url: string, options: SocketRoomOptions = {}): CallRoom =>
  new SocketRoom(options)
