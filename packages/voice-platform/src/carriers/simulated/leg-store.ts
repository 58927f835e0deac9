import type { Db } from '@heyline/database'
import type { LegEnd } from '../carrier.js'
import { type CallNotice, LINE_CHANNEL } from './line-notice.js'

/** A call of the simulated carrier. */
export interface SimulatedLeg {
  call_id: string
  /** E.164 both. */
  caller: string
  callee: string
  /** The call that is transferred to the callee; left out or null where the leg is the call's own. */
  transfer_of?: string | null
}

/** A leg that is over. */
export type EndedLeg = Pick<SimulatedLeg, 'call_id' | 'transfer_of'>

export type LegState = 'ringing' | 'answered' | 'connected'

/** A ring older than this was left over by a process that is gone, in seconds. */
const RINGS_AT_MOST = 120

/** Whoever picked up and has not come into the room after this long will not come, in seconds. A process that knows of it waits a third of that. */
const ANSWERED_AT_MOST = 60

/**
 * The simulated carrier's legs in the database, for all processes. Each change is one statement. One process wins it, and the same
 * statement tells all processes. The process that wins the removal reports the leg's end.
 */
export class LegStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** False when the call has been dialled before, or is being transferred already. */
  async add(leg: SimulatedLeg): Promise<boolean> {
    const { rows } = await this.#db.query(
      `insert into voice_platform.simulated_legs (call_id, caller, callee, transfer_of) values ($1, $2, $3, $4)
       on conflict do nothing returning call_id`,
      [leg.call_id, leg.caller, leg.callee, leg.transfer_of],
    )
    return rows.length > 0
  }

  /** The legs that ring: this call's, or all. A leg whose call has ended does not count. */
  async ringing(callId?: string): Promise<SimulatedLeg[]> {
    const { rows } = await this.#db.query<SimulatedLeg>(
      `select call_id, caller, callee, transfer_of from voice_platform.simulated_legs
       join voice_platform.calls on calls.id = coalesce(transfer_of, call_id) and calls.status <> 'ended'
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

  /** Picks up, with this phone if it is one. True for the first to do so. */
  answer(callId: string, phone?: string): Promise<boolean> {
    return this.#won(
      `update voice_platform.simulated_legs set state = 'answered', answered_at = now()
       where call_id = $1 and state = 'ringing'`,
      { type: 'answered', callId, ...(phone !== undefined && { phone }) },
    )
  }

  /** Lets whoever has picked up a transferred call into a room, for so many milliseconds. Resolves with that call; undefined for any other leg. */
  async offerRoom(callId: string, secretHash: string, forMs: number): Promise<string | undefined> {
    const { rows } = await this.#db.query<{ transfer_of: string }>(
      `update voice_platform.simulated_legs set room_secret_hash = $2, room_expires_at = now() + $3::float8 * interval '1 ms'
       where call_id = $1 and transfer_of is not null and state = 'answered' returning transfer_of`,
      [callId, secretHash, forMs],
    )
    return rows[0]?.transfer_of
  }

  /** Somebody brings the secret of that room. True once, in time. */
  async takeRoom(callId: string, secretHash: string): Promise<boolean> {
    const { rows } = await this.#db.query(
      `update voice_platform.simulated_legs set room_secret_hash = null
       where call_id = $1 and room_secret_hash = $2 and room_expires_at > now() and state = 'answered' returning call_id`,
      [callId, secretHash],
    )
    return rows.length > 0
  }

  /** Whoever picked up has come into the room. */
  connect(callId: string): Promise<boolean> {
    return this.#won(
      `update voice_platform.simulated_legs set state = 'connected' where call_id = $1 and state = 'answered'`,
      { type: 'connected', callId },
    )
  }

  /** Ends a leg that is in one of these states. Resolves with what it was, for the one who ended it. */
  async remove(callId: string, states: readonly LegState[], end: LegEnd): Promise<EndedLeg | undefined> {
    const reason = end === 'no-answer' ? 'no-answer' : 'canceled'
    const [leg] = await this.#changed(
      `delete from voice_platform.simulated_legs where call_id = $1 and state = any ($4::text[])`,
      { type: 'stop', callId, reason, end },
      [`{${states.join(',')}}`],
    )
    return leg
  }

  /** Legs that were picked up and never came into the room. Normally the process that dialled ends them; it did not hear of these. */
  async forgotten(): Promise<string[]> {
    const { rows } = await this.#db.query<{ call_id: string }>(
      `select call_id from voice_platform.simulated_legs
       where state = 'answered' and answered_at < now() - interval '${ANSWERED_AT_MOST} seconds'`,
    )
    return rows.map(({ call_id }) => call_id)
  }

  /** Deletes legs that gone processes left behind. No call is longer than a day: `maxDurationSeconds` is at most 43,200. */
  async removeOld(): Promise<void> {
    await this.#db.query(
      `delete from voice_platform.simulated_legs where created_at < now() - interval '1 day'`,
    )
  }

  async #won(change: string, notice: CallNotice): Promise<boolean> {
    return (await this.#changed(change, notice)).length > 0
  }

  async #changed(change: string, notice: CallNotice, more: readonly unknown[] = []): Promise<EndedLeg[]> {
    const { rows } = await this.#db.query<EndedLeg>(
      `with changed as (${change} returning call_id, transfer_of)
       select call_id, transfer_of, pg_notify($2, $3) from changed`,
      [notice.callId, LINE_CHANNEL, JSON.stringify(notice), ...more],
    )
    return rows
  }
}
