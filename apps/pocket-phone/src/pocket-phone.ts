import { Store } from '@heyline/kit/store'
import type { PhoneClientMessage, PhoneServerMessage } from '@heyline/room-protocol'
import { type CallRoom, type Clock, listenToRoom, MicrophoneError } from '@heyline/web-call'
import type { AudioDevice } from '@heyline/web-call/socket'
import type { CarrierLineHandlers } from './carrier-line.js'
import { NEW_PHONE, type Notice, type PhoneEvent, type PhoneState, phoneAfter } from './phone.js'

const LEVEL_INTERVAL_MS = 100

/** What the phone is made of; a test brings parts of its own. */
export interface PhoneParts {
  openLine(handlers: CarrierLineHandlers): { send(message: PhoneClientMessage): void; close(): void }
  /** Called in the click on 'Answer', since browsers open microphone and loudspeaker only there. */
  openAudio(): AudioDevice
  createRoom(url: string, device: AudioDevice): CallRoom
  clock: Clock
}

/** The telephone itself, without its looks: a line to the carrier, and one call at a time. */
export class PocketPhone extends Store<PhoneState> {
  readonly #parts: PhoneParts
  #line: ReturnType<PhoneParts['openLine']> | undefined
  #device: AudioDevice | undefined
  #room: CallRoom | undefined

  constructor(parts: PhoneParts) {
    super(NEW_PHONE)
    this.#parts = parts
  }

  /** Connects to the carrier. Called once. */
  open(): void {
    this.#line = this.#parts.openLine({
      onLine: (line) => this.#change({ type: 'line', line }),
      onMessage: (message) => this.#obey(message),
    })
  }

  /** Picks up for the one that rings. Call it in the click itself. */
  answer(): void {
    const ring = this.get().rings[0]
    if (!ring || this.get().call) return
    this.#device = this.#parts.openAudio()
    this.#change({ type: 'answer', callId: ring.callId })
    this.#line?.send({ type: 'answer', callId: ring.callId })
  }

  decline(): void {
    const ring = this.get().rings[0]
    if (!ring) return
    this.#line?.send({ type: 'decline', callId: ring.callId })
    this.#change({ type: 'over', callId: ring.callId, notice: 'declined' })
  }

  hangUp(): void {
    const { call } = this.get()
    if (!call) return
    if (call.stage === 'answering') this.#line?.send({ type: 'decline', callId: call.callId })
    this.#over(call.callId, 'ended')
  }

  /** Takes a text off the screen. */
  dismiss(id: string): void {
    this.#change({ type: 'dismiss', id })
  }

  close(): void {
    this.hangUp()
    this.#line?.close()
  }

  #obey(message: PhoneServerMessage): void {
    const { call } = this.get()
    if (message.type === 'ring') {
      const { callId, from, to } = message
      this.#change({ type: 'ring', ring: { callId, from, to } })
    } else if (message.type === 'answered') {
      if (call?.callId === message.callId && call.stage === 'answering')
        void this.#join(message.callId, message.roomUrl)
    } else if (message.type === 'text') {
      const { id, from, to, body } = message
      this.#change({ type: 'text', text: { id, from, to, body } })
    } else if (call?.callId !== message.callId || call.stage === 'answering')
      // A call that is connected ends in its room; this stops ringing only.
      this.#over(message.callId, message.reason)
  }

  async #join(callId: string, roomUrl: string): Promise<void> {
    if (!this.#device) return
    const room = this.#parts.createRoom(roomUrl, this.#device)
    this.#room = room
    this.#change({ type: 'join', callId })
    listenToRoom(room, {
      error: () => this.#over(callId, 'failed'),
      'left-meeting': () => this.#over(callId, 'ended'),
      'remote-participants-audio-level': ({ participantsAudioLevel }) =>
        this.#change({ type: 'level', level: Math.max(0, ...Object.values(participantsAudioLevel)) }),
    })
    try {
      await room.join({ url: roomUrl, subscribeToTracksAutomatically: false })
      this.#change({ type: 'talk', callId, at: this.#parts.clock.now() })
      await room.startRemoteParticipantsAudioLevelObserver(LEVEL_INTERVAL_MS)
    } catch (error) {
      if (this.get().call?.callId === callId) this.#line?.send({ type: 'decline', callId })
      this.#over(callId, error instanceof MicrophoneError ? `microphone-${error.reason}` : 'failed')
    }
  }

  #over(callId: string, notice: Notice): void {
    this.#change({ type: 'over', callId, notice })
  }

  /** Whatever ends the call releases its room and its devices. */
  #change(event: PhoneEvent): void {
    const before = this.get()
    const after = phoneAfter(before, event)
    if (after === before) return
    this.set(after)
    if (before.call && !after.call) this.#release()
  }

  #release(): void {
    const [room, device] = [this.#room, this.#device]
    this.#room = undefined
    this.#device = undefined
    device?.close()
    room?.destroy().catch((error: unknown) => console.warn('The room could not be left:', error))
  }
}
