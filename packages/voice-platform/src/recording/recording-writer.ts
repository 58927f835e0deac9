import { SAMPLE_RATE } from '@heyline/room-protocol'
import { OggOpus } from './ogg-opus.js'
import type { GrowingFile, RecordingDisk } from './recording-disk.js'
import { CHANNELS, fileName, type RecordingKind, type RecordingSize } from './recording-files.js'
import type { RecordingFormat, SoundFormat } from './sound-format.js'
import { WavFile } from './wav-file.js'

/** Free space that recordings leave on the disk, in bytes: the database and the logs need it. */
export const LEFT_FREE_BYTES = 256 * 1024 * 1024
/** The longest and largest recording. What is said after that is not recorded. */
export const MOST_SECONDS = 4 * 3600
export const MOST_BYTES = 1024 * 1024 * 1024
/** The free space is looked at each time so many bytes were written. */
const LOOK_EVERY_BYTES = 1024 * 1024

/** Why a recording ended before its call. */
export class RecordingEnd extends Error {
  override readonly name = 'RecordingEnd'
}

interface Track {
  kind: RecordingKind
  sound: SoundFormat
  file: GrowingFile
}

/** One call's two files while they grow. Every method may throw: a `RecordingEnd`, or what the disk or the encoder says. */
export class RecordingWriter {
  readonly #disk: RecordingDisk
  readonly #tracks: Track[]
  #samples = 0
  #lookAt = LOOK_EVERY_BYTES

  private constructor(disk: RecordingDisk, tracks: Track[]) {
    this.#disk = disk
    this.#tracks = tracks
  }

  static async open(disk: RecordingDisk, callId: string, format: RecordingFormat): Promise<RecordingWriter> {
    refuseFullDisk(disk)
    const tracks: Track[] = []
    const writer = new RecordingWriter(disk, tracks)
    try {
      for (const kind of ['stereo', 'mono'] as const) {
        const sound = await soundOf(format, CHANNELS[kind])
        const file = disk.open(fileName(callId, kind, format), 'new')
        tracks.push({ kind, sound, file })
        file.append(sound.header())
      }
      return writer
    } catch (error) {
      writer.close()
      throw error
    }
  }

  /** The caller's samples and the assistant's in turn. */
  add(both: Int16Array): void {
    this.#samples += both.length / 2
    const mixed = mixOf(both)
    for (const { kind, sound, file } of this.#tracks) file.append(sound.add(kind === 'mono' ? mixed : both))
    if (this.#samples > MOST_SECONDS * SAMPLE_RATE)
      throw new RecordingEnd(`it is ${MOST_SECONDS / 3600} hours long, which is the most`)
    if (this.#bytes > MOST_BYTES) throw new RecordingEnd(`it has ${MOST_BYTES} bytes, which is the most`)
    if (this.#bytes < this.#lookAt) return
    this.#lookAt = this.#bytes + LOOK_EVERY_BYTES
    refuseFullDisk(this.#disk)
  }

  /** Completes the files. They are closed in any case. */
  end(): RecordingSize {
    try {
      for (const { sound, file } of this.#tracks) {
        file.append(sound.end())
        const header = sound.mended(file.length)
        if (header) file.replace(header, 0)
      }
      return {
        seconds: this.#samples / SAMPLE_RATE,
        stereoBytes: this.#bytesOf('stereo'),
        monoBytes: this.#bytesOf('mono'),
      }
    } finally {
      this.close()
    }
  }

  /** Leaves the files as they are. Idempotent. */
  close(): void {
    for (const { sound, file } of this.#tracks.splice(0)) {
      sound.close()
      file.close()
    }
  }

  get #bytes(): number {
    return this.#bytesOf('stereo') + this.#bytesOf('mono')
  }

  #bytesOf(kind: RecordingKind): number {
    return this.#tracks.find((track) => track.kind === kind)?.file.length ?? 0
  }
}

async function soundOf(format: RecordingFormat, channels: 1 | 2): Promise<SoundFormat> {
  return format === 'ogg' ? await OggOpus.open(channels) : new WavFile(channels)
}

function refuseFullDisk(disk: RecordingDisk): void {
  if (disk.freeBytes() < LEFT_FREE_BYTES)
    throw new RecordingEnd(`the disk has less than ${LEFT_FREE_BYTES / 1024 / 1024} MB left`)
}

/** Both sides in one channel, as loud as they are: they rarely speak at once. */
function mixOf(both: Int16Array): Int16Array {
  const mixed = new Int16Array(both.length / 2)
  for (let index = 0; index < mixed.length; index += 1) {
    const sum = (both[index * 2] ?? 0) + (both[index * 2 + 1] ?? 0)
    mixed[index] = Math.max(-32_768, Math.min(32_767, sum))
  }
  return mixed
}
