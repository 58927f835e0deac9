import type { Db, Queryable } from '@heyline/database'
import type { PlatformClient } from '@heyline/platform-client'
import { countListed } from '../gate/do-not-call.js'
import type { GateSettings } from '../gate/gate-settings.js'
import type { CallFilter } from '../records/call-filter.js'
import type { CallRecord } from '../records/call-record.js'
import { endOneCall } from '../records/end-one-call.js'
import { exportCalls } from '../records/export-calls.js'
import { CallWords, type LiveWords, type RecordedCall } from '../records/live-words.js'
import { countRefusals, type RefusalCount } from '../records/refusal-counts.js'
import { type FoundCalls, searchCalls } from '../records/search-calls.js'
import { readSpend, type SpendDay } from '../records/spend.js'
import type { WebGateSettings } from '../web-calls/web-gate-settings.js'
import { type LimitUse, readLimitUse } from './limit-use.js'
import { type RemovedCall, removeCall } from './remove-call.js'

/** Removes what others have of a call, in the transaction that removes its record. */
export type AlsoHere = (tx: Queryable, removed: RemovedCall) => Promise<void>

/** What the console does with the desk's records beside `CallOffice`. What can't be had rejects with a `RecordsError`. */
export interface OperatorDesk {
  search(filter: CallFilter, page: { limit: number; after?: string | undefined }): Promise<FoundCalls>
  /** The calls of a filter, the oldest first, in parts. */
  export(filter: CallFilter): AsyncIterable<CallRecord[]>
  /** What was said in a call so far. */
  words(id: string): Promise<LiveWords>
  /** Where a call is heard, and when what was said. */
  recording(id: string): Promise<RecordedCall>
  /** Has a running call ended, as the pause would. */
  end(id: string): Promise<{ id: string }>
  /** Removes the record of a call that is over; `alsoHere` removes what others have of it, in the same transaction. */
  remove(id: string, alsoHere: AlsoHere): Promise<RemovedCall>
  limitUse(gate: GateSettings, webGate: WebGateSettings): Promise<LimitUse>
  spend(days: number): Promise<SpendDay[]>
  refusals(): Promise<RefusalCount[]>
  /** How many of these numbers (E.164, each once) are on the do-not-call list. */
  countListed(phones: readonly string[]): Promise<number>
}

export function createOperatorDesk(db: Db, platform: PlatformClient): OperatorDesk {
  const words = new CallWords(db, platform)
  return {
    search: (filter, page) => searchCalls(db, filter, page),
    export: (filter) => exportCalls(db, filter),
    words: (id) => words.of(id),
    recording: (id) => words.recordingOf(id),
    end: (id) => endOneCall(db, id),
    remove: (id, alsoHere) => removeWith(db, id, alsoHere),
    limitUse: (gate, webGate) => readLimitUse(db, gate, webGate),
    spend: (days) => readSpend(db, days),
    refusals: () => countRefusals(db),
    countListed: (phones) => countListed(db, phones),
  }
}

const removeWith = (db: Db, id: string, alsoHere: AlsoHere): Promise<RemovedCall> =>
  db.transaction(async (tx) => {
    const removed = await removeCall(tx, id)
    await alsoHere(tx, removed)
    return removed
  })
