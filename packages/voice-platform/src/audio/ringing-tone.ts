import { twoTones } from './two-tones.js'

/** Frequencies of the North American ringing tone, in hertz (ITU-T E.180), and the level of each. */
const TONES = [440, 480] as const
const TONE_DBFS = -25
const TONE_MS = 2_000

/** From the beginning of one ring to the next, in milliseconds. */
export const RING_EVERY_MS = 6_000

/** One ring, as whoever calls hears it: PCM16 mono 16 kHz, two seconds. */
export const ringingTone = (): Int16Array => twoTones(TONES, TONE_MS, TONE_DBFS)
