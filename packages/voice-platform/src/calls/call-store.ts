import type { Db } from '@heyline/database'
import type {
  Analysis,
  AssistantOverrides,
  CallCost,
  CreateAssistant,
  Customer,
  TranscriptPlan,
} from '@heyline/platform-client'
import type { SessionRecord } from '../session/session.js'
import { CALL_COLUMNS, type CallRow, type StoredCallType } from './call-row.js'
import type { CallScript } from './call-script.js'
import type { LineChange } from './line-change.js'
import { lineWriter } from './line-writer.js'
import { storable, transcriptOf } from './transcript.js'

/** A call that its own process has not held for so long is lost. */
const UNHELD_FOR = '15 seconds'

/** Longest that a phone rings, and then some. */
const RINGS_AT_MOST = '10 minutes'

const UNJOINED = `(type = 'webCall' and started_at is null)`

/**
 * What is forgotten of a web call that ends without anybody having joined: whoever started it may have brought a lot. What its last
 * messages need of the assistant stays.
 */
const FORGOTTEN = `assistant_given = case when ${UNJOINED} then null else assistant_given end,
  overrides = case when ${UNJOINED} then null else overrides end,
  script = case when ${UNJOINED} then null else script end,
  assistant = case when ${UNJOINED} then (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(assistant)
    where key in ('name', 'server', 'serverMessages', 'credentials', 'artifactPlan')) else assistant end`

/** A call before it is stored. */
export interface NewCall {
  id: string
  type: StoredCallType
  assistantId?: string
  assistantGiven?: CreateAssistant
  overrides?: AssistantOverrides
  assistant: CreateAssistant
  squadId?: string
  workflowId?: string
  campaignId?: string
  script?: CallScript
  name?: string
  phoneNumberId?: string
  customer?: Customer
  /** Of a call to us: whether the network vouches for the customer's number. */
  callerProven?: boolean
  /** A page begins it, with the public key or a public token. */
  isPublic?: boolean
  carrier?: string
  /** Opened by this secret, for so many milliseconds. */
  room?: { secretHash: string; joinMs: number }
}

/**
 * The calls in the database. A change of status is one statement, and a status only moves forward: of two processes one wins.
 * The statement returns the changed row, or undefined when there was nothing to change. `owner` is this process. Whichever statement ends
 * a call, a trigger moves the lines that were said into its row. `by` (a UUID) is one work that ends a call, the same in all its tries: where
 * the answer to one was lost, the next one gets the row that it has changed.
 */
export class CallStore {
  readonly #db: Db
  readonly #owner: string
  readonly #lines: ReturnType<typeof lineWriter>

  constructor(db: Db, owner: string) {
    this.#db = db
    this.#owner = owner
    this.#lines = lineWriter(db, owner)
  }

