import { type Prey, type Probe, probesOf, wordOf } from '../probe.js'

const VISITORS = '/rest/v1/visitors'

/** Reads of the table itself: what a dump, a count, a search or an order could tell of a visitor that is not named. */
export function readingProbes(prey: Prey): Probe[] {
  const own: [string, string] = ['x-visitor-slug', prey.own]
  const list = probesOf('list', prey)
  const count = probesOf('count', prey)
  const search = probesOf('search', prey)
  const order = probesOf('order', prey)
  const page = probesOf('page', prey)
  const tree = probesOf('tree', prey)
  const error = probesOf('error', prey)
  const word = wordOf(prey.system)
  return [
    list.ask(VISITORS),
    list.ask(`${VISITORS}?select=*`),
    list.ask(`${VISITORS}?select=*`, { headers: [own] }),
    list.ask(`${VISITORS}?select=slug,name`),
    list.ask(`${VISITORS}?listed=is.false`),
    list.ask(`${VISITORS}?listed=not.is.true`, { headers: [own] }),
    list.ask(`${VISITORS}?slug=not.is.null`),
    list.ask(`${VISITORS}?slug=neq.default&select=slug`),
    list.ask(`${VISITORS}?id=gt.00000000-0000-0000-0000-000000000000`),
    list.ask(`${VISITORS}?created_at=gt.2000-01-01`),
    list.ask(`${VISITORS}?slug=in.(${prey.slug},default)`),

    ...['exact', 'planned', 'estimated'].flatMap((how) => [
      count.ask(`${VISITORS}?select=slug`, { method: 'HEAD', headers: [['prefer', `count=${how}`]] }),
      count.ask(`${VISITORS}?select=slug&limit=1`, { headers: [['prefer', `count=${how}`], own] }),
      count.guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}`, {
        method: 'HEAD',
        headers: [['prefer', `count=${how}`]],
      }),
    ]),
    count.ask(`${VISITORS}?select=count`),
    count.ask(`${VISITORS}?select=count()`),
    count.ask(`${VISITORS}?select=id.count(),created_at.max(),slug.max()`),

    ...['eq', 'like', 'ilike', 'gte', 'match', 'imatch', 'isdistinct', 'not.neq'].map((operator) =>
      search.guess(prey.slug, (slug) => `${VISITORS}?slug=${operator}.${slug}`),
    ),
    ...['like', 'ilike'].flatMap((operator) => [
      search.guess(word, (text) => `${VISITORS}?system=${operator}.*${text}*`),
      search.guess(word, (text) => `${VISITORS}?system=${operator}.%25${text}%25`),
      search.guess(word, (text) => `${VISITORS}?system=${operator}(any).{*${text}*,x}`),
    ]),
    ...['fts', 'plfts', 'phfts', 'wfts', 'fts(english)'].map((operator) =>
      search.guess('business', (text) => `${VISITORS}?system=${operator}.${text}`),
    ),
    search.guess(word, (text) => `${VISITORS}?system=match.${text}`, { headers: [own] }),
    search.ask(`${VISITORS}?slug=like.*`),
    search.ask(`${VISITORS}?slug=ilike.hidden*`),
    search.ask(`${VISITORS}?slug=like.%25`),
    search.ask(`${VISITORS}?slug=like.____________-_`),
    search.ask(`${VISITORS}?name=cs.{a}`),

    ...['asc', 'desc', 'asc.nullsfirst', 'desc.nullslast'].map((how) =>
      order.ask(`${VISITORS}?order=system.${how}&limit=1`, { headers: [own] }),
    ),
    order.ask(`${VISITORS}?order=slug.desc`),
    order.ask(`${VISITORS}?order=created_at.desc,id&select=created_at,id`),
    order.ask(`${VISITORS}?order=(select.system)`),

    page.ask(`${VISITORS}?offset=1`),
    page.ask(`${VISITORS}?limit=1&offset=2`, { headers: [own] }),
    page.ask(`${VISITORS}?limit=1000000`),
    page.ask(VISITORS, {
      headers: [
        ['range', '1-1000'],
        ['range-unit', 'items'],
      ],
    }),
    page.ask(VISITORS, {
      headers: [
        ['range', '2-'],
        ['prefer', 'count=exact'],
      ],
    }),
    page.ask(`${VISITORS}?offset=100`, { headers: [['prefer', 'count=exact']] }),
    page.ask(`${VISITORS}?limit=-1`),

    tree.ask(`${VISITORS}?or=(listed.is.true,listed.is.false)`),
    tree.ask(`${VISITORS}?or=(slug.eq.${prey.slug},slug.eq.default)`),
    tree.ask(`${VISITORS}?not.and=(listed.is.true,slug.eq.default)`),
    tree.ask(`${VISITORS}?and=(slug.neq.x,or(listed.is.false,not.and(slug.eq.a,slug.eq.b)))`, {
      headers: [own],
    }),
    tree.guess(word, (text) => `${VISITORS}?or=(system.like.*${text}*,slug.eq.nobody)`),

    // A condition that fails on some values fails only where it is asked of a row: the hidden ones must not be asked.
    error.guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}&name=like.%5C`),
    error.guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}&select=slug::int`),
    error.guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}&system=match.(`),
    error.guess(prey.slug, (slug) => `${VISITORS}?slug=eq.${slug}&select=system::json`),
    error.guess(prey.slug, (slug) => `${VISITORS}?and=(slug.eq.${slug},system.imatch.%5B)`),
    error.ask(`${VISITORS}?select=name::int&order=slug.desc`, { headers: [own] }),
    error.ask(`${VISITORS}?select=system::uuid&listed=is.false`),
    error.ask(`${VISITORS}?first_message=like.%5C`),
    error.ask(`${VISITORS}?system=match.((`),
    error.ask(`${VISITORS}?name=eq.%00`),
    error.ask(`${VISITORS}?id=eq.nonsense`),
  ]
}
