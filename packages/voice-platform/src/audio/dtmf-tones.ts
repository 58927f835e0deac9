import { SAMPLE_RATE } from '@heyline/room-protocol'
import { twoTones } from './two-tones.js'

/** Frequencies of a keypad's rows and columns, in hertz (ITU-T Q.23). */
const ROWS = [697, 770, 852, 941] as const
const COLUMNS = [1209, 1336, 1477, 1633] as const
const KEYS = '123A456B789C*0#D'
/** Length of a tone and of the pause after it, in milliseconds: twice the least of ITU-T Q.24, which every receiver takes. */
const TONE_MS = 100
const PAUSE_MS = 50
/** Level of each of a key's two tones (root mean square to full scale). Together they stay below full scale. */
const TONE_DBFS = -10
const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/** The sixteen keys of a phone. */
export const DTMF_KEYS = /^[0-9A-D*#]+$/

/** The tones of these keys, one after another: PCM16 mono 16 kHz, 150 ms a key. Throws a RangeError for any other character, or none. */
export function dtmfTones(keys: string): Int16Array {
  if (!DTMF_KEYS.test(keys)) throw new RangeError('Keys are 0 to 9, *, # and A to D.')
  const length = (TONE_MS + PAUSE_MS) * SAMPLES_PER_MS
  const samples = new Int16Array(keys.length * length)
  for (const [index, key] of [...keys].entries()) samples.set(toneOf(key), index * length)
  return samples
}

function toneOf(key: string): Int16Array {
  const place = KEYS.indexOf(key)
  const row = ROWS[Math.floor(place / COLUMNS.length)] ?? 0
  const column = COLUMNS[place % COLUMNS.length] ?? 0
  return twoTones([row, column], TONE_MS, TONE_DBFS)
}
