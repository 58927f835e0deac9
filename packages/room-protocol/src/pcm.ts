/** Copies a binary frame into samples. An odd trailing byte is dropped. */
export function samplesOf(bytes: ArrayBuffer | Uint8Array): Int16Array {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)
  const length = view.byteLength & ~1
  const samples = new Int16Array(length / 2)
  new Uint8Array(samples.buffer).set(view.subarray(0, length))
  return samples
}

/** The bytes of these samples, without a copy. The wire is little-endian, like all platforms that run JavaScript. */
export const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

/** Root mean square of these samples, 0 to 1. */
export function levelOf(samples: Int16Array): number {
  if (samples.length === 0) return 0
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / samples.length) / 32_768
}
