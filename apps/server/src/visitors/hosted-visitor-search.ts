import { MOST_FOUND, VisitorError, type VisitorSearch } from '@heyline/backend/stored-visitors'
import { jsonOf, listedVisitor, rowsOf } from './answer.js'
import { escaped, type HostedTable, hostedTable } from './hosted-table.js'

const rows = rowsOf(listedVisitor)

/** Slugs of one address: gateways take no long ones. */
const ASKED_AT_ONCE = 50

/** PostgREST answers so where more is left out than there is and rows are counted. */
const BEHIND_THE_END = 416

/**
 * Searches a hosted table. Only spec 3's four columns are assumed there: nothing is found by what is listed, and the order by age is that by
 * slug. Whether a visitor has a prompt is asked apart, so that no prompt is sent. What a `*` stands for in a text is anything.
 */
export function hostedVisitorSearch(table: HostedTable): VisitorSearch {
  const ask = hostedTable(table)
  return async ({ text, listed, prompt, sort, isDescending, offset, limit }) => {
    if (listed !== undefined)
      throw new VisitorError(
        'not_supported',
        'A hosted table is not known to have a column listed: search without it',
      )
    const query = new URLSearchParams({
      select: 'slug,name',
      order: `${sort === 'name' ? 'name' : 'slug'}.${isDescending ? 'desc' : 'asc'}${sort === 'name' ? ',slug' : ''}`,
      limit: String(limit),
      offset: String(offset),
      slug: 'not.is.null',
    })
    if (text) {
      const part = quoted(`*${escaped(text)}*`)
      query.set('or', `(slug.ilike.${part},name.ilike.${part})`)
    }
    if (prompt !== undefined) query.set('system', prompt ? 'not.is.null' : 'is.null')
    const answer = await ask(`?${query}`, {
      headers: { prefer: 'count=exact' },
      takes: BEHIND_THE_END,
    })
    const isBehind = answer.status === BEHIND_THE_END
    if (isBehind) await answer.body?.cancel()
    const found = isBehind ? [] : rows(await jsonOf(answer))
    const counted = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? found.length)
    const without =
      prompt === undefined ? await withoutPrompt(found.map(({ slug }) => slug)) : new Set<string>()
    return {
      visitors: found.map((visitor) => ({ ...visitor, hasPrompt: prompt ?? !without.has(visitor.slug) })),
      total: Math.min(counted, MOST_FOUND),
      isMore: counted > MOST_FOUND,
    }
  }

  async function withoutPrompt(slugs: string[]): Promise<Set<string>> {
    const found = new Set<string>()
    for (let at = 0; at < slugs.length; at += ASKED_AT_ONCE) {
      const some = slugs.slice(at, at + ASKED_AT_ONCE).map(quoted)
      const query = new URLSearchParams({
        select: 'slug,name',
        system: 'is.null',
        slug: `in.(${some.join(',')})`,
      })
      for (const { slug } of rows(await jsonOf(await ask(`?${query}`)))) found.add(slug)
    }
    return found
  }
}

/** A value between other signs of PostgREST's own. */
const quoted = (value: string) => `"${value.replace(/[\\"]/g, '\\$&')}"`
