import type { Db } from '@heyline/database'
import { isCallId } from '../../resources/call-id.js'
import type { DialRequest } from '../carrier.js'
import { type AnsweredBy, LEG_CHANNEL, type LegNotice } from './leg-notice.js'

/** How long a leg with audio goes without a question, in milliseconds: it may have ended without a word, its socket still open. */
export const ANSWERED_MS = 60_000

export type LegState = 'placing' | 'ringing' | 'answered'

/** A leg as it is stored. */
export interface LegRow {
  call_id: string
  /** Twilio's id (`CallSid`), where it is known. */
  provider_id: string | null
  state: LegState
  hanging_up: boolean
  machines: DialRequest['machines'] | null
  answered_by: AnsweredBy | null
}

/** A leg that nothing was heard of for too long. */
export interface SilentLeg extends LegRow {
  looked_in_vain: number
}

const COLUMNS = 'l.call_id, l.provider_id, l.state, l.hanging_up, l.machines, l.answered_by'

/** So many milliseconds from now. */
const later = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 ms'`

/** `$1` is the call, `$2` Twilio's id of it: a leg with another id is another call's. */
const THIS_LEG = 'l.call_id = $1 and (l.provider_id is null or l.provider_id = $2)'

/**
 * The legs in the database, for all processes. Each change is one statement, and one process wins it: whoever removes a leg reports its
 * end, and the same statement tells all processes. When a leg is looked at, and how long a key is good, is told by the database's clock, as
 * another process may be the one that looks or is asked.
 */
export class LegStore {
  readonly #db: Db
  readonly #holder: string

  /** `holder` is this process. */
  constructor(db: Db, holder: string) {
    this.#db = db
    this.#holder = holder
  }

  /** Before the call is placed. It is looked at after so many milliseconds. False when the call was dialled before. */
  async add(callId: string, lookInMs: number, machines?: DialRequest['machines']): Promise<boolean> {
    const rows = await this.#rows(
      `insert into voice_platform.carrier_legs as l (call_id, holder, look_at, machines)
       values ($1, $2, ${later('$3')}, $4)
       on conflict (call_id) do nothing returning ${COLUMNS}`,
      [callId, this.#holder, lookInMs, machines],
    )
    return rows.length > 0
  }

