import { MemoryFile } from './memory-file.js'
import { type LinearMemory, WasiMemory } from './wasi-memory.js'

const SUCCESS = 0
const BAD_DESCRIPTOR = 8
const INVALID = 28
const NO_SPACE = 51

/** The directory that the program may write in, and the one file it writes there. */
const DIRECTORY = 3
const FILE = 4
const DIRECTORY_NAME = new TextEncoder().encode('.')

const FILE_TYPES: Record<number, number> = { [DIRECTORY]: 3, [FILE]: 4 }
const CHARACTER_DEVICE = 2
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn
/** Most characters kept of what the program prints: enough for its reason to fail. */
const MOST_PRINTED = 2000

/** The program called `exit`; not a failure by itself. */
export class WasiExit extends Error {
  override readonly name = 'WasiExit'
  readonly code: number

  constructor(code: number) {
    super(`The program ended with exit code ${code}.`)
    this.code = code
  }
}

/**
 * The system under a small command-line program in WebAssembly: arguments in if it takes any, one file out, no disk, no network. It serves the 13
 * calls of WASI preview 1 that flite makes. Every opened path is the same file in memory. Standard input is empty.
 */
export class WasiProcess {
  readonly file = new MemoryFile()
  readonly #memory = new WasiMemory()
  readonly #arguments: Uint8Array[]
  #printed = ''

  constructor(args: readonly string[] = []) {
    const encoder = new TextEncoder()
    this.#arguments = args.map((argument) => encoder.encode(`${argument.replaceAll('\0', ' ')}\0`))
  }

  /** What the program wrote to its standard output and standard error. */
  get printed(): string {
    return this.#printed.trim()
  }

  attach(memory: LinearMemory): void {
    this.#memory.attach(memory)
  }

  /** The functions of `wasi_snapshot_preview1`; each returns an errno. 64-bit arguments come as bigint. */
  readonly imports = {
    args_sizes_get: (countAt: number, bytesAt: number): number => {
      this.#memory.setUint32(countAt, this.#arguments.length)
      this.#memory.setUint32(
        bytesAt,
        this.#arguments.reduce((sum, { length }) => sum + length, 0),
      )
      return SUCCESS
    },
    args_get: (pointersAt: number, bytesAt: number): number => {
      let at = bytesAt
      this.#arguments.forEach((argument, index) => {
        this.#memory.setUint32(pointersAt + 4 * index, at)
        this.#memory.setBytes(at, argument)
        at += argument.length
      })
      return SUCCESS
    },
    clock_time_get: (_clock: number, _precision: bigint, at: number): number => {
      this.#memory.setUint64(at, process.hrtime.bigint())
      return SUCCESS
    },
    fd_prestat_get: (descriptor: number, at: number): number => {
      if (descriptor !== DIRECTORY) return BAD_DESCRIPTOR
      this.#memory.setUint8(at, 0)
      this.#memory.setUint32(at + 4, DIRECTORY_NAME.length)
      return SUCCESS
    },
    fd_prestat_dir_name: (_descriptor: number, at: number, length: number): number => {
      this.#memory.setBytes(at, DIRECTORY_NAME.subarray(0, length))
      return SUCCESS
    },
    fd_fdstat_get: (descriptor: number, at: number): number => {
      this.#memory.setBytes(at, new Uint8Array(24))
      this.#memory.setUint8(at, FILE_TYPES[descriptor] ?? CHARACTER_DEVICE)
      this.#memory.setUint64(at + 8, ALL_RIGHTS)
      this.#memory.setUint64(at + 16, ALL_RIGHTS)
      return SUCCESS
    },
    fd_fdstat_set_flags: (): number => SUCCESS,
    fd_close: (): number => SUCCESS,
    fd_read: (_descriptor: number, _buffers: number, _count: number, readAt: number): number => {
      this.#memory.setUint32(readAt, 0)
      return SUCCESS
    },
    path_open: (
      _directory: number,
      _lookup: number,
      _path: number,
      _pathLength: number,
      _flags: number,
      _rights: bigint,
      _inherited: bigint,
      _descriptorFlags: number,
      descriptorAt: number,
    ): number => {
      this.#memory.setUint32(descriptorAt, FILE)
      return SUCCESS
    },
    fd_seek: (_descriptor: number, offset: bigint, whence: number, positionAt: number): number => {
      const position = this.file.seek(Number(offset), whence)
      if (position < 0) return INVALID
      this.#memory.setUint64(positionAt, BigInt(position))
      return SUCCESS
    },
    fd_write: (descriptor: number, buffersAt: number, count: number, writtenAt: number): number => {
      let written = 0
      for (const bytes of this.#memory.buffers(buffersAt, count)) {
        if (descriptor === FILE) {
          if (!this.file.write(bytes)) return NO_SPACE
        } else this.#print(bytes)
        written += bytes.length
      }
      this.#memory.setUint32(writtenAt, written)
      return SUCCESS
    },
    proc_exit: (code: number): never => {
      throw new WasiExit(code)
    },
  }

  #print(bytes: Uint8Array): void {
    if (this.#printed.length < MOST_PRINTED) this.#printed += new TextDecoder().decode(bytes.slice())
  }
}
