import { asLastPage, ENDS, type ReadPage, readOggPage } from './ogg-page.js'
import type { GrowingFile, RecordingDisk } from './recording-disk.js'
import { CHANNELS, fileName, KINDS, type RecordingSize } from './recording-files.js'
import type { RecordingFormat } from './sound-format.js'
import { WAV_HEADER_BYTES, wavHeader, wavSeconds } from './wav-file.js'

/** The largest page has 27 + 255 + 255 · 255 bytes; this many hold at least one whole. */
const TAIL_BYTES = 2 * 65_536
const GRANULES_PER_SECOND = 48_000

/** Completes what a process has left that was killed while it wrote. Undefined where nothing of the call was written. May throw. */
export function mendRecording(
  disk: RecordingDisk,
  callId: string,
  format: RecordingFormat,
): RecordingSize | undefined {
  const [stereo, mono] = KINDS.map((kind) =>
    mendFile(disk, fileName(callId, kind, format), format, CHANNELS[kind]),
  )
  if (!stereo || !mono) return undefined
  return { seconds: stereo.seconds, stereoBytes: stereo.bytes, monoBytes: mono.bytes }
}

function mendFile(disk: RecordingDisk, name: string, format: RecordingFormat, channels: number) {
  if (disk.lengthOf(name) === undefined) return undefined
  const file = disk.open(name, 'mend')
  try {
    return format === 'ogg' ? mendOgg(file) : mendWav(file, channels)
  } finally {
    file.close()
  }
}

/** Whatever stands behind the last whole page goes, and that page becomes the last of its stream. */
function mendOgg(file: GrowingFile) {
  const from = Math.max(0, file.length - TAIL_BYTES)
  const last = lastPage(file.read(from, TAIL_BYTES))
  if (!last) return undefined
  file.cut(from + last.at + last.length)
  if ((last.flags & ENDS) === 0) file.replace(asLastPage(last), from + last.at)
  return { seconds: last.granule / GRANULES_PER_SECOND, bytes: file.length }
}

function lastPage(bytes: Uint8Array): ReadPage | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = view.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : view.lastIndexOf('OggS', at - 1)) {
    const page = readOggPage(view, at)
    if (page) return page
  }
  return undefined
}

function mendWav(file: GrowingFile, channels: number) {
  if (file.length < WAV_HEADER_BYTES) return undefined
  const frameBytes = channels * 2
  const whole = Math.floor((file.length - WAV_HEADER_BYTES) / frameBytes) * frameBytes
  file.cut(WAV_HEADER_BYTES + whole)
  file.replace(wavHeader(channels, whole), 0)
  return { seconds: wavSeconds(file.length, channels), bytes: file.length }
}
