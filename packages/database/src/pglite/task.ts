import { DatabaseError } from '../db/database-error.js'
import type { RawResult } from '../db/rows.js'
import type { Work } from './engine-message.js'

/** A transaction as the session sees it. */
export interface Holder {
  /** The thread that it ran in is gone, and recovery has rolled it back. */
  lost: boolean
}

/** One piece of work that was asked for and is not yet answered. */
export interface Task {
  work: Work
  /** The transaction that it belongs to. */
  holder: Holder | undefined
  /** Longest that it may run, in ms. */
  patienceMs: number
  /** Its number in the engine that it was posted to. */
  id?: number
  resolve(result: RawResult): void
  reject(error: Error): void
}

export const NOTHING: RawResult = { fields: [], rows: [], affected: 0 }

/** What becomes of a transaction's statement that had not begun when the transaction was lost: as Postgres answers it. */
export function settleLost({ work, resolve, reject }: Task): void {
  const standing = work.type === 'run' ? work.standing : 'outside'
  if (standing === 'rollback') resolve(NOTHING)
  else if (standing === 'commit') reject(DatabaseError.rolledBack())
  else reject(DatabaseError.aborted())
}

/** Whether it may have had an effect of its own by the time its thread ended; within a transaction, that is rolled back. */
export function mayCommit({ work }: Task): boolean {
  return work.type === 'run' && (work.standing === 'outside' || work.standing === 'commit')
}
