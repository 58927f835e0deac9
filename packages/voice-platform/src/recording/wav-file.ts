import { bytesOf, SAMPLE_RATE } from '@heyline/room-protocol'
import type { SoundFormat } from './sound-format.js'

export const WAV_HEADER_BYTES = 44
const BYTES_PER_SAMPLE = 2
/** The format holds its length in 32 bits. */
const MOST_BYTES = 0xffffffff

/** One call as WAV (RIFF, PCM16). Its header tells the length, so it is written again when the sound is over. */
export class WavFile implements SoundFormat {
  readonly #channels: 1 | 2

  constructor(channels: 1 | 2) {
    this.#channels = channels
  }

  header(): Uint8Array {
    return wavHeader(this.#channels, 0)
  }

  add(samples: Int16Array): Uint8Array {
    return bytesOf(samples)
  }

  end(): Uint8Array {
    return new Uint8Array(0)
  }

  mended(bytes: number): Uint8Array {
    return wavHeader(this.#channels, bytes - WAV_HEADER_BYTES)
  }

  close(): void {}
}

/** The first 44 bytes of a file with so many bytes of samples. */
export function wavHeader(channels: number, dataBytes: number): Uint8Array {
  const header = Buffer.alloc(WAV_HEADER_BYTES)
  const frameBytes = channels * BYTES_PER_SAMPLE
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(Math.min(MOST_BYTES, WAV_HEADER_BYTES - 8 + dataBytes), 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(SAMPLE_RATE, 24)
  header.writeUInt32LE(SAMPLE_RATE * frameBytes, 28)
  header.writeUInt16LE(frameBytes, 32)
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(Math.min(MOST_BYTES, dataBytes), 40)
  return header
}

/** How many seconds of sound a file of this length holds. */
export const wavSeconds = (bytes: number, channels: number): number =>
  Math.max(0, bytes - WAV_HEADER_BYTES) / (SAMPLE_RATE * channels * BYTES_PER_SAMPLE)
