import type { FatalErrorKind } from '@heyline/room-protocol'
import { Emitter } from '../events/emitter.js'
import {
  ASSISTANT_NAME,
  type CallRoom,
  type InputSettings,
  type JoinOptions,
  type RecordingOptions,
  type RoomState,
  type TrackSubscription,
} from '../rooms/call-room.js'
import { checkInputSettings, checkRoomOptions } from '../rooms/options.js'
import type {
  RoomEventArguments,
  RoomEventName,
  RoomEvents,
  RoomListener,
  RoomParticipant,
} from '../rooms/room-events.js'
import type { AccessState } from '../rooms/room-permissions.js'

/** What a test replaces: each stands for the room's own way of doing it and may wait, throw, or reject. */
export interface RoomScript {
  join?(room: ScriptedRoom, options: JoinOptions): Promise<unknown>
  destroy?(room: ScriptedRoom): Promise<void>
  startRecording?(options: RecordingOptions): void
  stopRecording?(): void
  observeLevels?(room: ScriptedRoom): Promise<void>
  updateInputSettings?(settings: InputSettings): Promise<unknown>
  setOutputDevice?(deviceId: string): Promise<unknown>
  resumeAudio?(): Promise<void>
  /** Where the room can be joined again. Without it the room has no such address of its own, as Daily's. */
  meetingAddress?(): string | undefined
}

/** The assistant as a participant of a scripted room. */
export const ASSISTANT: RoomParticipant = {
  session_id: 'assistant',
  user_name: ASSISTANT_NAME,
  local: false,
}
const LOCAL: RoomParticipant = { session_id: 'local', user_name: '', local: true }

/**
 * A call room without a network: does what its script and the test tell it, keeps the option rules that every room
 * keeps, and remembers what was asked of it.
 *
 * ```ts
 * const room = new ScriptedRoom()
 * const client = new WebCallClient({ token: 'any', fetch: async () => Response.json(call), createRoom: () => room })
 * await client.start({ assistant: 'id' })
 * room.hear('listening') // `call-start`
 * room.level(0.3) // `volume-level`, `speech-start`
 * room.end() // `call-end`
 * ```
 */
export class ScriptedRoom implements CallRoom {
  /** Every method called so far with its arguments, but reads and listeners: `['join', {url}]`, … */
  readonly asked: [method: string, ...given: unknown[]][] = []
  /** Only where the script has it. */
  readonly meetingAddress?: () => string | undefined
  readonly #script: RoomScript
  readonly #events = new Emitter<RoomEventArguments>()
  readonly #listeners = new Map<RoomEventName, number>()
  #state: RoomState = 'new'
  #microphoneOn = true

  constructor(script: RoomScript = {}) {
    this.#script = script
    if (script.meetingAddress) this.meetingAddress = () => script.meetingAddress?.()
  }

