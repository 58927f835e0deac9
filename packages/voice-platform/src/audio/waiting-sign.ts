import { twoTones } from './two-tones.js'

/** A soft octave: a sign of life, and no word. In hertz. */
const TONES = [330, 660] as const
const TONE_DBFS = -34
const TONE_MS = 90

/** What is heard while somebody waits on the line: PCM16 mono 16 kHz, a tenth of a second. */
export const waitingSign = (): Int16Array => twoTones(TONES, TONE_MS, TONE_DBFS)
