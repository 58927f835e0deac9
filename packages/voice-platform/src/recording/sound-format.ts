/** How a recording is written: what `RECORDING_FORMAT` names. */
export type RecordingFormat = 'ogg' | 'wav'

export const CONTENT_TYPES: Readonly<Record<RecordingFormat, string>> = { ogg: 'audio/ogg', wav: 'audio/wav' }

/** A file of sound as it grows. Each result is what is to be appended to it. */
export interface SoundFormat {
  header(): Uint8Array
  /** Samples of all channels in turn, 16 kHz. */
  add(samples: Int16Array): Uint8Array
  /** The end of the sound. Nothing comes after it. */
  end(): Uint8Array
  /** What stands at the beginning of a finished file of so many bytes; undefined where the header needs no change. */
  mended(bytes: number): Uint8Array | undefined
  /** Gives back what it holds. */
  close(): void
}
