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
const MOST_COUNTED = 400
/** So many passages are ranked: those with the rarest words, and those with all of them. */
const MOST_RANKED = 600

/**
 * A caller's words are rarely the file's: a passage need not have all of them. Each word is looked for as it is said and by its stem. Words
 * that fewer passages have count more, and choose what is ranked, so that the work is bounded however large the files are.
 */
const SEARCH = `
  with asked as materialized (
    select word, query, (select count(*) from (
      select from voice_platform.passages p where p.file_id = any ($1::uuid[]) and p.search @@ query limit ${MOST_COUNTED}) as holders) as found
    from json_to_recordset($2::json) as w(word text),
      lateral (select plainto_tsquery('pg_catalog.simple', word) || coalesce(
        (select string_agg(plainto_tsquery(l.language::regconfig, word)::text, ' | ')::tsquery
         from json_array_elements_text($3::json) as l(language)), ''::tsquery) as query) q),
  known as materialized (
    select word, query, ln(1 + 1000.0 / found) as weight, found,
      sum(found) over (order by found, word) as before, row_number() over (order by found, word) as place
    from asked where found > 0),
  candidates as materialized (
    (select file_id, number, heading, text, page, search from voice_platform.passages
     where file_id = any ($1::uuid[]) and search @@ (select string_agg('(' || query::text || ')', ' & ')::tsquery from known)
     limit ${MOST_RANKED})
    union
    (select file_id, number, heading, text, page, search from voice_platform.passages
     where file_id = any ($1::uuid[]) and search @@ (
       select string_agg('(' || query::text || ')', ' | ')::tsquery from known where place = 1 or before <= ${MOST_RANKED})
     limit ${MOST_RANKED})),
  ranked as (
    select c.file_id, c.number, c.heading, c.text, c.page,
      (select sum(k.weight) from known k where c.search @@ k.query) as score,
      ts_rank(c.search, (select string_agg('(' || query::text || ')', ' | ')::tsquery from known), 1) as nearness
    from candidates c)
  select r.file_id as "fileId", f.name as file, r.page, r.heading, r.text
  from ranked r join voice_platform.files f on f.id = r.file_id
  order by r.score desc, r.nearness desc, r.file_id, r.number limit ${MOST_FOUND}`

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
