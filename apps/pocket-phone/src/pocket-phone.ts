import { Store } from '@heyline/kit/store'
import { type PhoneClientMessage, roomText } from '@heyline/room-protocol'
import { type CallRoom, type Clock, listenToRoom, MicrophoneError } from '@heyline/web-call'
import type { AudioDevice } from '@heyline/web-call/socket'
import { type HistoryEntry, historyOf } from './call-history.js'
import type { CarrierLineHandlers, CarrierMessage } from './carrier-line.js'
import { NEW_PHONE, type Notice, type PhoneEvent, type PhoneState, phoneAfter } from './phone.js'

const LEVEL_INTERVAL_MS = 100
/** How long it says that the line is back. */
const SAYS_BACK_MS = 5_000

/** What the phone is made of; a test brings parts of its own. */
export interface PhoneParts {
  openLine(handlers: CarrierLineHandlers): { send(message: PhoneClientMessage): void; close(): void }
  /** Called in the click on 'Answer', since browsers open microphone and loudspeaker only there. */
  openAudio(): AudioDevice
  createRoom(url: string, device: AudioDevice): CallRoom
  clock: Clock
  /** Is told of every call that is over. */
  history: { add(entry: HistoryEntry): void }
}

/** The telephone itself, without its looks: a line to the carrier, and one call at a time. */
export class PocketPhone extends Store<PhoneState> {
  readonly #parts: PhoneParts
  #line: ReturnType<PhoneParts['openLine']> | undefined
  #device: AudioDevice | undefined
  #room: CallRoom | undefined
  #cancelSettling = () => {}

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

  setMuted(isMuted: boolean): void {
    const { call } = this.get()
    if (!call) return
    this.#room?.setLocalAudio(!isMuted)
    this.#change({ type: 'mute', callId: call.callId, isMuted })
  }

  /** Sends a key into the call: one of 0-9, *, #. False where nobody takes it. */
  press(key: string): boolean {
    if (this.get().call?.stage !== 'talking') return false
    try {
      this.#room?.sendAppMessage(roomText({ type: 'room.key', key }))
      return true
    } catch (error) {
      console.warn('The key could not be sent:', error)
      return false
    }
  }

  /** Somebody looks at the list of texts. */
  readTexts(): void {
    this.#change({ type: 'read-texts' })
  }

  eraseTexts(): void {
    this.#change({ type: 'erase-texts' })
  }

  /** Takes a text off the screen. */
  dismiss(id: string): void {
    this.#change({ type: 'dismiss', id })
  }

  close(): void {
    this.hangUp()
    this.#cancelSettling()
    this.#line?.close()
  }

  #obey(message: CarrierMessage): void {
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
    if (this.get().call?.isMuted) room.setLocalAudio(false)
    this.#change({ type: 'join', callId })
    listenToRoom(room, {
      error: ({ error }) => this.#over(callId, this.#isCutOffBy(error?.type) ? 'cut-off' : 'failed'),
      'network-connection': ({ event }) =>
        this.#change({ type: 'sound', callId, isInterrupted: event === 'interrupted' }),
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

  #isCutOffBy(error: string | undefined): boolean {
    return this.get().call?.stage === 'talking' && error === 'connection-error'
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
    for (const entry of historyOf(before, after, this.#parts.clock.now())) this.#parts.history.add(entry)
    if (before.call && !after.call) this.#release()
    if (after.isBack && !before.isBack) this.#settleLater()
  }

  #settleLater(): void {
    this.#cancelSettling()
    this.#cancelSettling = this.#parts.clock.after(SAYS_BACK_MS, () => this.#change({ type: 'settle' }))
  }

  #release(): void {
    const [room, device] = [this.#room, this.#device]
    this.#room = undefined
    this.#device = undefined
    device?.close()
    room?.destroy().catch((error: unknown) => console.warn('The room could not be left:', error))
  }
}
