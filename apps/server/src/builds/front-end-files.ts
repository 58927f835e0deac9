import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that Vite has named by its content: it never changes. */
const HASHED = /^[^/]+-[\w-]{8}\.(js|css|svg|png)$/

/** `path`: below `/-/assets/`. */
export const isHashed = (path: string): boolean => HASHED.test(path)

/** A file as it was built: with compressed forms, or plain. */
export interface FrontEndFile {
  plain: Uint8Array<ArrayBuffer> | null
  gzip: Uint8Array<ArrayBuffer> | null
  brotli: Uint8Array<ArrayBuffer> | null
}

export interface FrontEndBuild {
  /** SHA-256 of names and contents, in hex. */
  id: string
  files: Map<string, FrontEndFile>
}

/** The hashed files of these folders; of those that share a name, the first, which is the one that is served. */
export async function readBuild(folders: readonly string[]): Promise<FrontEndBuild> {
  const files = new Map<string, FrontEndFile>()
  for (const folder of folders) {
    const names = new Set(await readdir(folder))
    for (const name of names)
      if (isHashed(name) && !files.has(name)) files.set(name, await read(folder, name, names))
  }
  const hash = createHash('sha256')
  const inOrder = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, { plain, gzip }] of inOrder) hash.update(`${name}\n`).update(plain ?? gzip ?? '')
  return { id: hash.digest('hex'), files }
}

async function read(folder: string, name: string, names: ReadonlySet<string>): Promise<FrontEndFile> {
  const form = async (end: string) =>
    names.has(name + end) ? await readFile(join(folder, name + end)) : null
  const [gzip, brotli] = await Promise.all([form('.gz'), form('.br')])
  return { plain: gzip ? null : await readFile(join(folder, name)), gzip, brotli }
}
