import { type Database, FilledHeyline, SECRET_KEY } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, ms } from '../report/table.js'

const VISITORS = 100_000
/** The most that 95 of 100 answers may take, in ms. */
const LIMIT_MS = 150
const ROUNDS = 60

const any = (most: number) => Math.floor(Math.random() * most)

/** What an operator asks for: each is drawn anew. */
const QUESTIONS: readonly { what: string; query(): Record<string, string> }[] = [
  { what: 'a page by slug', query: () => ({ offset: String(100 * any(VISITORS / 100)) }) },
  { what: 'a page by name', query: () => ({ sort: 'name', offset: String(100 * any(VISITORS / 100)) }) },
  {
    what: 'a page by age, the newest first',
    query: () => ({ sort: 'created', order: 'down', offset: String(100 * any(VISITORS / 100)) }),
  },
  { what: 'a part of one name', query: () => ({ text: `Visitor ${10_000 + any(90_000)}`, sort: 'name' }) },
  { what: 'a text that many have', query: () => ({ text: 'TOR-1', sort: 'name' }) },
  { what: 'a text that nobody has', query: () => ({ text: `nobody ${any(1000)}` }) },
  { what: 'a text beyond ASCII', query: () => ({ text: 'café' }) },
  { what: 'only listed', query: () => ({ listed: 'yes' }) },
]

/** Searches and pages of the operators' list among 100,000 visitors, one after another. */
export async function measureVisitorSearch(database: Database): Promise<Figure[]> {
  const server = await FilledHeyline.start(database, VISITORS)
  try {
    const figures: Figure[] = []
    for (const { what, query } of QUESTIONS) {
      const taken: number[] = []
      for (let round = 0; round < ROUNDS; round++) taken.push(await askedMs(server, query()))
      const value = taken.sort((a, b) => a - b)[Math.ceil(0.95 * ROUNDS) - 1] ?? Number.NaN
      figures.push(limited({ what: `p95 of ${what}`, value, limit: LIMIT_MS, show: ms }))
    }
    return figures
  } finally {
    await server.stop()
  }
}

async function askedMs(server: FilledHeyline, query: Record<string, string>): Promise<number> {
  const began = performance.now()
  const answer = await fetch(
    `${server.url}/-/office/visitors/search?${new URLSearchParams({ limit: '100', ...query })}`,
    { headers: { authorization: `Bearer ${SECRET_KEY}` } },
  )
  const said = await answer.text()
  if (answer.status !== 200) throw new Error(`A search answered ${answer.status}: ${said}`)
  return performance.now() - began
}
