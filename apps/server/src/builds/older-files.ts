import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Clock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import type { FrontEndFile } from './front-end-files.js'
import { type PublishedBuilds, sizeOf } from './published-builds.js'
import { type Served, served } from './served.js'

/** What may be in memory: all forms of about four builds. */
const MOST_BYTES = 16_000_000
/** Strangers can ask for names that nobody has, as fast as they like: the database is asked once in so many ms. */
const ASKED_EVERY_MS = 1_000
/** Of one file. */
const LONGEST = 4_000_000

export interface OlderFilesOptions {
  published: Pick<PublishedBuilds, 'paths' | 'read'>
  clock?: Clock
}

const unzip = promisify(gunzip)

/**
 * The files of other builds, from the database. Their names are in memory, so what nobody has costs nothing; of their contents, those
 * that were asked for last.
 */
export class OlderFiles {
  readonly #published: OlderFilesOptions['published']
  /** Those who ask at the same time, or within a second, share one question. */
  readonly #asked: KeptAnswer<void>
  #names: ReadonlySet<string> = new Set()
  /** Begins with the one that was not asked for the longest. */
  readonly #kept = new Map<string, FrontEndFile>()
  #keptBytes = 0
  readonly #reading = new Map<string, Promise<FrontEndFile | undefined>>()

  constructor({ published, clock }: OlderFilesOptions) {
    this.#published = published
    const ask = async () => {
      this.#names = new Set(await published.paths())
    }
    this.#asked = new KeptAnswer({ ask, keptMs: ASKED_EVERY_MS, ...(clock && { clock }) })
  }

  /** Reads the names anew. Rejects as the database does; the names of before hold then. */
  refresh(): Promise<void> {
    return this.#asked.renew()
  }

  /**
   * The file in a form that the browser takes (`accept-encoding`); undefined when no build has it.
   * @throws DatabaseError when the database can't be asked
   */
  async find(path: string, accepted: string | undefined): Promise<Served | undefined> {
    if (!this.#names.has(path)) await this.#asked.get()
    if (!this.#names.has(path)) return undefined
    const file = await this.#file(path)
    return file && served(file, accepted)
  }

  #file(path: string): Promise<FrontEndFile | undefined> {
    const kept = this.#kept.get(path)
    if (kept) {
      this.#kept.delete(path)
      this.#kept.set(path, kept)
      return Promise.resolve(kept)
    }
    const reading = this.#reading.get(path) ?? this.#read(path).finally(() => this.#reading.delete(path))
    this.#reading.set(path, reading)
    return reading
  }

  async #read(path: string): Promise<FrontEndFile | undefined> {
    const stored = await this.#published.read(path)
    if (!stored) return undefined
    const file = await withPlain(stored)
    this.#kept.set(path, file)
    this.#keptBytes += sizeOf(file)
    for (const [oldest, { plain, gzip, brotli }] of this.#kept) {
      if (this.#keptBytes <= MOST_BYTES) break
      this.#kept.delete(oldest)
      this.#keptBytes -= sizeOf({ plain, gzip, brotli })
    }
    return file
  }
}

/** Unzipped once, so that nobody makes that happen for each request. */
async function withPlain(file: FrontEndFile): Promise<FrontEndFile> {
  if (file.plain || !file.gzip) return file
  return { ...file, plain: await unzip(file.gzip, { maxOutputLength: LONGEST }) }
}
