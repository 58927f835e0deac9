import type { Queryable } from '@heyline/database'
import { questionWords } from './question.js'

/** A passage that was found, with the name of its file. */
export interface FoundPassage {
  fileId: string
  file: string
  page: number | null
  heading: string | null
  text: string
}

/** Most passages of an answer. */
const MOST_FOUND = 4
/** So many passages with a word are counted: more are the same to whoever ranks. */
const MOST_COUNTED = 300
/** So many passages are ranked: those with the rarest words, and some with all of them. */
const MOST_RANKED = 40

/**
 * A caller's words are rarely the file's: a passage need not have all of them. Each word is looked for as it is said and by its stem. Words
 * that fewer passages have count more, and choose what is ranked, so that the work is bounded however large the files are. Only what is
 * ranked is read; all else is in the index.
 */
const SEARCH = `
  with asked as materialized (
    select word, plainto_tsquery('pg_catalog.simple', word) || coalesce(
      (select string_agg(plainto_tsquery(l.language::regconfig, word)::text, ' | ')::tsquery
       from json_array_elements_text($3::json) as l(language)), ''::tsquery) as query
    from json_to_recordset($2::json) as w(word text)),
  hits as materialized (
    select a.word, h.file_id, h.number from asked a, lateral (
      select p.file_id, p.number from voice_platform.passages p
      where p.file_id = any ($1::uuid[]) and p.search @@ a.query limit ${MOST_COUNTED}) h),
  known as materialized (
    select a.word, a.query, h.weight from asked a join (
      select word, ln(1 + 1000.0 / count(*)) as weight from hits group by word) h using (word)),
  chosen as (
    (select h.file_id, h.number from hits h join known k using (word)
     group by h.file_id, h.number order by sum(k.weight) desc, h.file_id, h.number limit ${MOST_RANKED})
    union
    (select p.file_id, p.number from voice_platform.passages p
     where p.file_id = any ($1::uuid[])
       and p.search @@ (select string_agg('(' || query::text || ')', ' & ')::tsquery from known)
     limit ${MOST_RANKED})),
  ranked as (
    select p.file_id, p.number, p.page, p.heading, p.text,
      (select sum(k.weight) from known k where p.search @@ k.query) as score
    from chosen c join voice_platform.passages p using (file_id, number))
  select r.file_id as "fileId", f.name as file, r.page, r.heading, r.text
  from ranked r join voice_platform.files f on f.id = r.file_id
  order by r.score desc, char_length(r.text), r.file_id, r.number limit ${MOST_FOUND}`

/** The best passages of these files for a caller's words, the best first. None where nothing fits. Other files are not looked at. */
export async function searchPassages(
  db: Queryable,
  { fileIds, languages }: { fileIds: readonly string[]; languages: readonly string[] },
  question: string,
): Promise<FoundPassage[]> {
  const words = questionWords(question)
  if (words.length === 0 || fileIds.length === 0) return []
  const { rows } = await db.query<FoundPassage>(
    SEARCH,
    [`{${fileIds.join(',')}}`, words.map((word) => ({ word })), languages],
    { prepared: true },
  )
  return rows
}
