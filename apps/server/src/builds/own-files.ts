import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@heyline/kit/clock'
import { KeptAnswer } from '@heyline/kit/kept-answer'
import { type FrontEndFile, isHashed } from './front-end-files.js'
import { type Served, served } from './served.js'

/** How long what may change is kept, in ms: what is there, and a file whose name says nothing of its content. */
const KEPT_MS = 1_000

/**
 * The files of this build, each read once: anybody may ask for them as often as he likes, and from the disk each answer would cost several
 * times as much. Only what lies there is kept, so the build bounds the memory.
 */
export class OwnFiles {
  readonly #clock: Pick<Clock, 'monotonic'> | undefined
  /** The folder of each file, by its path below. */
  readonly #folders: KeptAnswer<ReadonlyMap<string, string>>
  #known: ReadonlyMap<string, string> = new Map()
  readonly #files = new Map<string, KeptAnswer<FrontEndFile>>()

  /** Of files that share a path, that of the first folder is served. */
  constructor(folders: readonly string[], clock?: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
    const ask = async () => {
      const lists = await Promise.all(folders.map(filesIn))
      return new Map(
        lists.flatMap((paths, place) => paths.map((path) => [path, folders[place] ?? ''] as const)).reverse(),
      )
    }
    this.#folders = new KeptAnswer({ ask, keptMs: KEPT_MS, ...(clock && { clock }) })
  }

  /** The file in a form that the browser takes (`accept-encoding`); undefined where there is none. Rejects where the disk fails. */
  async find(path: string, accepted: string | undefined): Promise<Served | undefined> {
    if (!this.#known.has(path)) this.#known = await this.#folders.get()
    const folder = this.#known.get(path)
    if (folder === undefined) return undefined
    return served(await this.#file(folder, path), accepted)
  }

  async #file(folder: string, path: string): Promise<FrontEndFile> {
    const ask = () => read(folder, path, this.#known)
    const keptMs = isHashed(path) ? Number.POSITIVE_INFINITY : KEPT_MS
    const file =
      this.#files.get(path) ?? new KeptAnswer({ ask, keptMs, ...(this.#clock && { clock: this.#clock }) })
    this.#files.set(path, file)
    try {
      return await file.get()
    } catch (error) {
      this.#files.delete(path)
      throw error
    }
  }
}

/** Paths below a folder, with slashes. None where there is no such folder. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    return names
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name).slice(join(folder, '/').length).replaceAll('\\', '/'),
      )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function read(folder: string, path: string, known: ReadonlyMap<string, string>): Promise<FrontEndFile> {
  const form = async (end: string) =>
    known.get(path + end) === folder ? await readFile(join(folder, path + end)) : null
  const [plain, gzip, brotli] = await Promise.all(['', '.gz', '.br'].map(form))
  return { plain: plain ?? null, gzip: gzip ?? null, brotli: brotli ?? null }
}
