import { randomUUID } from 'node:crypto'
import { lstat, mkdir, opendir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileName, KINDS, type NamedRecording, type RecordingKind, readFileName } from './recording-files.js'
import type { RecordingFormat } from './sound-format.js'

const ID_FILE = 'disk-id'

/** The folder of the recordings. Its name in the database is an id of its own, so that it may be moved. */
export class RecordingFolder {
  readonly path: string
  #id: Promise<string | undefined> | undefined

  constructor(path: string) {
    this.path = path
  }

  /** Its id; undefined where nothing was recorded here yet. Rejects where it cannot be read. */
  async id(): Promise<string | undefined> {
    this.#id ??= this.#read()
    try {
      const id = await this.#id
      if (id === undefined) this.#id = undefined
      return id
    } catch (error) {
      this.#id = undefined
      throw error
    }
  }

  /** Its id; the folder is made where there is none. Rejects where it cannot be written. */
  async open(): Promise<string> {
    const known = await this.id()
    if (known !== undefined) return known
    await mkdir(this.path, { recursive: true, mode: 0o700 })
    try {
      await writeFile(join(this.path, ID_FILE), randomUUID(), { flag: 'wx', mode: 0o600, flush: true })
    } catch (error) {
      // Another process was first.
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const made = await this.id()
    if (made === undefined) throw new Error(`${join(this.path, ID_FILE)} cannot be read.`)
    return made
  }

  fileOf(callId: string, kind: RecordingKind, format: RecordingFormat): string {
    return join(this.path, fileName(callId, kind, format))
  }

  /** Removes the files of a call, if there are any. */
  async remove(callId: string, format: RecordingFormat): Promise<void> {
    await Promise.all(KINDS.map((kind) => rm(this.fileOf(callId, kind, format), { force: true })))
  }

  /** The recordings' files that are here, in no order; nothing else that lies here. */
  async *files(): AsyncGenerator<NamedRecording> {
    for await (const entry of await opendir(this.path)) {
      const named = entry.isFile() ? readFileName(entry.name) : undefined
      if (named) yield named
    }
  }

  /** Removes a file that nobody has written since then (milliseconds since 1970). False: somebody has, or it is gone. */
  async removeStill({ callId, kind, format }: NamedRecording, since: number): Promise<boolean> {
    const path = this.fileOf(callId, kind, format)
    try {
      if ((await lstat(path)).mtimeMs >= since) return false
      await rm(path)
      return true
    } catch (error) {
      // Another process has removed it.
      if (codeOf(error) === 'ENOENT') return false
      throw error
    }
  }

  async #read(): Promise<string | undefined> {
    try {
      return (await readFile(join(this.path, ID_FILE), 'utf8')).trim()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
