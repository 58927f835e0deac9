import { createHash } from 'node:crypto'
import type { Queryable } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { CommonWords } from './common-words.js'
import { questionWords } from './question.js'

/** A passage that was found, with the name of its file. */
export interface FoundPassage {
  fileId: string
  file: string
  page: number | null
  heading: string | null
  text: string
}

/** Files to look in, and the languages of their texts. */
export interface SearchedFiles {
  fileIds: readonly string[]
  languages: readonly string[]
}

/** Most passages of an answer. */
const MOST_FOUND = 4
/** So many passages with a word are counted: more are the same to whoever ranks. */
const MOST_COUNTED = 300
/** So many passages are ranked: those with the rarest words, and some with all of them. */
const MOST_RANKED = 40

/** SQL of the passages with each of these words. */
const hitsWhere = (condition: string): string => `
    select a.word, h.file_id, h.number from asked a, lateral (
      select p.file_id, p.number from voice_platform.passages p
      where p.file_id = any ($1::uuid[]) and p.search @@ a.query limit ${MOST_COUNTED}) h
    where ${condition}`

/**
 * A caller's words are rarely the file's: a passage need not have all of them. Each word is looked for as it is said and by its stem. Words
 * that fewer passages have count more, and choose what is ranked, so that the work is bounded however large the files are. Where those find
 * enough, nothing is looked for by common words, of which the index would be read through. Only what is ranked is read; all else is in the
 * index.
 */
const SEARCH = `
  with asked as materialized (
    select word, common, (
      select string_agg(distinct q.query::text, ' | ')::tsquery from (
        select plainto_tsquery('pg_catalog.simple', word) as query
        union all
        select plainto_tsquery(l.language::regconfig, word) from json_array_elements_text($3::json) as l(language)) q
      where numnode(q.query) > 0) as query
    from json_to_recordset($2::json) as w(word text, common boolean)),
  rare as materialized (
    ${hitsWhere('not a.common')}),
  hits as materialized (
    select word, file_id, number from rare
    union all
    ${hitsWhere(`a.common and (select count(*) from rare) < ${MOST_FOUND}`)}),
  counted as materialized (select word, count(*) from hits group by word),
  known as materialized (
    select a.word, a.query, ln(1 + 1000.0 / coalesce(c.count, ${MOST_COUNTED})) as weight
    from asked a left join counted c using (word) where a.common or c.word is not null),
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
  select r.file_id as "fileId", f.name as file, r.page, r.heading, r.text,
    (select json_agg(word) from counted where count = ${MOST_COUNTED}) as common
  from ranked r join voice_platform.files f on f.id = r.file_id
  order by r.score desc, char_length(r.text), r.file_id, r.number limit ${MOST_FOUND}`

/** Looks passages up, and remembers which words are common in the files that it looks in. */
export class PassageSearch {
  readonly #db: Queryable
  readonly #common: CommonWords

  constructor(db: Queryable, clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#db = db
    this.#common = new CommonWords(clock)
  }

  /** The best passages of these files for a caller's words, the best first. None where nothing fits. Other files are not looked at. */
  async find({ fileIds, languages }: SearchedFiles, question: string): Promise<FoundPassage[]> {
    const words = questionWords(question)
    if (words.length === 0 || fileIds.length === 0) return []
    const files = createHash('sha256').update(fileIds.toSorted().join()).digest('base64')
    const { rows } = await this.#db.query<FoundPassage & { common: string[] | null }>(
      SEARCH,
      [
        `{${fileIds.join(',')}}`,
        words.map((word) => ({ word, common: this.#common.has(files, word) })),
        languages,
      ],
      { prepared: true },
    )
    this.#common.add(files, rows[0]?.common ?? [])
    return rows.map(({ common: _, ...passage }) => passage)
  }
}
