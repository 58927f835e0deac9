import { SAMPLE_RATE } from '@heyline/room-protocol'

/** Rise and fall of a tone, in samples: 3 ms. */
const EDGE = (SAMPLE_RATE * 3) / 1000

/** Two tones at once, each at this level (root mean square to full scale): PCM16 mono 16 kHz. */
export function twoTones([low, high]: readonly [number, number], ms: number, dbfs: number): Int16Array {
  const length = (ms * SAMPLE_RATE) / 1000
  const amplitude = 32_768 * Math.SQRT2 * 10 ** (dbfs / 20)
  return Int16Array.from({ length }, (_, n) => {
    const edge = Math.min(1, n / EDGE, (length - 1 - n) / EDGE)
    return Math.round(edge * amplitude * (sine(low, n) + sine(high, n)))
  })
}

const sine = (hertz: number, n: number) => Math.sin((2 * Math.PI * hertz * n) / SAMPLE_RATE)
