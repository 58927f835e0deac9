/** How long concealed sound is heard before it has died away, in samples of 8 kHz: 40 ms. */
const DYING = 320

/**
 * Sound in the place of what was lost, PCM16 8 kHz: what came before it is heard backwards, so that there is no step, and dies away
 * within 40 ms. A longer loss goes on in silence.
 */
export function concealed(before: Int16Array, length: number): Int16Array {
  const sound = new Int16Array(length)
  const heard = Math.min(length, before.length, DYING)
  for (let n = 0; n < heard; n += 1) {
    const gain = 1 - n / Math.min(before.length, DYING)
    sound[n] = Math.round((before[before.length - 1 - n] ?? 0) * gain)
  }
  return sound
}
