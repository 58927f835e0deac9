import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { FILES } from '../directory/directory-files.js'
import { syncPath, syncTree } from '../disk/sync.js'
import { createCluster } from '../template/create-cluster.js'
import { DurableFs } from './durable-fs.js'
import type { Pulse } from './pulse.js'

const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'), // fsync off
  ...['-c', 'wal_sync_method=fsync'], // the one that reaches `DurableFs`
  ...['-c', 'shared_buffers=16MB'], // of 128: the system keeps the files anyway, and reads cost a tenth more at most
  ...['-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'], // files of the log that are kept for what comes; `log-length.ts` makes the checkpoints
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
 * `badTemplate`: what is wrong with the template, so that the database was created without it.
 */
export async function openCluster(
  directory: string,
  pulse: Pulse,
): Promise<{ pglite: PGlite; created: boolean; badTemplate: string | undefined }> {
  const data = join(directory, FILES.data)
  const incomplete = join(directory, FILES.incomplete)
  const created = !existsSync(data)
  let badTemplate: string | undefined
  if (created) {
    closeSync(openSync(incomplete, 'w', 0o600))
    syncPath(directory)
    badTemplate = await createCluster(directory)
    await syncTree(data) // PGlite's initdb syncs nothing, and neither does unpacking
  }
  const fs = new DurableFs(data, pulse)
  const pglite = await PGlite.create({ fs, startParams: START_PARAMS })
  await assertDurable(pglite, fs)
  if (created) {
    rmSync(incomplete)
    syncPath(directory)
  }
  return { pglite, created, badTemplate }
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
