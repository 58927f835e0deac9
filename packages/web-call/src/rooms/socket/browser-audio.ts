import { type WallClock, wallClock } from '@heyline/kit/wall-clock'
import { AudioOpening, type BrowserAudioOptions } from '../../browser/audio-opening.js'
import { within } from '../../events/waiting.js'
import type { MicrophoneKeeper } from '../microphone-keeper.js'
import type { AudioDevice, AudioDeviceHandlers } from './audio-device.js'
import type { PlayerReport, PlayerRequest } from './worklet.js'

/** A file of its own, since the audio thread loads it by address. Bundlers that follow `new URL` copy it as an asset; others lose it. */
const WORKLET_URL = new URL('./worklet.js', import.meta.url)
/** How long an audio context may take to run once the device is open, or its sound is resumed. */
const RUN_TIMEOUT_MS = 1000

const worklets = new WeakMap<AudioContext, Promise<void>>()

/** Brings the audio thread's code into a context, once; without one, makes the browser fetch it ahead of the click. */
export async function addWorklet(context?: AudioContext): Promise<void> {
  if (!context) return void (await fetch(WORKLET_URL))
  const added = worklets.get(context) ?? addModule(context.audioWorklet)
  added.catch(() => {})
  worklets.set(context, added)
  await added
}

/** From the file; where that is lost (Vite 7 does not copy it in development), from the same code as text. */
const addModule = async (audioWorklet?: AudioWorklet): Promise<void> =>
  audioWorklet
    ?.addModule(WORKLET_URL)
    .catch((lost) => import('./lost-worklet.js').then((code) => code.addAsText(audioWorklet, lost)))

/**
 * The browser's microphone and loudspeaker. Construct it in the click itself, before anything is awaited, or with what was
 * opened there; `close` is owed from then on. Plays through the context's destination, the only way on which all
 * browsers cancel the echo.
 */
export class BrowserAudio implements AudioDevice {
  readonly #opening: AudioOpening
  readonly #context: AudioContext
  readonly #clock: WallClock
  readonly #worklet: Promise<void>
  #player: AudioWorkletNode | undefined
  /** Held, or the browser may collect it and the microphone falls silent. */
  #source: MediaStreamAudioSourceNode | undefined
  #keeper: MicrophoneKeeper | undefined
  #cancelCheck = () => {}

  constructor(opening: AudioOpening | BrowserAudioOptions = {}, clock: WallClock = wallClock) {
    this.#opening = opening instanceof AudioOpening ? opening : new AudioOpening(opening)
    this.#context = this.#opening.context
    this.#clock = clock
    this.#worklet = addWorklet(this.#context)
  }

  /** Not a track that was given: browsers that recognise the default microphone only would hear another one. */
  get track(): MediaStreamTrack | undefined {
    return this.#opening.ownsTrack ? this.#opening.track : undefined
  }

  async open(handlers: AudioDeviceHandlers): Promise<void> {
    const [stream] = await Promise.all([this.#opening.microphone, this.#worklet])
    if (this.#opening.isClosed) return
    const context = this.#context
    if (!context.audioWorklet) throw new Error('A call needs AudioWorklet. Use a newer browser, and https.')
    if (stream) this.#listen(stream, handlers)
    this.#player = new AudioWorkletNode(context, 'heyline-player', {
      numberOfInputs: 0,
      outputChannelCount: [1],
    })
    this.#player.port.onmessage = ({ data }: MessageEvent<PlayerReport>) => {
      if (!this.#opening.isClosed) tell(handlers, data)
    }
    this.#player.connect(context.destination)
    this.#watch(handlers)
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
    this.#opening.setMicrophone(on)
  }

  async setNoiseSuppression(on: boolean): Promise<void> {
    const { ownsTrack, track } = this.#opening
    if (!ownsTrack || !track || track.getSettings().noiseSuppression === on) return
    try {
      await track.applyConstraints({ ...track.getConstraints(), noiseSuppression: on })
    } catch (error) {
      console.warn('The microphone keeps its noise suppression:', error)
    }
  }

  async setOutputDevice(deviceId: string): Promise<void> {
    const context: AudioContext & { setSinkId?(deviceId: string): Promise<void> } = this.#context
    if (!context.setSinkId)
      throw new Error('This browser cannot choose the loudspeaker. Choose it in the system.')
    await context.setSinkId(deviceId)
  }

  async resume(): Promise<void> {
    // Outside a click a browser leaves the promise pending until there is one.
    await within(this.#clock, RUN_TIMEOUT_MS, this.#context.resume())
    if (this.#context.state !== 'running')
      throw new Error('The browser still refuses to play. Resume the sound in a click.')
  }

  close(): void {
    this.#cancelCheck()
    this.#context.onstatechange = null
    this.#source?.disconnect()
    this.#keeper?.close()
    this.#opening.close()
  }

  /** Captures the microphone, and the one that replaces it when it is lost. */
  #listen(stream: MediaStream, handlers: AudioDeviceHandlers): void {
    const capture = new AudioWorkletNode(this.#context, 'heyline-capture', { outputChannelCount: [1] })
    capture.port.onmessage = ({ data }: MessageEvent<Int16Array>) => {
      if (!this.#opening.isClosed) handlers.onCaptured(data)
    }
    // A node that leads nowhere may not be run. The capture's output is silence.
    capture.connect(this.#context.destination)
    const hear = (stream: MediaStream) => {
      this.#source?.disconnect()
      this.#source = this.#context.createMediaStreamSource(stream)
      this.#source.connect(capture)
    }
    hear(stream)
    // A track that was given is its giver's, who knows what it is to be replaced by.
    if (this.#opening.ownsTrack) this.#keep(hear, handlers).catch(console.warn)
  }

  async #keep(hear: (stream: MediaStream) => void, handlers: AudioDeviceHandlers): Promise<void> {
    const { MicrophoneKeeper } = await import('../microphone-keeper.js')
    if (this.#opening.isClosed) return
    const open = async () => {
      const another = await this.#opening.open(true)
      if (another && !this.#opening.isClosed) hear(another)
      return this.track
    }
    const { onMicrophoneChanged: onChanged, onMicrophoneLost: onLost } = handlers
    this.#keeper = new MicrophoneKeeper({ open, onChanged, onLost }, this.#clock)
    this.#keeper.watch(this.track)
  }

  /** A context that was not made in a click stays suspended, and some browsers suspend one when a phone call comes in. */
  #watch(handlers: AudioDeviceHandlers): void {
    const check = () => {
      if (this.#context.state !== 'running') handlers.onBlocked()
    }
    this.#cancelCheck = this.#clock.after(RUN_TIMEOUT_MS, () => {
      check()
      this.#context.onstatechange = check
    })
  }

  #ask(request: PlayerRequest): void {
    this.#player?.port.postMessage(request)
  }
}

function tell(handlers: AudioDeviceHandlers, report: PlayerReport): void {
  if (report.type === 'audible') handlers.onAudible()
  else if (report.type === 'reached') handlers.onReached(report.id)
  else if (report.type === 'cleared') handlers.onCleared(report.id, report.playedMs)
  else handlers.onLevel(report.level)
}
