/** Sounds that a test knows, and what can be measured of sounds. PCM16. */

/** A sine. Its level is 0.71 of the amplitude. */
export const sine = (hertz: number, rate: number, ms: number, amplitude: number): Int16Array =>
  Int16Array.from({ length: (rate * ms) / 1000 }, (_, n) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hertz * n) / rate)),
  )

/** Root mean square of the samples, in dB to full scale. */
export function dbfs(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return 10 * Math.log10(power / 32_768 ** 2)
}

/** Largest magnitude. */
export const peakOf = (samples: Int16Array): number =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)

/** Largest difference between two neighbours: where it is greater than the signal's own, something clicks. */
export const largestStep = (samples: Int16Array): number =>
  samples.reduce(
    (step, sample, n) => Math.max(step, n === 0 ? 0 : Math.abs(sample - (samples[n - 1] ?? 0))),
    0,
  )

/** How strong one frequency is, as the amplitude of its sine. */
export function amplitudeAt(hertz: number, rate: number, samples: Int16Array): number {
  let real = 0
  let imaginary = 0
  samples.forEach((sample, n) => {
    real += sample * Math.cos((2 * Math.PI * hertz * n) / rate)
    imaginary += sample * Math.sin((2 * Math.PI * hertz * n) / rate)
  })
  return (2 * Math.hypot(real, imaginary)) / samples.length
}
