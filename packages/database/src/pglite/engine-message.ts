import type { ErrorFields } from '../database-error.js'
import type { RawResult } from '../rows.js'

/**
 * How a statement stands to the one session's transaction. The worker checks it before and after, so that neither
 * a stray `begin` nor a stray `commit` can mix one caller's work into another's.
 */
export type Standing = 'outside' | 'begin' | 'inside' | 'commit' | 'rollback'

/** From the main thread to the worker. `parameters` is null for a script of several statements. */
export type EngineRequest =
  | { type: 'run'; id: number; sql: string; parameters: (string | null)[] | null; standing: Standing }
  | { type: 'close' }

/** From the worker to the main thread. After `failed` it does not serve; after `broken` it ends. */
export type EngineReply =
  | { type: 'ready'; created: boolean }
  | { type: 'failed'; code: 'not_durable' | 'not_opened'; message: string }
  | { type: 'result'; id: number; result: RawResult }
  | { type: 'error'; id: number; error: ErrorFields }
  | { type: 'broken'; message: string }
  | { type: 'notification'; channel: string; payload: string }
