import type { Db } from '@heyline/database'
import { LINE_CHANNEL, type LineNotice } from './line-notice.js'

/** A call that the simulated carrier has in hand. */
export interface SimulatedLeg {
  call_id: string
  /** E.164 both. */
  caller: string
  callee: string
}

export type LegState = 'ringing' | 'answered' | 'connected'

/** Rings older than this are left over from a process that is gone, in seconds. */
const RINGS_AT_MOST = 120

/** Who picked up and is not in the room after so long will not come, in seconds: three times what a process waits that heard of it. */
const ANSWERED_AT_MOST = 60

/**
 * The simulated carrier's legs in the database, for all processes. Each change is one statement that one process wins and that
 * tells all processes, so that no change goes untold; who wins the removal reports the leg's end.
 */
export class LegStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** False when the call has been dialled before. */
  async add(leg: SimulatedLeg): Promise<boolean> {
    const { rows } = await this.#db.query(
      `insert into voice_platform.simulated_legs (call_id, caller, callee) values ($1, $2, $3)
       on conflict (call_id) do nothing returning call_id`,
      [leg.call_id, leg.caller, leg.callee],
    )
    return rows.length > 0
  }

  /** The call, while it rings; all that ring where no id is given. What is left of a call that has ended rings for nobody. */
  async ringing(callId?: string): Promise<SimulatedLeg[]> {
    const { rows } = await this.#db.query<SimulatedLeg>(
      `select call_id, caller, callee from voice_platform.simulated_legs
       join voice_platform.calls on calls.id = call_id and calls.status <> 'ended'
       where state = 'ringing' and simulated_legs.created_at > now() - interval '${RINGS_AT_MOST} seconds'
         and ($1::uuid is null or call_id = $1::uuid)`,
      [callId],
    )
    return rows
  }

  /** Those of these calls whose legs are in one of these states. */
  async among(callIds: Iterable<string>, states: readonly LegState[]): Promise<Set<string>> {
    const { rows } = await this.#db.query<{ call_id: string }>(
      `select call_id from voice_platform.simulated_legs
       where call_id = any ($1::uuid[]) and state = any ($2::text[])`,
      [`{${[...callIds].join(',')}}`, `{${states.join(',')}}`],
    )
    return new Set(rows.map(({ call_id }) => call_id))
  }

  async exists(callId: string): Promise<boolean> {
    const found = await this.among([callId], ['ringing', 'answered', 'connected'])
    return found.size > 0
  }

  /** Picks up, with this phone where it is one: true for the first. */
  answer(callId: string, phone?: string): Promise<boolean> {
    return this.#won(
      `update voice_platform.simulated_legs set state = 'answered', answered_at = now()
       where call_id = $1 and state = 'ringing'`,
      { type: 'answered', callId, ...(phone !== undefined && { phone }) },
    )
  }

  /** The one who picked up has come into the room. */
  connect(callId: string): Promise<boolean> {
    return this.#won(
      `update voice_platform.simulated_legs set state = 'connected' where call_id = $1 and state = 'answered'`,
      { type: 'connected', callId },
    )
  }

  /** Ends a leg that is in one of these states. */
  remove(
    callId: string,
    states: readonly LegState[],
    reason: Extract<LineNotice, { type: 'stop' }>['reason'],
  ): Promise<boolean> {
    return this.#won(
      `delete from voice_platform.simulated_legs where call_id = $1 and state = any ($4::text[])`,
      { type: 'stop', callId, reason },
      [`{${states.join(',')}}`],
    )
  }

  /** Legs that were picked up and never came into the room, although whoever should have ended them did not hear of it. */
  async forgotten(): Promise<string[]> {
    const { rows } = await this.#db.query<{ call_id: string }>(
      `select call_id from voice_platform.simulated_legs
       where state = 'answered' and answered_at < now() - interval '${ANSWERED_AT_MOST} seconds'`,
    )
    return rows.map(({ call_id }) => call_id)
  }

  /** Forgets what processes left behind that are gone. No call is longer than a day: `maxDurationSeconds` is at most 43,200. */
  async removeOld(): Promise<void> {
    await this.#db.query(
      `delete from voice_platform.simulated_legs where created_at < now() - interval '1 day'`,
    )
  }

  async #won(change: string, notice: LineNotice, more: readonly unknown[] = []): Promise<boolean> {
    const { rows } = await this.#db.query(
      `with changed as (${change} returning call_id) select call_id, pg_notify($2, $3) from changed`,
      [notice.callId, LINE_CHANNEL, JSON.stringify(notice), ...more],
    )
    return rows.length > 0
  }
}
