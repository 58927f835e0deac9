import { openMicrophone } from './microphone.js'

export interface BrowserAudioOptions {
  /** As Daily's: a device id, a track, `true` (the default) for the default microphone, `false` for none. */
  audioSource?: string | boolean | MediaStreamTrack | undefined
  /** Begin with the microphone off. It is asked for all the same, so that it can be turned on at once. */
  startAudioOff?: boolean | undefined
}

/**
 * What browsers allow only in a click: an audio context that runs, and the question for the microphone. Construct it
 * there, before anything is awaited; `close` is owed from then on. What plays and captures comes later (`BrowserAudio`).
 */
export class AudioOpening {
  readonly context = new AudioContext()
  /** Settles once the person has answered for the microphone. Rejects with a `MicrophoneError`. */
  readonly microphone: Promise<MediaStream | undefined>
  /** A track that was given is its giver's: it is neither stopped nor set. */
  readonly ownsTrack: boolean
  track: MediaStreamTrack | undefined
  isClosed = false
  #isOn: boolean

  constructor({ audioSource = true, startAudioOff }: BrowserAudioOptions = {}) {
    this.#isOn = !startAudioOff
    this.ownsTrack = typeof audioSource !== 'object'
    this.context.resume().catch(() => {})
    this.microphone = this.open(audioSource)
    this.microphone.catch(() => {})
  }

  setMicrophone(isOn: boolean): void {
    this.#isOn = isOn
    if (this.track) this.track.enabled = isOn
  }

  /** Releases microphone and context. Idempotent. */
  close(): void {
    this.isClosed = true
    this.#stop()
    this.context.close().catch(() => {})
  }

  /** Opens this microphone, in place of the one before if there was one. Rejects with a `MicrophoneError`. */
  async open(source: string | boolean | MediaStreamTrack): Promise<MediaStream | undefined> {
    if (source === false) return undefined
    const stream = await openMicrophone(source)
    this.#stop()
    this.track = stream.getAudioTracks()[0]
    this.setMicrophone(this.#isOn)
    if (this.isClosed) this.#stop()
    return stream
  }

  #stop(): void {
    if (this.ownsTrack) this.track?.stop()
  }
}
