import type { Db } from '@heyline/database'
import { AskerLine } from '../work/asker-line.js'
import { type SentFile, takeFile } from './file-intake.js'
import type { FileRow } from './file-row.js'
import { type FileOwner, FileStore } from './file-store.js'
import { KnowledgeBaseStore } from './knowledge-base-store.js'
import { parserProcesses } from './parsing/parser-process.js'
import type { ReadSections } from './parsing/parser-thread.js'
import type { InTurn } from './passage-parts.js'

/** Most bytes of all files together. */
export const MOST_BYTES = 500_000_000

/** One file at a time: the processor and the database are for the calls. More of one asker are refused, so that others find room in memory. */
const TURNS = {
  own: { atOnce: 1, waiting: 3, longestMs: 60_000 },
  all: { atOnce: 1, waiting: 20, longestMs: 60_000 },
}

export interface KnowledgeOptions {
  /** `MOST_BYTES` by default. */
  mostBytes?: number | undefined
  /** Processes of its own by default. */
  read?: ReadSections
  /** Where knowledge bases are stored. One that takes no secrets by default. */
  bases?: KnowledgeBaseStore
}

/** What assistants look things up in: the files of the installation and of each visitor, and the knowledge bases over the first. */
export class Knowledge {
  readonly bases: KnowledgeBaseStore
  readonly #db: Db
  readonly #mostBytes: number
  readonly #read: ReadSections
  readonly #reading = new AskerLine(TURNS)
  readonly #storing = new AskerLine(TURNS)

  constructor(db: Db, { mostBytes = MOST_BYTES, read = parserProcesses(), bases }: KnowledgeOptions = {}) {
    this.#db = db
    this.#mostBytes = mostBytes
    this.#read = read
    this.bases = bases ?? new KnowledgeBaseStore(db)
  }

  files(owner: FileOwner): FileStore {
    return new FileStore(this.#db, owner)
  }

  /**
   * Stores a file and reads it, when it is the turn of whoever sends it. Rejects with a `FileRefused`, or as the check does, with nothing stored.
   *
   * @param asker The id of an operator, or the name of a key.
   * @param check Asked in each turn; rejects where whoever sends the file may not any more.
   */
  take(
    owner: FileOwner,
    file: SentFile,
    asker: string,
    check: () => Promise<unknown> = async () => {},
  ): Promise<FileRow> {
    const checked =
      <Result>(work: () => Promise<Result>) =>
      async () => {
        await check()
        return await work()
      }
    const read: ReadSections = (job) =>
      this.#reading.run(
        asker,
        checked(() => this.#read(job)),
      )
    const inTurn: InTurn = (work) => this.#storing.run(asker, checked(work))
    return takeFile(this.files(owner), { read, inTurn, mostBytes: this.#mostBytes }, file)
  }

  /** Those of these ids that are no file of the installation. */
  async missing(fileIds: readonly string[]): Promise<string[]> {
    if (fileIds.length === 0) return []
    const known = new Set(await this.files('installation').among(fileIds))
    return fileIds.filter((id) => !known.has(id.toLowerCase()))
  }
}
