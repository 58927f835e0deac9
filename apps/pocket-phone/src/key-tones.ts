/** The two tones of each key (ITU-T Q.23), in hertz: the row's, then the column's. */
const ROWS = [697, 770, 852, 941]
const COLUMNS = [1209, 1336, 1477]
const KEYS = '123456789*0#'
const SECONDS = 0.12
const VOLUME = 0.05

/** The sound of a keypad, for the ear of who presses the keys. The call gets the key as a message. */
export class KeyTones {
  #context: AudioContext | undefined

  /** To be called in the click. */
  play(key: string): void {
    if (typeof AudioContext === 'undefined') return
    this.#context ??= new AudioContext()
    const at = KEYS.indexOf(key)
    const volume = new GainNode(this.#context, { gain: VOLUME })
    volume.connect(this.#context.destination)
    const begin = this.#context.currentTime
    volume.gain.setTargetAtTime(0, begin + SECONDS, 0.01)
    for (const frequency of [ROWS[Math.floor(at / 3)], COLUMNS[at % 3]]) {
      const tone = new OscillatorNode(this.#context, { frequency: frequency ?? 0 })
      tone.connect(volume)
      tone.start(begin)
      tone.stop(begin + 2 * SECONDS)
    }
  }

  close(): void {
    this.#context?.close().catch(() => {})
    this.#context = undefined
  }
}
