import type { Db } from '@heyline/database'
import { CALL_COLUMNS, type CallRow } from '../calls/call-row.js'

/** The state of a room that a secret did not open. */
export interface RoomState {
  ended: boolean
  taken: boolean
  expired: boolean
  /** The secret is the room's own. If it did not open the room, it is spent. */
  known: boolean
}

/** The state of a room that a resume token did not open. */
export interface ReturnState {
  ended: boolean
  /** The platform's reason, of a call that has ended. */
  ended_reason: string | null
  /** The token is the room's own. */
  known: boolean
}

/**
 * The one seat of each call's room, in the database: whose secret it is, until when, and whether it is taken. Its times are the database's,
 * as any process may let the client in.
 */
export class SeatStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Stores a new secret for a phone call that nobody has answered, good for so many milliseconds. The last one is void. False when there is no such call. */
  async offer(callId: string, secretHash: string, forMs: number): Promise<boolean> {
    const { rows } = await this.#db.query(
      `update voice_platform.calls set room_secret_hash = $2, room_expires_at = now() + $3::float8 * interval '1 ms', updated_at = now()
       where id = $1 and type = 'outboundPhoneCall' and status in ('queued', 'ringing') and room_joined_at is null
       returning id`,
      [callId, secretHash, forMs],
    )
    return rows.length > 0
  }

  /** Trades the secret for the resume token, once. With `webCalls` false, only a phone call's. */
  async take(
    callId: string,
    secretHash: string,
    resumeHash: string,
    webCalls = true,
  ): Promise<CallRow | undefined> {
    const { rows } = await this.#db.query<CallRow>(
      `update voice_platform.calls set room_joined_at = now(), resume_token_hash = $3, updated_at = now()
       where id = $1 and room_secret_hash = $2 and room_joined_at is null and room_expires_at > now() and status <> 'ended'
         and ($4 or type <> 'webCall')
       returning ${CALL_COLUMNS}`,
      [callId, secretHash, resumeHash, webCalls],
    )
    return rows[0]
  }

  /** Stores the current resume token. */
  async keepToken(callId: string, resumeHash: string): Promise<void> {
    await this.#db.query(`update voice_platform.calls set resume_token_hash = $2 where id = $1`, [
      callId,
      resumeHash,
    ])
  }

  /** Why a resume token did not bring somebody back; undefined when there is no such room. */
  async lookBack(callId: string, tokenHash: string): Promise<ReturnState | undefined> {
    const { rows } = await this.#db.query<ReturnState>(
      `select ended_reason, status = 'ended' as ended, coalesce(resume_token_hash = $2, false) as known
       from voice_platform.calls where id = $1 and room_secret_hash is not null`,
      [callId, tokenHash],
    )
    return rows[0]
  }

  /** Why a secret did not open the room; undefined when there is none. */
  async look(callId: string, secretHash: string): Promise<RoomState | undefined> {
    const { rows } = await this.#db.query<RoomState>(
      `select status = 'ended' as ended, room_joined_at is not null as taken, room_secret_hash = $2 as known,
         room_joined_at is null and room_expires_at <= now() as expired
       from voice_platform.calls where id = $1 and room_secret_hash is not null`,
      [callId, secretHash],
    )
    return rows[0]
  }
}
