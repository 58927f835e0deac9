import type { Queryable } from '@heyline/database'

/** Calls that are looked through, so many that are read, and most characters of each. */
const LOOKED_AT = 500
const MOST = 20
const MOST_EACH = 5_000

/** What was said in the latest calls that have ended with words, the newest first. */
export async function recentTranscripts(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ transcript: string }>(
    `select left(transcript, ${MOST_EACH}) as transcript from voice_platform.calls
     where id in (select id from voice_platform.calls order by created_at desc, id desc limit ${LOOKED_AT})
       and status = 'ended' and transcript <> ''
     order by created_at desc, id desc limit ${MOST}`,
    [],
  )
  return rows.map(({ transcript }) => transcript)
}
