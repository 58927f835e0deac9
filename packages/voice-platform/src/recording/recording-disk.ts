import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** A file that grows. Each method throws what the system says. */
export interface GrowingFile {
  /** Bytes so far. */
  readonly length: number
  append(bytes: Uint8Array): void
  /** Writes over what stands there. */
  replace(bytes: Uint8Array, at: number): void
  /** Reads what stands there, as far as there is something. */
  read(at: number, length: number): Uint8Array
  cut(length: number): void
  close(): void
}

/** Where recordings are written. */
export interface RecordingDisk {
  /** A new file, or one that is there to be mended. */
  open(name: string, mode: 'new' | 'mend'): GrowingFile
  /** Undefined: there is none. */
  lengthOf(name: string): number | undefined
  remove(name: string): void
  freeBytes(): number
}

/** A folder for this process's user alone. Throws where it cannot be made. */
export function recordingDisk(folder: string): RecordingDisk {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return {
    open: (name, mode) => openFile(join(folder, name), mode === 'new' ? 'wx+' : 'r+'),
    lengthOf: (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size,
    remove: (name) => rmSync(join(folder, name), { force: true }),
    freeBytes() {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    },
  }
}

function openFile(path: string, flags: 'wx+' | 'r+'): GrowingFile {
  const file = openSync(path, flags, 0o600)
  let length = statSync(path).size
  const write = (bytes: Uint8Array, at: number) => {
    for (let done = 0; done < bytes.length; )
      done += writeSync(file, bytes, done, bytes.length - done, at + done)
  }
  return {
    get length() {
      return length
    },
    append(bytes) {
      write(bytes, length)
      length += bytes.length
    },
    replace: write,
    read(at, most) {
      const bytes = new Uint8Array(most)
      return bytes.subarray(0, readSync(file, bytes, 0, most, at))
    },
    cut(to) {
      ftruncateSync(file, to)
      length = to
    },
    close: () => closeSync(file),
  }
}
