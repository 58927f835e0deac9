import { MicrophoneError } from '../browser/microphone.js'
import type { AudioDevice, AudioDeviceHandlers } from '../rooms/socket/audio-device.js'

/** An audio device without sound: the test is the microphone, and plays what was queued when it wants to. */
export class ScriptedAudioDevice implements AudioDevice {
  /** What a room queued and has not been played yet. */
  readonly queue: ({ samples: Int16Array } | { mark: number })[] = []
  isMicrophoneOn = true
  hasNoiseSuppression = true
  isClosed = false
  outputDevice = ''
  isBlocked = false
  levelInterval: number | undefined
  readonly #refusal: Error | undefined
  #handlers: AudioDeviceHandlers | undefined

  /** With a refusal, opening it rejects with that. */
  constructor(refusal?: Error) {
    this.#refusal = refusal
  }

  async open(handlers: AudioDeviceHandlers): Promise<void> {
    if (this.#refusal) throw this.#refusal
    this.#handlers = handlers
  }

  play(samples: Int16Array): void {
    this.queue.push({ samples })
  }

  mark(id: number): void {
    this.queue.push({ mark: id })
  }

  clear(id: number): void {
    this.queue.length = 0
    this.#handlers?.onCleared(id, 0)
  }

  setMicrophone(on: boolean): void {
    this.isMicrophoneOn = on
  }

  async setNoiseSuppression(on: boolean): Promise<void> {
    this.hasNoiseSuppression = on
  }

  async setOutputDevice(deviceId: string): Promise<void> {
    this.outputDevice = deviceId
  }

  async resume(): Promise<void> {
    this.isBlocked = false
  }

  observeLevel(intervalMs: number): void {
    this.levelInterval = intervalMs
  }

  close(): void {
    this.isClosed = true
    this.#handlers = undefined
  }

  /** The microphone hears these samples. */
  speak(samples: Int16Array): void {
    this.#handlers?.onCaptured(this.isMicrophoneOn ? samples : new Int16Array(samples.length))
  }

  /** Plays all that is queued, and answers it. */
  playAll(): Int16Array[] {
    const played: Int16Array[] = []
    for (const queued of this.queue.splice(0)) {
      if ('mark' in queued) this.#handlers?.onReached(queued.mark)
      else {
        this.#handlers?.onAudible()
        played.push(queued.samples)
      }
    }
    return played
  }

  /** The browser does not let it play. */
  block(): void {
    this.isBlocked = true
    this.#handlers?.onBlocked()
  }

  /** The microphone is lost, and another one open in its place. */
  changeMicrophone(): void {
    this.#handlers?.onMicrophoneChanged()
  }

  /** The microphone is lost, and there is no other. */
  loseMicrophone(error = new MicrophoneError('missing')): void {
    this.#handlers?.onMicrophoneLost(error)
  }

  /** The assistant is this loud, where that was asked for. */
  level(level: number): void {
    if (this.levelInterval !== undefined) this.#handlers?.onLevel(level)
  }
}
