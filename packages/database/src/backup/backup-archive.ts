import { createReadStream } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type ReadEntry, readArchive } from '../tar/read-archive.js'
import { BackupError } from './backup-error.js'
import { halfOfTheTime } from './half-of-the-time.js'
import { MANIFEST, MANIFEST_MOST, type Manifest, readManifest } from './manifest.js'
import { unpackRows } from './rows-archive.js'
import { isSealed, MAGIC_BYTES, open } from './sealed-backup.js'

/** A backup's file, and the secret that it was sealed with, if any. */
export interface BackupFile {
  file: string
  secret?: string | undefined
  /** Works half of the time only. */
  gently?: boolean | undefined
}

/**
 * Reads a backup from its beginning: `use` gets what it says of itself, and the entries behind that. One of before manifests has none.
 * @throws BackupError `no_secret`, `other_secret`, `other_version`, `not_a_backup`; errors of the file system pass through
 */
export async function readBackup<T>(
  backup: BackupFile,
  use: (manifest: Manifest | undefined, entries: AsyncGenerator<ReadEntry>) => Promise<T>,
): Promise<T> {
  const { file } = backup
  const text = await openedText(backup)
  let result: { value: T } | undefined
  try {
    await pipeline(text, createGunzip(), async (archive: AsyncIterable<Uint8Array>) => {
      const entries = readArchive(archive)
      const { value: first } = await entries.next()
      if (first?.path === MANIFEST) {
        const manifest = readManifest(await first.text(MANIFEST_MOST))
        result = { value: await use(manifest, entries) }
      } else result = { value: await use(undefined, startingWith(first, entries)) }
    })
  } catch (cause) {
    if (isOthers(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BackupError(
      'not_a_backup',
      `${file} is not a backup of this program, or is damaged: ${reason}`,
      { cause },
    )
  }
  if (!result) throw new BackupError('not_a_backup', `${file} holds nothing`)
  return result.value
}

/** Reads all of a backup, and resolves with what it says of itself; undefined for one of before manifests. @throws as `readBackup` */
export const checkBackup = (backup: BackupFile, signal?: AbortSignal): Promise<Manifest | undefined> =>
  readBackup(backup, async (manifest, entries) => {
    const passed = manifest?.kind === 'rows' ? unpackRows(entries) : entries
    for await (const _ of passed) signal?.throwIfAborted()
    return manifest
  }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw error
  })

/** What was said by whoever knows why: our own errors, those of the file system (no such file, disk full), and those of a database. */
const isOthers = (error: unknown): boolean =>
  error instanceof BackupError ||
  (error instanceof Error &&
    ('syscall' in error || error.name === 'DatabaseError' || error.name === 'MigrationError'))

async function openedText({ file, secret, gently = false }: BackupFile): Promise<Readable> {
  const handle = await openFile(file, 'r')
  const beginning = Buffer.alloc(MAGIC_BYTES)
  try {
    await handle.read(beginning, 0, MAGIC_BYTES, 0)
  } finally {
    await handle.close()
  }
  const bytes = createReadStream(file)
  if (!isSealed(beginning)) return bytesOf(bytes, gently)
  if (secret === undefined) {
    bytes.destroy()
    throw new BackupError(
      'no_secret',
      `${file} is sealed: set the HEYLINE_SECRET that its installation had then`,
    )
  }
  return bytesOf(open(bytes, secret), gently)
}

const bytesOf = (pieces: AsyncIterable<Uint8Array>, gently: boolean): Readable =>
  Readable.from(gently ? halfOfTheTime(pieces) : pieces, { objectMode: false })

async function* startingWith(
  first: ReadEntry | undefined,
  rest: AsyncGenerator<ReadEntry>,
): AsyncGenerator<ReadEntry> {
  if (first) yield first
  yield* rest
}
