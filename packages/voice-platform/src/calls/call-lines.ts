import type { Queryable } from '@heyline/database'
import type { TranscriptPlan } from '@heyline/platform-client'
import type { LineChange } from './line-change.js'
import { speakerOf, storable } from './transcript.js'

const LINES = 'from voice_platform.call_lines l where l.call_id = calls.id'

/** SQL of a call's transcript: of a running call what was said so far. */
export const TRANSCRIPT_COLUMN = `
  case when status = 'ended' then transcript else coalesce((
    select coalesce(string_agg(l.speaker || ': ' || (l.message ->> 'message'), E'\\n' order by l.position), '') ${LINES}
    having count(*) > 0), transcript) end`

/** SQL of a call's messages: of a running call what was said so far. */
export const MESSAGES_COLUMN = `
  case when status = 'ended' then messages
    else coalesce((select jsonb_agg(l.message order by l.position) ${LINES}), messages) end`

/**
 * The columns `messages` and `transcript` of a call: of a running one what was said so far. The row alone has them once the call has
 * ended, and while a version without lines holds it.
 */
export const SAID_COLUMNS = `${MESSAGES_COLUMN} as messages, ${TRANSCRIPT_COLUMN} as transcript`

/** The rows of the calls are locked: a call that ends meanwhile gets no line after its end. */
const WRITE = `
  with held as (
    select calls.id, given.* from voice_platform.calls
    join json_to_recordset($2::json) as given(call uuid, gone_from int, gone_to int, first int, lines jsonb) on given.call = calls.id
    where calls.owner = $1 and calls.status = 'in-progress' order by calls.id for no key update of calls
  ), gone as (
    delete from voice_platform.call_lines l using held where l.call_id = held.id
      and (l.position >= held.gone_from and l.position < held.gone_to or l.position >= held.first + jsonb_array_length(held.lines))
  )
  insert into voice_platform.call_lines (call_id, position, speaker, message)
  select held.id, held.first + line.n - 1, line.value ->> 'speaker', line.value -> 'message'
  from held, jsonb_array_elements(held.lines) with ordinality line (value, n)
  on conflict (call_id, position) do update set speaker = excluded.speaker, message = excluded.message`

/** The new lines of one call, written out as the assistant's plan says. */
export interface CallLines extends LineChange {
  callId: string
  plan?: TranscriptPlan | undefined
}

/** Changes the lines of calls in progress, each once, that this process (`owner`) holds. To be repeated where it is not known whether it was done. */
export async function writeLines(db: Queryable, owner: string, changes: readonly CallLines[]): Promise<void> {
  const given = changes.map(({ callId, dropped: [gone_from, gone_to], from, lines, plan }) => ({
    ...{ call: callId, gone_from, gone_to, first: from },
    lines: storable(lines).map((message) => ({ speaker: speakerOf(message, plan), message })),
  }))
  await db.query(WRITE, [owner, given])
}
