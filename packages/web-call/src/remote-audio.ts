import { errorText } from './error-details.js'
import { ASSISTANT_NAME } from './rooms/call-room.js'
import type { RoomEvents } from './rooms/room-events.js'

export interface RemoteAudioHandlers {
  /** The assistant can be heard; told once. */
  onPlayable(): void
  /** The browser refuses to play without a click. */
  onBlocked(): void
  /** The loudspeaker to play through; the default one for none. */
  outputDevice(): string | undefined
}

interface Voice {
  name: string
  element: HTMLAudioElement
}

/**
 * Plays the audio tracks of a room's remote participants, one audio element each. Rooms without tracks (the socket room
 * plays by itself) and surroundings without a document are left alone.
 */
export class RemoteAudio {
  readonly #handlers: RemoteAudioHandlers
  readonly #voices = new Map<string, Voice>()
  #toldPlayable = false

  constructor(handlers: RemoteAudioHandlers) {
    this.#handlers = handlers
  }

  /** Never rejects. */
  async add({ participant, track, type }: RoomEvents['track-started']): Promise<void> {
    if (!participant || participant.local || type !== 'audio' || !globalThis.document) return
    const { session_id: id, user_name: name } = participant
    const element = this.#voices.get(id)?.element ?? this.#element()
    element.srcObject = new MediaStream([track])
    const voice = { name, element }
    this.#voices.set(id, voice)
    await this.#play(voice)
  }

  /** Plays what was refused before; call it in a click. Never rejects. */
  async resume(): Promise<void> {
    await Promise.all([...this.#voices.values()].map((voice) => this.#play(voice)))
  }

  /** Moves what plays to another loudspeaker. Rejects when the browser cannot. */
  async moveTo(deviceId: string): Promise<void> {
    await Promise.all([...this.#voices.values()].map(({ element }) => move(element, deviceId)))
  }

  remove(participantId: string): void {
    const element = this.#voices.get(participantId)?.element
    this.#voices.delete(participantId)
    element?.pause()
    element?.remove()
  }

  close(): void {
    for (const id of this.#voices.keys()) this.remove(id)
  }

  #element(): HTMLAudioElement {
    const element = document.body.appendChild(document.createElement('audio'))
    // Some systems pause what plays when a telephone call comes in, and leave it so.
    element.onpause = () => {
      if (element.isConnected && !element.ended) this.#handlers.onBlocked()
    }
    const device = this.#handlers.outputDevice()
    if (device) move(element, device).catch(tellOutputFailure)
    return element
  }

  async #play({ name, element }: Voice): Promise<void> {
    try {
      await element.play()
    } catch (error) {
      // An AbortError says only that the element got another track, or was removed.
      if (element.isConnected && error instanceof Error && error.name !== 'AbortError')
        this.#handlers.onBlocked()
      return
    }
    if (this.#toldPlayable || name !== ASSISTANT_NAME || !element.isConnected) return
    this.#toldPlayable = true
    this.#handlers.onPlayable()
  }
}

/** Rejects where the browser cannot choose loudspeakers, too. */
const move = async (element: HTMLAudioElement, deviceId: string) => element.setSinkId(deviceId)

/** The call goes on through the default loudspeaker. */
export const tellOutputFailure = (error: unknown): void =>
  console.warn('The loudspeaker could not be chosen:', errorText(error))