  async find(callId: string): Promise<LegRow | undefined> {
    const [row] = await this.#rows(
      `select ${COLUMNS} from voice_platform.carrier_legs l where l.call_id = $1`,
      [callId],
    )
    return row
  }

  /** The leg of this call of Twilio's. */
  async findBySid(sid: string): Promise<LegRow | undefined> {
    const [row] = await this.#rows(
      `select ${COLUMNS} from voice_platform.carrier_legs l where l.provider_id = $1`,
      [sid],
    )
    return row
  }

  /**
   * Learns Twilio's id of the call, and that it rings. `rang` says whether this is news. Undefined where there is no such leg, or it is
   * another call's.
   */
  async learn(
    callId: string,
    sid: string,
    { rings = false } = {},
  ): Promise<(LegRow & { rang: boolean }) | undefined> {
    if (!isCallId(callId)) return undefined
    const { rows } = await this.#db.query<LegRow & { was: LegState }>(
      `with old as (select call_id, state from voice_platform.carrier_legs l where ${THIS_LEG} for update)
       update voice_platform.carrier_legs l set provider_id = $2,
         state = case when $3::boolean and l.state = 'placing' then 'ringing' else l.state end
       from old where l.call_id = old.call_id returning ${COLUMNS}, old.state as was`,
      [callId, sid, rings],
    )
    const [row] = rows
    return row && { ...row, rang: row.state === 'ringing' && row.was === 'placing' }
  }

  /** Lets one media stream in with this key, for so many milliseconds. An earlier key is void. False where the leg takes no stream. */
  async offerStream(callId: string, sid: string, keyHash: string, forMs: number): Promise<boolean> {
    if (!isCallId(callId)) return false
    const rows = await this.#rows(
      `update voice_platform.carrier_legs l set provider_id = $2, stream_key_hash = $3,
         stream_expires_at = ${later('$4')}
       where ${THIS_LEG} and l.state <> 'answered' and not l.hanging_up returning ${COLUMNS}`,
      [callId, sid, keyHash, forMs],
    )
    return rows.length > 0
  }

  /**
   * The same for a call that comes back from a transfer, to the process that has asked for it. It has no audio until then, and is looked at
   * if it has none after `lookInMs`.
   */
  async offerBack(
    callId: string,
    sid: string,
    { keyHash, forMs, lookInMs }: { keyHash: string; forMs: number; lookInMs: number },
  ): Promise<boolean> {
    if (!isCallId(callId)) return false
    const rows = await this.#rows(
      `update voice_platform.carrier_legs l set state = 'ringing', stream_key_hash = $3,
         stream_expires_at = ${later('$4')}, look_at = ${later('$5')}
       where ${THIS_LEG} and l.state in ('answered', 'ringing') and l.holder = $6 and not l.hanging_up returning ${COLUMNS}`,
      [callId, sid, keyHash, forMs, lookInMs, this.#holder],
    )
    return rows.length > 0
  }

  /** A media stream has come with this key: the leg is answered, and this process has its audio. Undefined for all but the first, in time. */
  async takeStream(callId: string, sid: string, keyHash: string): Promise<LegRow | undefined> {
    if (!isCallId(callId)) return undefined
    const [row] = await this.#rows(
      `update voice_platform.carrier_legs l set provider_id = $2, state = 'answered', holder = $4,
         stream_key_hash = null, stream_expires_at = null, look_at = ${later('$5')}
       where ${THIS_LEG} and l.state <> 'answered' and not l.hanging_up
         and l.stream_key_hash = $3 and l.stream_expires_at > now() returning ${COLUMNS}`,
      [callId, sid, keyHash, this.#holder, ANSWERED_MS],
    )
    return row
  }

  /** Who has answered, as Twilio says it first. All processes are told. Undefined where that was known, or there is no such leg. */
  async answeredBy(callId: string, sid: string, by: AnsweredBy): Promise<LegRow | undefined> {
    if (!isCallId(callId)) return undefined
    const notice: LegNotice = { type: 'answered-by', callId, by }
    const [row] = await this.#rows(
      `with l as (
         update voice_platform.carrier_legs l set provider_id = $2, answered_by = $3
         where ${THIS_LEG} and l.answered_by is null returning ${COLUMNS})
       select ${COLUMNS}, pg_notify($4, $5) from l`,
      [callId, sid, by, LEG_CHANNEL, JSON.stringify(notice)],
    )
    return row
  }

  /** We ask for the leg's end. It is asked for again after so many milliseconds, unless it is over by then. */
  async hangUp(callId: string, lookInMs: number): Promise<LegRow | undefined> {
    if (!isCallId(callId)) return undefined
    const [row] = await this.#rows(
      `update voice_platform.carrier_legs l set hanging_up = true, look_at = ${later('$2')}
       where l.call_id = $1 returning ${COLUMNS}`,
      [callId, lookInMs],
    )
    return row
  }

  /** The leg is over. Resolves with what it was, for the one who ended it; all processes are told. */
  async remove(callId: string): Promise<LegRow | undefined> {
    const notice: LegNotice = { callId, type: 'over' }
    const [row] = await this.#rows(
      `with l as (delete from voice_platform.carrier_legs l where l.call_id = $1 returning ${COLUMNS})
       select ${COLUMNS}, pg_notify($2, $3) from l`,
      [callId, LEG_CHANNEL, JSON.stringify(notice)],
    )
    return row
  }

  /** The leg is looked at after so many milliseconds, if not before, where Twilio's id of the call is not known. */
  async lookSooner(callId: string, lookInMs: number): Promise<void> {
    await this.#db.query(
      `update voice_platform.carrier_legs set look_at = least(look_at, ${later('$2')})
       where call_id = $1 and provider_id is null`,
      [callId, lookInMs],
    )
  }

  /** What was dialled for this call, and when (ms since the epoch). Undefined where the numbers are not stored any more. */
  async dialled(callId: string): Promise<{ to: string; from: string; at: number } | undefined> {
    const { rows } = await this.#db.query<{ to: string; from: string; at: Date }>(
      `select c.customer ->> 'number' as "to", n.number as "from", l.created_at as at
       from voice_platform.carrier_legs l join voice_platform.calls c on c.id = l.call_id
         join voice_platform.phone_numbers n on n.id = c.phone_number_id
       where l.call_id = $1 and c.type = 'outboundPhoneCall'`,
      [callId],
    )
    const [row] = rows
    return row && { ...row, at: row.at.getTime() }
  }

  /** Which of these calls of Twilio's are calls that we know; those of the last day are looked at. */
  async known(sids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#db.query<{ sid: string }>(
      `select provider_id as sid from voice_platform.carrier_legs where $1::jsonb ? provider_id
       union select carrier_call_id from voice_platform.calls
         where $1::jsonb ? carrier_call_id and created_at > now() - interval '1 day'`,
      [sids],
    )
    return new Set(rows.map(({ sid }) => sid))
  }

  /** Takes the legs whose time to be looked at has come: of all processes one gets each. They are due again after so many milliseconds. */
  async due(againInMs: number): Promise<SilentLeg[]> {
    const { rows } = await this.#db.query<SilentLeg>(
      `update voice_platform.carrier_legs l set look_at = ${later('$1')} where l.look_at <= now() returning ${COLUMNS}, l.looked_in_vain`,
      [againInMs],
    )
    return rows
  }

  /** How often in a row Twilio has not said what became of the leg. */
  async setLookedInVain(callId: string, times: number): Promise<void> {
    await this.#db.query(`update voice_platform.carrier_legs set looked_in_vain = $2 where call_id = $1`, [
      callId,
      times,
    ])
  }

  /** Whether any process has a leg. */
  async any(): Promise<boolean> {
    const { rows } = await this.#db.query(`select from voice_platform.carrier_legs limit 1`)
    return rows.length > 0
  }

  /** The calls that this process dialled or has the audio of. */
  async own(): Promise<string[]> {
    const rows = await this.#rows(
      `select ${COLUMNS} from voice_platform.carrier_legs l where l.holder = $1`,
      [this.#holder],
    )
    return rows.map(({ call_id }) => call_id)
  }

  /** Deletes what gone processes left behind. No call is longer than a day: `maxDurationSeconds` is at most 43,200. */
  async removeOld(): Promise<void> {
    await this.#db.query(
      `delete from voice_platform.carrier_legs where created_at < now() - interval '1 day'`,
    )
  }

  async #rows(sql: string, parameters: readonly unknown[]): Promise<LegRow[]> {
    const { rows } = await this.#db.query<LegRow>(sql, parameters)
    return rows
  }
}
