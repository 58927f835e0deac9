/// <reference path="./fvad-wasm.d.ts" />
import loadFvad from '@echogarden/fvad-wasm'
import { FRAME_SAMPLES, levelOf, SAMPLE_RATE } from '@heyline/room-protocol'

/** Frames below this level (0 to 1) are silence. The detector alone takes hum for speech. */
const ENERGY_FLOOR = 150 / 32_768
/** How strict the detector is, 0 to 3. */
const MODE = 2

const fvad = await loadFvad()

/**
 * Tells speech from silence and noise, one 20 ms frame at a time. It learns the background, so each caller needs one of its own.
 * Steady tones count as speech: it judges spectra, not words.
 */
export class VoiceActivityDetector {
  readonly #handle = fvad._fvad_new()
  readonly #frame = fvad._malloc(FRAME_SAMPLES * Int16Array.BYTES_PER_ELEMENT)
  #closed = false

  constructor() {
    if (this.#handle === 0 || this.#frame === 0) throw new Error('No memory is left for voice detection.')
    fvad._fvad_set_mode(this.#handle, MODE)
    fvad._fvad_set_sample_rate(this.#handle, SAMPLE_RATE)
  }

  /** `frame` is 20 ms of PCM16 mono 16 kHz (320 samples). Throws a RangeError for another length. */
  isSpeech(frame: Int16Array): boolean {
    if (frame.length !== FRAME_SAMPLES)
      throw new RangeError(`A frame has ${FRAME_SAMPLES} samples, not ${frame.length}.`)
    if (this.#closed) return false
    fvad.HEAP16.set(frame, this.#frame >> 1)
    const voiced = fvad._fvad_process(this.#handle, this.#frame, FRAME_SAMPLES) === 1
    return voiced && levelOf(frame) > ENERGY_FLOOR
  }

  /** Frees the detector; it hears nothing afterwards. Idempotent. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    fvad._fvad_free(this.#handle)
    fvad._free(this.#frame)
  }
}
