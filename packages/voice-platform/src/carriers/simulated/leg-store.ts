import type { Db } from '@heyline/database'

/** A call that the simulated carrier has in hand. */
export interface SimulatedLeg {
  call_id: string
  /** E.164 both. */
  caller: string
  callee: string
}

/** Rings older than this are left over from a process that is gone, in seconds. */
const RINGS_AT_MOST = 120

const COLUMNS = 'call_id, caller, callee'

/**
 * The simulated carrier's legs in the database, for all processes. Each change is one statement that one process wins;
 * who wins the removal reports the leg's end.
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

  /** The call, while it rings; all that ring where no id is given. */
  async ringing(callId?: string): Promise<SimulatedLeg[]> {
    const { rows } = await this.#db.query<SimulatedLeg>(
      `select ${COLUMNS} from voice_platform.simulated_legs
       where state = 'ringing' and created_at > now() - interval '${RINGS_AT_MOST} seconds'
         and ($1::uuid is null or call_id = $1::uuid)`,
      [callId],
    )
    return rows
  }

  async exists(callId: string): Promise<boolean> {
    const { rows } = await this.#db.query(
      'select call_id from voice_platform.simulated_legs where call_id = $1',
      [callId],
    )
    return rows.length > 0
  }

  /** Picks up: true for the first. */
  answer(callId: string): Promise<boolean> {
    return this.#won(
      `update voice_platform.simulated_legs set state = 'answered' where call_id = $1 and state = 'ringing'`,
      callId,
    )
  }

  /** The one who picked up has come into the room. */
  connect(callId: string): Promise<boolean> {
    return this.#won(
      `update voice_platform.simulated_legs set state = 'connected' where call_id = $1 and state = 'answered'`,
      callId,
    )
  }

  /** Ends a leg that is in one of these states. */
  async remove(callId: string, states: readonly ('ringing' | 'answered' | 'connected')[]): Promise<boolean> {
    const { rows } = await this.#db.query(
      `delete from voice_platform.simulated_legs where call_id = $1 and state = any ($2::text[]) returning call_id`,
      [callId, `{${states.join(',')}}`],
    )
    return rows.length > 0
  }

  /** Forgets what processes left behind that are gone. No call is longer than a day (spec 9: 43200 s at most). */
  async removeOld(): Promise<void> {
    await this.#db.query(
      `delete from voice_platform.simulated_legs where created_at < now() - interval '1 day'`,
    )
  }

  async #won(sql: string, callId: string): Promise<boolean> {
    const { rows } = await this.#db.query(`${sql} returning call_id`, [callId])
    return rows.length > 0
  }
}
