import type { Queryable } from '@heyline/database'

/** In SQL: the number in a text, as a regular expression; $1 is the number. */
const NUMBER = "('\\' || $1::text || '(?![0-9])')"
const HIDDEN = '(removed number)'
/** What of a request was said or written by others. */
const TEXTS = ['transcript', 'summary', 'last_error']

/** How many requests are looked through at a time, so that nobody waits long for the database. */
const LOOK_SIZE = 200

/**
 * Takes the number (E.164) out of what other people's calls tell of it: their transcripts and summaries here are copies of the platform's.
 * It reads all of them, in parts: in no transaction, and under no lock.
 */
export async function hideInDesk(db: Queryable, number: string): Promise<void> {
  const hidden = TEXTS.map((text) => `${text} = regexp_replace(r.${text}, ${NUMBER}, '${HIDDEN}', 'g')`)
  const told = TEXTS.map((text) => `r.${text} ~ ${NUMBER}`)
  for (let after: { created_at: string; id: string } | undefined; ; ) {
    const { rows } = await db.query<{ created_at: string; id: string }>(
      `with part as (
         select r.created_at, r.id from call_desk.call_requests r
         where $2::timestamptz is null or (r.created_at, r.id) > ($2::timestamptz, $3::uuid)
         order by r.created_at, r.id limit ${LOOK_SIZE}),
       hidden as (
         update call_desk.call_requests r set ${hidden.join(', ')}
         where r.id in (select part.id from part) and (${told.join(' or ')}))
       select to_jsonb(created_at) as created_at, id from part order by part.created_at desc, id desc limit 1`,
      [number, after?.created_at, after?.id],
    )
    after = rows[0]
    if (!after) return
  }
}
