import type { ErrorFields } from '../db/database-error.js'
import type { RawResult } from '../db/rows.js'

/**
 * How a statement stands to the one session's transaction. The worker checks it before and after, so that neither
 * a stray `begin` nor a stray `commit` can mix one caller's work into another's.
 */
export type Standing = 'outside' | 'begin' | 'inside' | 'commit' | 'rollback'

/** What the worker is asked to do: a statement (prepared, where it has a name), a script of several (without parameters), or a copy of `pgdata` into a directory. */
export type Work =
  | {
      type: 'run'
      sql: string
      parameters: (string | null)[] | null
      standing: Standing
      name?: string | undefined
    }
  | { type: 'snapshot'; directory: string }

/** From the main thread to the worker: first which directory to open, with the memory of the `Pulse`. */
export type EngineRequest =
  | { type: 'open'; directory: string; memory: SharedArrayBuffer }
  | { type: 'work'; id: number; work: Work }
  | { type: 'close' }

/** The answer to one piece of work. */
export type EngineAnswer =
  | { type: 'result'; id: number; result: RawResult }
  | { type: 'error'; id: number; error: ErrorFields }

/** From the worker to the main thread. `badTemplate` is what `openCluster` says. After `failed` it does not serve; after `broken` it ends. */
export type EngineReply =
  | EngineAnswer
  | { type: 'ready'; created: boolean; badTemplate: string | undefined }
  | { type: 'failed'; code: 'not_durable' | 'not_opened'; message: string }
  | { type: 'broken'; message: string }
  | { type: 'notification'; channel: string; payload: string }
