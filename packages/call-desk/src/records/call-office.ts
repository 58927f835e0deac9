import type { Db } from '@heyline/database'
import { writeAudit } from '../gate/audit.js'
import { SLUG_TOTALS_LOCK } from '../gate/slug-totals.js'
import { pauseCalls, resumeCalls } from '../gate/switches.js'
import type { CallChange, CallRecord } from './call-record.js'
import { type DeskStatus, readStatus } from './desk-status.js'
import { createDoNotCall, type DoNotCall } from './do-not-call-office.js'
import { exportCalls } from './export-calls.js'
import { findCall } from './find-call.js'
import { followCalls } from './follow-calls.js'
import { type CallPage, type CallQuery, listCalls } from './list-calls.js'
import { RecordsError } from './records-error.js'

/**
 * The desk's records and switches, as an operator uses them, with any number of processes at work. What can't be had rejects with a
 * `RecordsError`.
 */
export interface CallOffice {
  /** A page of requests, the newest first. */
  list(query: CallQuery): Promise<CallPage>
  /** All that is stored of the request with this id, or the one id that begins so (six characters or more). */
  show(id: string): Promise<CallRecord>
  /** All of them, the oldest first, in parts. */
  export(): AsyncIterable<CallRecord[]>
  /** Changes of state from now on, until the signal is aborted; an empty part comes first, where the database is at hand. */
  follow(signal: AbortSignal): AsyncIterable<CallChange[]>
  status(): Promise<DeskStatus>
  /** Stops all dialling, and ends the calls that are in flight. When it resolves, nothing is dialled any more. */
  pause(): Promise<DeskStatus>
  /** Lets calls be placed again, after a pause and after the circuit breaker. */
  resume(): Promise<DeskStatus>
  /** Counts a visitor's lifetime limit from now on, whatever case the slug is given in. Resolves with the slug as the records have it. */
  resetSlug(slug: string): Promise<{ slug: string }>
  readonly doNotCall: DoNotCall
}

export function createCallOffice(db: Db): CallOffice {
  return {
    list: (query) => listCalls(db, query),
    show: (id) => findCall(db, id),
    export: () => exportCalls(db),
    follow: (signal) => followCalls(db, signal),
    status: () => readStatus(db),
    async pause() {
      await pauseCalls(db)
      return readStatus(db)
    },
    async resume() {
      await resumeCalls(db)
      return readStatus(db)
    },
    resetSlug: (slug) => resetSlug(db, slug),
    doNotCall: createDoNotCall(db),
  }
}

async function resetSlug(db: Db, slug: string): Promise<{ slug: string }> {
  return db.transaction(async (tx) => {
    await tx.query(`select ${SLUG_TOTALS_LOCK}`)
    const { rows } = await tx.query<{ slug: string }>(
      `with reset as (delete from call_desk.slug_totals where lower(slug) = lower($1))
       insert into call_desk.slug_resets (slug, at)
       select slug, now() from call_desk.call_requests where lower(slug) = lower($1)
       union select slug, now() from call_desk.slug_totals where lower(slug) = lower($1)
       on conflict (slug) do update set at = now() returning slug`,
      [slug],
    )
    const [reset] = rows
    if (!reset)
      throw new RecordsError(
        'slug_not_called',
        `The page of "${slug}" has asked for no call: see heyline calls list`,
      )
    await writeAudit(tx, 'slug_reset', reset)
    return reset
  })
}
