/** Added to a magnitude so that every segment begins with a power of two (ITU-T G.711). */
const BIAS = 132
/** Largest magnitude that mu-law can express. */
const CLIP = 32_635

const DECODED = Int16Array.from({ length: 256 }, (_, byte) => decode(byte))

/** PCM16 samples as G.711 mu-law bytes, one byte a sample. */
export function encodeMuLaw(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length)
  for (let index = 0; index < samples.length; index += 1) bytes[index] = encode(samples[index] ?? 0)
  return bytes
}

/** G.711 mu-law bytes as PCM16 samples. */
export function decodeMuLaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length)
  for (let index = 0; index < bytes.length; index += 1) samples[index] = DECODED[bytes[index] ?? 0] ?? 0
  return samples
}

function encode(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), CLIP) + BIAS
  const segment = 31 - Math.clz32(magnitude >> 7)
  const step = (magnitude >> (segment + 3)) & 0x0f
  return ~(sign | (segment << 4) | step) & 0xff
}

function decode(byte: number): number {
  const bits = ~byte & 0xff
  const segment = (bits >> 4) & 0x07
  const magnitude = ((((bits & 0x0f) << 3) + BIAS) << segment) - BIAS
  return bits & 0x80 ? -magnitude : magnitude
}
