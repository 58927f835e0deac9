import { Store } from '@heyline/kit/store'
import { type AudioDevice, AudioOpening, BrowserAudio } from '@heyline/web-call/socket'

/** How loud calls are, 0 to 1. It holds for the call that goes on, and for the next ones. */
export class Loudspeaker extends Store<number> {
  #gain: GainNode | undefined

  constructor() {
    super(1)
  }

  /** Microphone and loudspeaker of a call. Call it in the click itself. */
  open(): AudioDevice {
    const opening = new AudioOpening()
    const { context } = opening
    this.#gain = new GainNode(context, { gain: gainOf(this.get()) })
    this.#gain.connect(context.destination)
    // What the call connects to its context's destination goes through the volume first.
    Object.defineProperty(context, 'destination', { value: this.#gain })
    return new BrowserAudio(opening)
  }

  setLevel(level: number): void {
    this.set(Math.min(1, Math.max(0, level)))
    this.#gain?.gain.setTargetAtTime(gainOf(this.get()), this.#gain.context.currentTime, 0.02)
  }
}

/** Ears hear loudness in ratios: half of the way is a quarter of the amplitude. */
const gainOf = (level: number): number => level * level
