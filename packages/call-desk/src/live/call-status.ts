import type { Queryable } from '@heyline/database'
import { CALL_MOVES, CALL_STATES, type CallState } from '../call/call-state.js'

/** As much of a request as its page may know. */
export interface CallStatus {
  id: string
  state: CallState
  /** States that it has been in, after `queued`. */
  been: CallState[]
  outcome: string | null
  /** Nothing more is told, though it is not over: unknown for so long that nobody waits any more, or no call of its own. */
  givenUp: boolean
}

/** How long a page waits for news of an unknown call, in minutes. */
const UNKNOWN_MINUTES = 10

/**
 * How long a request stays `queued` that was made while a call to its number was in flight, in seconds. It has no call of its own to tell
 * of, and tells nothing of that one: not even when it ends.
 */
const REPEATED_SECONDS = 60

/** The requests of these ids (UUIDs), as far as there are any. */
export async function readStatuses(db: Queryable, ids: readonly string[]): Promise<CallStatus[]> {
  const { rows } = await db.query<CallStatus>(
    `select id, case when refusal = 'repeated' then 'queued' else state end as state, outcome,
            coalesce(state = 'unknown' and unknown_at < now() - interval '${UNKNOWN_MINUTES} minutes'
              or refusal = 'repeated' and created_at < now() - interval '${REPEATED_SECONDS} seconds', false) as "givenUp",
            array_remove(array[
              case when dialling_at is not null then 'dialling' end,
              case when ringing_at is not null then 'ringing' end,
              case when in_progress_at is not null then 'in-progress' end,
              case when unknown_at is not null then 'unknown' end], null) as been
     from call_desk.call_requests
     where id in (select value::uuid from jsonb_array_elements_text($1::jsonb))`,
    [ids],
    { prepared: true },
  )
  return rows
}

/** Whether nothing more comes of it. */
export function isOver({ state, givenUp }: CallStatus): boolean {
  return givenUp || CALL_MOVES[state].length === 0
}

/** Whether one state can come after the other, at once or later. */
function leadsTo(from: CallState, to: CallState): boolean {
  return (CALL_MOVES[from] as readonly CallState[]).some((next) => next === to || leadsTo(next, to))
}

/**
 * The states that came after one already told, in order; the present one alone where none was told. None where `told` is as new: what
 * was read earlier may arrive later.
 */
export function statesAfter(told: CallState | undefined, { state, been }: CallStatus): CallState[] {
  if (told === undefined) return [state]
  if (!leadsTo(told, state)) return []
  const between = CALL_STATES.filter(
    (each) => been.includes(each) && leadsTo(told, each) && leadsTo(each, state),
  )
  return [...between, state]
}