  /** How many listeners are on the room. A call that is over leaves none. */
  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((total, count) => total + count, 0)
  }

  /** Whether it was asked for this. */
  wasAsked(method: string): boolean {
    return this.asked.some(([name]) => name === method)
  }

  /** The texts that were sent into the room. */
  get sent(): unknown[] {
    return this.asked.filter(([method]) => method === 'sendAppMessage').map(([, text]) => text)
  }

  /** Lets the room tell something. */
  emit<Name extends RoomEventName>(action: Name, event: Omit<RoomEvents[Name], 'action'>): void {
    this.#events.emit(action, ...([{ action, ...event }] as RoomEventArguments[Name]))
  }

  /** What the platform says in the room: the literal `listening`, or a message. */
  hear(message: 'listening' | object): void {
    const data = typeof message === 'string' ? message : JSON.stringify(message)
    this.emit('app-message', { data, fromId: ASSISTANT.session_id })
  }

  /** The assistant is this loud. */
  level(level: number): void {
    this.emit('remote-participants-audio-level', {
      participantsAudioLevel: { [ASSISTANT.session_id]: level },
    })
  }

  /** The other side ends the meeting. */
  end(endedReason?: string): void {
    if (this.#state !== 'joined-meeting') return
    this.#state = 'left-meeting'
    this.emit('left-meeting', endedReason === undefined ? {} : { endedReason })
  }

  /** The room's connection drops, or is there again. */
  connection(event: 'interrupted' | 'connected', type = 'signaling'): void {
    this.emit('network-connection', { type, event })
  }

  /** The room fails for good. */
  fail(type: FatalErrorKind, msg: string): void {
    const wasJoined = this.#state === 'joined-meeting'
    this.#state = 'error'
    this.emit('error', { errorMsg: msg, error: { type, msg } })
    if (wasJoined) this.emit('left-meeting', {})
  }

  async join(options: JoinOptions): Promise<unknown> {
    checkRoomOptions(options)
    this.asked.push(['join', options])
    this.#state = 'joining-meeting'
    await this.#script.join?.(this, options)
    // Whoever failed or left meanwhile is not in.
    if (this.meetingState() !== 'joining-meeting') throw new Error('The room was left before it was joined.')
    this.#state = 'joined-meeting'
    this.emit('joined-meeting', { participants: this.participants() })
    return this.participants()
  }

  async leave(): Promise<void> {
    this.asked.push(['leave'])
    this.end()
    this.#state = 'left-meeting'
  }

  async destroy(): Promise<void> {
    this.asked.push(['destroy'])
    await this.#script.destroy?.(this)
    this.end()
    this.#state = 'left-meeting'
  }

  meetingState(): RoomState {
    return this.#state
  }

  accessState(): AccessState {
    return { access: this.#state === 'joined-meeting' ? { level: 'full' } : 'unknown' }
  }

  participants(): Record<string, RoomParticipant> {
    if (this.#state !== 'joined-meeting') return { local: LOCAL }
    return { local: LOCAL, [ASSISTANT.session_id]: ASSISTANT }
  }

  updateParticipant(id: string, update: TrackSubscription): void {
    this.asked.push(['updateParticipant', id, update])
  }

  localAudio(): boolean {
    return this.#microphoneOn
  }

  setLocalAudio(enabled: boolean): void {
    this.asked.push(['setLocalAudio', enabled])
    this.#microphoneOn = enabled
  }

  sendAppMessage(data: string): void {
    if (this.#state !== 'joined-meeting') throw new Error('A message can be sent once the room is joined.')
    this.asked.push(['sendAppMessage', data])
  }

  async updateInputSettings(settings: InputSettings): Promise<void> {
    checkInputSettings(settings)
    this.asked.push(['updateInputSettings', settings])
    await this.#script.updateInputSettings?.(settings)
  }

  async startRemoteParticipantsAudioLevelObserver(interval?: number): Promise<void> {
    this.asked.push(['startRemoteParticipantsAudioLevelObserver', interval])
    await this.#script.observeLevels?.(this)
  }

  startRecording(options: RecordingOptions): void {
    this.asked.push(['startRecording', options])
    this.#script.startRecording?.(options)
  }

  stopRecording(): void {
    this.asked.push(['stopRecording'])
    this.#script.stopRecording?.()
  }

  async setOutputDevice(deviceId: string): Promise<void> {
    this.asked.push(['setOutputDevice', deviceId])
    await this.#script.setOutputDevice?.(deviceId)
  }

  async resumeAudio(): Promise<void> {
    this.asked.push(['resumeAudio'])
    await this.#script.resumeAudio?.()
  }

  on<Name extends RoomEventName>(name: Name, listener: RoomListener<Name>): this {
    this.#listeners.set(name, (this.#listeners.get(name) ?? 0) + 1)
    this.#events.on(name, listener)
    return this
  }

  off<Name extends RoomEventName>(name: Name, listener: RoomListener<Name>): this {
    this.#listeners.set(name, (this.#listeners.get(name) ?? 0) - 1)
    this.#events.off(name, listener)
    return this
  }
}
