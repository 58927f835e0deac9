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

/** The row of the call is locked: a call that ends meanwhile gets no line after its end. */
const WRITE = `
  with held as (
    select id from voice_platform.calls where id = $1 and owner = $2 and status = 'in-progress' for no key update
  ), gone as (
    delete from voice_platform.call_lines l using held where l.call_id = held.id
      and (l.position >= $3::int and l.position < $4::int or l.position >= $5::int + jsonb_array_length($6::jsonb))
  )
  insert into voice_platform.call_lines (call_id, position, speaker, message)
  select held.id, $5::int + line.n - 1, line.value ->> 'speaker', line.value -> 'message'
  from held, jsonb_array_elements($6::jsonb) with ordinality line (value, n)
  on conflict (call_id, position) do update set speaker = excluded.speaker, message = excluded.message`

/** Changes the lines of a call in progress that this process (`owner`) holds. To be repeated where it is not known whether it was done. */
export async function writeLines(
  db: Queryable,
  owner: string,
  callId: string,
  { dropped, from, lines }: LineChange,
  plan?: TranscriptPlan,
): Promise<void> {
  const written = storable(lines).map((message) => ({ speaker: speakerOf(message, plan), message }))
  await db.query(WRITE, [callId, owner, ...dropped, from, written])
}
