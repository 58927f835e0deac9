import type { AudioDevice, AudioDeviceHandlers } from './audio-device.js'
import { openMicrophone } from './microphone.js'
import type { PlayerReport, PlayerRequest } from './worklet.js'

/** A file of its own, since the audio thread loads it by address. Bundlers that follow `new URL` copy it as an asset. */
const WORKLET_URL = new URL('./worklet.js', import.meta.url)

export interface BrowserAudioOptions {
  /** As Daily's: a device id, a track, `true` (the default) for the default microphone, `false` for none. */
  audioSource?: string | boolean | MediaStreamTrack
  /** Begin with the microphone off. It is asked for all the same, so that it can be turned on at once. */
  startAudioOff?: boolean
}

/** Makes the browser fetch the audio thread's code ahead of the click. */
export async function preloadBrowserAudio(): Promise<void> {
  await fetch(WORKLET_URL)
}

/**
 * The browser's microphone and loudspeaker. Construct it in the click itself, before anything is awaited: the audio
 * context is made and resumed there and the microphone asked for, which browsers allow only there. `close` is owed
 * from then on. Plays through the context's destination, the only way on which all browsers cancel the echo.
 */
export class BrowserAudio implements AudioDevice {
  /** Settles once the person has answered for the microphone. Rejects with a `MicrophoneError`. */
  readonly microphone: Promise<MediaStream | undefined>
  readonly #context = new AudioContext({ latencyHint: 'interactive' })
  readonly #worklet: Promise<void>
  readonly #ownsTrack: boolean
  #player: AudioWorkletNode | undefined
  #track: MediaStreamTrack | undefined
  /** Held, or the browser may collect it and the microphone falls silent. */
  #source: MediaStreamAudioSourceNode | undefined
  #on: boolean
  #closed = false

  constructor({ audioSource = true, startAudioOff = false }: BrowserAudioOptions = {}) {
    this.#on = !startAudioOff
    this.#ownsTrack = typeof audioSource !== 'object'
    // Where no loudspeaker is found the context never runs; the call then is silent, and goes on.
    this.#context.resume().catch(() => {})
    this.#worklet = this.#context.audioWorklet
      ? this.#context.audioWorklet.addModule(WORKLET_URL)
      : Promise.resolve()
    this.#worklet.catch(() => {})
    this.microphone = this.#openMicrophone(audioSource)
    this.microphone.catch(() => {})
  }

  async open(handlers: AudioDeviceHandlers): Promise<void> {
    const [stream] = await Promise.all([this.microphone, this.#worklet])
    if (this.#closed) return
    if (stream) {
      const capture = new AudioWorkletNode(this.#context, 'heyline-capture', { outputChannelCount: [1] })
      capture.port.onmessage = ({ data }: MessageEvent<Int16Array>) => {
        if (!this.#closed) handlers.captured(data)
      }
      this.#source = this.#context.createMediaStreamSource(stream)
      // A node that leads nowhere may not be run. The capture's output is silence.
      this.#source.connect(capture).connect(this.#context.destination)
    }
    this.#player = new AudioWorkletNode(this.#context, 'heyline-player', {
      numberOfInputs: 0,
      outputChannelCount: [1],
    })
    this.#player.port.onmessage = ({ data }: MessageEvent<PlayerReport>) => {
      if (!this.#closed) tell(handlers, data)
    }
    this.#player.connect(this.#context.destination)
  }

  play(samples: Int16Array): void {
    this.#ask({ type: 'play', samples })
  }

  mark(id: number): void {
    this.#ask({ type: 'mark', id })
  }

  clear(id: number): void {
    this.#ask({ type: 'clear', id })
  }

  observeLevel(intervalMs: number): void {
    this.#ask({ type: 'observe', intervalMs })
  }

  setMicrophone(on: boolean): void {
    this.#on = on
    if (this.#track) this.#track.enabled = on
  }

  async setNoiseSuppression(on: boolean): Promise<void> {
    if (this.#track?.getSettings().noiseSuppression === on) return
    await this.#track?.applyConstraints({ ...this.#track.getConstraints(), noiseSuppression: on })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#source?.disconnect()
    if (this.#ownsTrack) this.#track?.stop()
    this.#context.close().catch(() => {})
  }

  async #openMicrophone(source: string | boolean | MediaStreamTrack): Promise<MediaStream | undefined> {
    if (source === false) return undefined
    const stream = await openMicrophone(source)
    this.#track = stream.getAudioTracks()[0]
    if (this.#track) this.#track.enabled = this.#on
    if (this.#closed && this.#ownsTrack) this.#track?.stop()
    return stream
  }

  #ask(request: PlayerRequest): void {
    this.#player?.port.postMessage(request)
  }
}

function tell(handlers: AudioDeviceHandlers, report: PlayerReport): void {
  if (report.type === 'audible') handlers.audible()
  else if (report.type === 'reached') handlers.reached(report.id)
  else if (report.type === 'cleared') handlers.cleared(report.id, report.playedMs)
  else handlers.level(report.level)
}
