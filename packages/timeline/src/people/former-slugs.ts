import type { Queryable } from '@heyline/database'

/**
 * The slugs that a visitor had before, the latest first, as the timeline tells of them. Each step goes to the last change that gave the slug,
 * and ends where a visitor was added with it: who had it before that was somebody else.
 */
export async function formerSlugsOf(db: Queryable, slug: string): Promise<string[]> {
  const { rows } = await db.query<{ slug: string }>(
    `with recursive had (slug, seq) as (
       values ($1::text, null::bigint)
       union all
       select last.former, last.seq from had cross join lateral (
         select e.payload ->> 'formerSlug' as former, e.seq from timeline.events e
         where lower(e.slug) = lower(had.slug) and (had.seq is null or e.seq < had.seq)
           and (e.type = 'visitor.created' or e.type = 'visitor.changed' and e.payload ? 'formerSlug')
         order by e.seq desc limit 1) last
       where last.former is not null)
     select slug from had where seq is not null order by seq desc`,
    [slug],
  )
  const former = new Map(rows.map((row) => [row.slug.toLowerCase(), row.slug]))
  former.delete(slug.toLowerCase())
  return [...former.values()]
}
