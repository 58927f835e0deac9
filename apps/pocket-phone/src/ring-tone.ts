/** A second of tone, two of silence. */
const RING_SECONDS = 1
const CYCLE_SECONDS = 3
/** Longer than any carrier rings. */
const CYCLES = 60
const TONES_HZ = [440, 480]
const VOLUME = 0.08
/** By these a browser takes a page for touched. */
const TOUCHES = ['pointerdown', 'pointerup', 'keydown'] as const

/**
 * Rings until the answer is called. Browsers keep a page silent that nobody has touched yet: then the phone rings for
 * the eye only, until somebody does.
 */
export function startRinging(): () => void {
  if (typeof AudioContext === 'undefined') return () => {}
  const context = new AudioContext()
  const volume = new GainNode(context, { gain: 0 })
  volume.connect(context.destination)
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const begin = context.currentTime + cycle * CYCLE_SECONDS
    volume.gain.setTargetAtTime(VOLUME, begin, 0.02)
    volume.gain.setTargetAtTime(0, begin + RING_SECONDS, 0.02)
  }
  for (const frequency of TONES_HZ) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(volume)
    tone.start()
  }
  const wake = () => void context.resume().catch(() => {})
  wake()
  for (const touch of TOUCHES) addEventListener(touch, wake)
  return () => {
    for (const touch of TOUCHES) removeEventListener(touch, wake)
    context.close().catch(() => {})
  }
}