  async insert(call: NewCall): Promise<CallRow> {
    const { rows } = await this.#db.query<CallRow>(
      `insert into voice_platform.calls (id, type, assistant_id, assistant_given, overrides, assistant, name,
         phone_number_id, customer, carrier, room_secret_hash, room_expires_at, owner,
         squad_id, workflow_id, script, campaign_id, caller_proven, is_public)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12::float8 * interval '1 ms', $13, $14, $15, $16, $17, $18, coalesce($19::boolean, false)) returning ${CALL_COLUMNS}`,
      [
        call.id,
        call.type,
        call.assistantId,
        call.assistantGiven,
        call.overrides,
        call.assistant,
        call.name,
        call.phoneNumberId,
        call.customer,
        call.carrier,
        call.room?.secretHash,
        call.room?.joinMs,
        this.#owner,
        ...[call.squadId, call.workflowId, call.script, call.campaignId, call.callerProven, call.isPublic],
      ],
    )
    const [row] = rows
    if (!row) throw new Error('The database returned no row for an inserted call.')
    return row
  }

  async setCarrierCallId(id: string, carrierCallId: string): Promise<void> {
    await this.#db.query(`update voice_platform.calls set carrier_call_id = $2 where id = $1`, [
      id,
      carrierCallId,
    ])
  }

  ring(id: string): Promise<CallRow | undefined> {
    return this.#update(`status = 'ringing'`, `id = $1 and status = 'queued'`, [id])
  }

  /** The carrier bills from now on, or from when somebody began to talk. Changes nothing where that is known, or the call is over. */
  async pickedUp(id: string): Promise<void> {
    await this.#db.query(
      `update voice_platform.calls set answered_at = coalesce(started_at, now()) where id = $1 and answered_at is null and status <> 'ended'`,
      [id],
      { prepared: true },
    )
  }

  /** Somebody has answered or joined. The conversation begins in this process. */
  begin(id: string): Promise<CallRow | undefined> {
    return this.#update(
      `status = 'in-progress', started_at = now(), owner = $2`,
      `id = $1 and status in ('queued', 'ringing')`,
      [id, this.#owner],
    )
  }

  /** Ends a call that nobody has answered or joined. */
  endUnanswered(id: string, reason: string, by?: string): Promise<CallRow | undefined> {
    return this.#end(
      `ended_reason = $3, ended_at = now(), ${FORGOTTEN}`,
      `status in ('queued', 'ringing')`,
      { id, by },
      [reason],
    )
  }

  /** Removes a call that was surely not placed, and of which nobody was told. False where there is none any more, or it has ended. */
  async remove(id: string): Promise<boolean> {
    const { rows } = await this.#db.query(
      `delete from voice_platform.calls where id = $1 and status = 'queued' returning id`,
      [id],
    )
    return rows.length > 0
  }

  /** Keeps of an ended call nothing of what it was told. */
  async forgetAssistant(id: string): Promise<void> {
    await this.#db.query(
      `update voice_platform.calls set assistant = '{}', script = null, overrides = null, assistant_given = null, texts_removed_at = now()
       where id = $1 and status = 'ended'`,
      [id],
      { prepared: true },
    )
  }

  /** Ends a call in any state, without a record. */
  breakOff(id: string, reason: string, by?: string): Promise<CallRow | undefined> {
    return this.#end(`ended_reason = $3, ended_at = now(), ${FORGOTTEN}`, `status <> 'ended'`, { id, by }, [
      reason,
    ])
  }

  /** Keeps what was said so far in one of this process's conversations, written out as the assistant's plan says. */
  note(id: string, change: LineChange, plan?: TranscriptPlan): Promise<void> {
    return this.#lines.write({ ...change, callId: id, plan })
  }

  /** Ends a call with the record of its conversation. Its times are then told by the clock of this process. */
  end(
    id: string,
    record: SessionRecord,
    plan?: TranscriptPlan,
    costs?: readonly CallCost[],
    by?: string,
  ): Promise<CallRow | undefined> {
    const { endedReason, startedAt, endedAt, performance, forwardedTo, activations, variables } = record
    const said = storable(record.messages)
    return this.#end(
      `ended_reason = $3, started_at = $4, ended_at = $5, messages = $6, transcript = $7, performance = $8,
       forwarded_to = $9, costs = $10::jsonb, activations = $11, variables = $12,
       answered_at = $4::timestamptz - (started_at - answered_at)`,
      `status <> 'ended'`,
      { id, by },
      [
        endedReason,
        startedAt,
        endedAt,
        said,
        transcriptOf(said, plan),
        performance,
        forwardedTo,
        costs,
        activations,
        variables,
      ],
    )
  }

  /** Keeps what was concluded from an ended call. Undefined where the call is gone, or what was said in it is no longer kept. */
  analysed(id: string, analysis: Analysis, costs?: readonly CallCost[]): Promise<CallRow | undefined> {
    return this.#update(
      `analysis = $2, costs = case when $3::jsonb is null then costs else coalesce(costs, '[]') || $3::jsonb end`,
      `id = $1 and status = 'ended' and texts_removed_at is null`,
      [id, analysis, costs],
    )
  }

  /** How many of this process's own calls are open. */
  async countOwn(): Promise<number> {
    const { rows } = await this.#db.query<{ count: number }>(
      `select count(*)::int as count from voice_platform.calls where owner = $1 and status <> 'ended'`,
      [this.#owner],
    )
    return rows[0]?.count ?? 0
  }

  /** How many of this process's own calls are open and in progress, or among these. */
  async countHeld(ids: readonly string[]): Promise<number> {
    const { rows } = await this.#db.query<{ count: number }>(
      `select count(*)::int as count from voice_platform.calls
       where owner = $1 and status <> 'ended' and (status = 'in-progress' or id = any ($2::uuid[]))`,
      [this.#owner, `{${ids.join(',')}}`],
    )
    return rows[0]?.count ?? 0
  }

  /** Ends this process's own calls that are still open. */
  endOwn(reason: string): Promise<CallRow[]> {
    return this.#updateAll(
      `status = 'ended', ended_reason = $2, ended_at = now(), ${FORGOTTEN}`,
      `owner = $1 and status <> 'ended'`,
      [this.#owner, reason],
    )
  }

  /**
   * Ends this process's own calls that nobody here holds. These are calls in progress that are not in `held`, web calls whose
   * time to join is over, and phone calls that no carrier has named while a phone would have rung. They must have been so for a while, since a call may be about to be held.
   */
  endUnheld(reason: string, held: readonly string[]): Promise<CallRow[]> {
    return this.#updateAll(
      `status = 'ended', ended_reason = $2, ended_at = now(), ${FORGOTTEN}`,
      `owner = $1 and not id = any ($3::uuid[]) and updated_at < now() - interval '${UNHELD_FOR}'
         and (status = 'in-progress'
           or (type <> 'webCall' and status = 'queued' and carrier_call_id is null
             and created_at < now() - interval '${RINGS_AT_MOST}')
           or (type = 'webCall' and status <> 'ended' and room_expires_at < now() - interval '${UNHELD_FOR}'))`,
      [this.#owner, reason, `{${held.join(',')}}`],
    )
  }

  /** Ends the open calls of processes that are no longer listed. */
  endAbandoned(reason: string): Promise<CallRow[]> {
    return this.#updateAll(
      `status = 'ended', ended_reason = $1, ended_at = now(), ${FORGOTTEN}`,
      `status <> 'ended' and not exists (select from voice_platform.processes where processes.id = calls.owner)`,
      [reason],
    )
  }

  /** Those of these calls that have ended. */
  async endedAmong(callIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.#db.query<{ id: string }>(
      `select id from voice_platform.calls where id = any ($1::uuid[]) and status = 'ended'`,
      [`{${callIds.join(',')}}`],
    )
    return rows.map(({ id }) => id)
  }

  /** This process's own phone calls that may still ring, though they were ended for this reason. */
  async unansweredOwn(reason: string): Promise<Pick<CallRow, 'id' | 'type'>[]> {
    const { rows } = await this.#db.query<Pick<CallRow, 'id' | 'type'>>(
      `select id, type from voice_platform.calls
       where created_at > now() - interval '${RINGS_AT_MOST}' and owner = $1 and status = 'ended' and ended_reason = $2
         and type <> 'webCall' and started_at is null`,
      [this.#owner, reason],
    )
    return rows
  }

  /** Ends the open calls of one process, if it is no longer listed. */
  endCallsOf(owner: string, reason: string): Promise<CallRow[]> {
    return this.#updateAll(
      `status = 'ended', ended_reason = $2, ended_at = now(), ${FORGOTTEN}`,
      `owner = $1 and status <> 'ended' and not exists (select from voice_platform.processes where processes.id = $1)`,
      [owner, reason],
    )
  }

  /** `set` and `where` have their parameters from $3 on. What the same `by` has ended already is only read: it may have changed since. */
  async #end(
    set: string,
    where: string,
    { id, by }: { id: string; by: string | undefined },
    parameters: unknown[],
  ): Promise<CallRow | undefined> {
    const row = await this.#update(`status = 'ended', ended_by = $2::uuid, ${set}`, `id = $1 and ${where}`, [
      id,
      by,
      ...parameters,
    ])
    if (row || by === undefined) return row
    const { rows } = await this.#db.query<CallRow>(
      `select ${CALL_COLUMNS} from voice_platform.calls where id = $1 and status = 'ended' and ended_by = $2`,
      [id, by],
    )
    return rows[0]
  }

  async #update(set: string, where: string, parameters: unknown[]): Promise<CallRow | undefined> {
    const [row] = await this.#updateAll(set, where, parameters)
    return row
  }

  async #updateAll(set: string, where: string, parameters: unknown[]): Promise<CallRow[]> {
    const { rows } = await this.#db.query<CallRow>(
      `update voice_platform.calls set ${set}, updated_at = now() where ${where} returning ${CALL_COLUMNS}`,
      parameters,
    )
    return rows
  }
}
