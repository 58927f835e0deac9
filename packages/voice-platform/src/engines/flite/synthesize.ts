import { SAMPLE_RATE } from '@heyline/room-protocol'
import { ResidentFlite } from './resident-flite.js'
import { WasiExit } from './wasi-process.js'

/** Samples louder than this are speech, not the silence before it. */
const AUDIBLE = 200
/** Silence kept before the first sound (10 ms), so that nothing begins with a click. */
const LEAD_SAMPLES = SAMPLE_RATE / 100
/** A flite that has taken more memory than this is replaced, in bytes. It needs 22 MB, and for the longest texts some 40. */
const MOST_BYTES = 96 << 20

let resident: ResidentFlite | undefined

/** Loads flite into this thread. Blocks for some 60 ms. */
export function loadFlite(): void {
  resident ??= new ResidentFlite()
}

/**
 * Speech for one short text, PCM16 mono 16 kHz. Keep the text under 300 characters, since the memory grows steeply with it. The silence
 * of about 0.2 s that flite puts before every utterance is cut. Blocks for 10 to 100 ms. Throws when flite fails.
 */
export function synthesize(text: string): Int16Array {
  const flite = resident ?? new ResidentFlite()
  // Whatever stands in the way of this text must not stand in the way of the next.
  resident = undefined
  try {
    const samples = flite.speak(text)
    if (flite.bytes <= MOST_BYTES) resident = flite
    return withoutLeadingSilence(samples)
  } catch (error) {
    if (!(error instanceof WasiExit)) throw error
    throw new Error(`flite failed: ${flite.printed || error.message}`, { cause: error })
  }
}

/** What is returned shares no memory with anybody. */
function withoutLeadingSilence(samples: Int16Array): Int16Array {
  const first = samples.findIndex((sample) => Math.abs(sample) > AUDIBLE)
  return samples.slice(first < 0 ? 0 : Math.max(0, first - LEAD_SAMPLES))
}
