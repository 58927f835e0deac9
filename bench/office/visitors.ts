import type { Db } from '@heyline/database'
import { type Database, FilledHeyline } from '../backend/filled-heyline.js'
import type { Figure } from '../report/table.js'
import { any, askedAll, oneOf, type Question, vacuumed } from './asked.js'

const VISITORS = 100_000
const BATCH = 10_000
const PAGE = 100

/** Every tenth is listed, and every third has no prompt. */
const CHANGE = `
  update public.visitors v set listed = n % 10 = 0, system = case when n % 3 > 0 then system end
  from (select id, substring(slug from '^visitor-([0-9]+)$')::int as n from public.visitors) numbered
  where v.id = numbered.id and (n % 10 = 0 or n % 3 = 0) and n between $1::int and $2::int`

interface Looked {
  text?: () => string
  /** So many have it, at most. */
  found: number
}

/** What an operator looks for: each time it is drawn anew. */
const LOOKED: Readonly<Record<string, Looked>> = {
  'all visitors': { found: VISITORS },
  'a text that all have': { text: () => 'visitor', found: 10_000 },
  'a text that many have': { text: () => 'TOR-1', found: 10_000 },
  'a part of one name': { text: () => `itor ${10_000 + any(90_000)}`, found: 1 },
  'a text that nobody has': { text: () => oneOf([`nobody ${any(1000)}`, 'café']), found: 0 },
}

const FILTERS: Readonly<Record<string, () => Record<string, string>>> = {
  '': () => ({}),
  ', by listed': () => ({ listed: oneOf(['yes', 'no']) }),
  ', by prompt': () => ({ prompt: oneOf(['yes', 'no']) }),
}

/** In every order and direction; the first page, the last or any other. */
const QUESTIONS: readonly Question[] = Object.entries(LOOKED).flatMap(([looked, { text, found }]) =>
  Object.entries(FILTERS).map(([by, filter]) => ({
    what: `${looked}${by}`,
    query: () => {
      const pages = Math.max(1, found / PAGE)
      return {
        ...(text && { text: text() }),
        ...filter(),
        sort: oneOf(['slug', 'name', 'created']),
        order: oneOf(['up', 'down']),
        offset: String(PAGE * oneOf([0, Math.floor(pages - 1), any(pages)])),
      }
    },
  })),
)

/** Searches and pages of the operators' list among 100,000 visitors, one after another. */
export async function measureVisitorSearch(database: Database): Promise<Figure[]> {
  const server = await FilledHeyline.start(database, VISITORS, fill)
  try {
    return await askedAll(server, 'GET /visitors/search', QUESTIONS)
  } finally {
    await server.stop()
  }
}

async function fill(db: Db) {
  for (let from = 1; from <= VISITORS; from += BATCH) await db.query(CHANGE, [from, from + BATCH - 1])
  await vacuumed(db)
}
