import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFs } from './durable-fs.js'

const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), // fsync off
  ...['-c', 'wal_sync_method=fsync'], // the one that reaches `DurableFs`
  ...['-c', 'max_stack_depth=512kB'], // small enough to be noticed by Postgres, before WebAssembly overflows
]

/** Postgres would run, but a commit would not survive a power cut. */
export class NotDurableError extends Error {
  override readonly name = 'NotDurableError'
  readonly code = 'not_durable'
}

/**
 * Opens the database in `directory/pgdata`, created first where there is none. The file `pgdata.incomplete` stands while it is being
 * created: a process killed meanwhile leaves it behind, and the next start begins afresh. It never stands once `openCluster` has returned.
 */
export async function openCluster(directory: string): Promise<{ pglite: PGlite; created: boolean }> {
  const data = join(directory, 'pgdata')
  const incomplete = join(directory, 'pgdata.incomplete')
  if (existsSync(incomplete)) rmSync(data, { recursive: true, force: true })
  const created = !existsSync(data)
  if (created) {
    closeSync(openSync(incomplete, 'w', 0o600))
    syncPath(directory)
    mkdirSync(data, { mode: 0o700 })
  }
  const fs = new DurableFs(data)
  const pglite = await PGlite.create({ fs, startParams })
  await assertDurable(pglite, fs)
  if (created) {
    syncTree(data)
    rmSync(incomplete)
    syncPath(directory)
  }
  return { pglite, created }
}

/** Commits something real (a message in the log, no table needed) and sees that it was synced. */
export async function assertDurable(pglite: PGlite, fs: Pick<DurableFs, 'syncs'>): Promise<void> {
  const before = fs.syncs
  await pglite.exec("select pg_logical_emit_message(true, 'heyline', 'is a commit synced?')")
  if (fs.syncs > before) return
  await pglite.close()
  throw new NotDurableError(
    'PGlite committed without fsync, so data could be lost in a power cut. ' +
      'Install the exact version of @electric-sql/pglite that this package pins, or use DATABASE_URL.',
  )
}

/** What initdb does at its end: PGlite copies its files in without syncing any. */
function syncTree(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) syncTree(child)
    else if (entry.isFile()) syncPath(child)
  }
  syncPath(path)
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
