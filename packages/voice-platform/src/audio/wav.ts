const HEADER_BYTES = 44
const PCM = 1
const BYTES_PER_SAMPLE = 2

/** Samples with their rate, as a WAV file holds them. */
export interface WavAudio {
  samples: Int16Array
  /** Samples a second. */
  sampleRate: number
}

/** A WAV file (RIFF, PCM16, mono) of these samples. */
export function wavOf({ samples, sampleRate }: WavAudio): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * BYTES_PER_SAMPLE
  const bytes = new Uint8Array(HEADER_BYTES + dataBytes)
  const view = new DataView(bytes.buffer)
  writeTag(bytes, 0, 'RIFF')
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  writeTag(bytes, 8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, PCM, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * BYTES_PER_SAMPLE, true)
  view.setUint16(32, BYTES_PER_SAMPLE, true)
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true)
  writeTag(bytes, 36, 'data')
  view.setUint32(40, dataBytes, true)
  samples.forEach((sample, index) => {
    view.setInt16(HEADER_BYTES + index * BYTES_PER_SAMPLE, sample, true)
  })
  return bytes
}

/** Reads a WAV file of PCM16 mono. Other chunks are skipped, and the data chunk may be cut short. Throws a RangeError for anything else. */
export function readWav(bytes: Uint8Array): WavAudio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || tag(bytes, 0) !== 'RIFF' || tag(bytes, 8) !== 'WAVE')
    throw new RangeError('This is no WAV file.')
  let sampleRate: number | undefined
  for (let start = 12; start + 8 <= bytes.length; ) {
    const body = start + 8
    const length = Math.min(view.getUint32(start + 4, true), bytes.length - body)
    const name = tag(bytes, start)
    if (name === 'fmt ' && length >= 16) {
      const isPcm16Mono =
        view.getUint16(body, true) === PCM &&
        view.getUint16(body + 2, true) === 1 &&
        view.getUint16(body + 14, true) === 16
      if (!isPcm16Mono) throw new RangeError('Only WAV files of PCM16 mono can be read.')
      sampleRate = view.getUint32(body + 4, true)
    }
    if (name === 'data') {
      if (sampleRate === undefined) break
      const samples = new Int16Array(length >> 1)
      for (let index = 0; index < samples.length; index += 1)
        samples[index] = view.getInt16(body + index * BYTES_PER_SAMPLE, true)
      return { samples, sampleRate }
    }
    start = body + length + (length & 1)
  }
  throw new RangeError('This WAV file holds no format or no data.')
}

const tag = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

function writeTag(bytes: Uint8Array, at: number, text: string): void {
  for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index)
}
