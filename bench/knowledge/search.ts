import type { Db } from '@heyline/database'
import { openTestDb, openTestPostgres, startTestPostgres } from '@heyline/database/testing'
import { Knowledge, PassageSearch } from '@heyline/voice-platform'
import type { Database } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, ms, quantile } from '../report/table.js'

const FILES = 100
const PASSAGES_EACH = 100
const WORDS_EACH = 150
const VOCABULARY = 20_000
const QUESTIONS = 500
const WARM_UP = 50
const LIMIT_MS = 20

/** One of the vocabulary's words; as in every language, few are said very often. */
const word = (): string => `w${Math.floor(VOCABULARY ** Math.random())}ord`
const words = (count: number): string => Array.from({ length: count }, word).join(' ')

/** Searches for spoken questions among 10,000 passages, in all files and in one of them, one after another. */
export async function measureKnowledge(database: Database): Promise<Figure[]> {
  const stop = database === 'Postgres' ? await startTestPostgres() : async () => {}
  const db = await (database === 'PGlite' ? openTestDb({ isNew: true }) : openTestPostgres())
  try {
    const fileIds = await fill(db)
    await db.transaction((tx) => tx.exec('analyze voice_platform.passages'), {
      patienceMs: Number.POSITIVE_INFINITY,
    })
    return [
      ...(await searched(db, 'in all of 10,000 passages', fileIds)),
      ...(await searched(db, 'in one file of 100 passages', fileIds.slice(0, 1))),
    ]
  } finally {
    await db.close()
    await stop()
  }
}

async function fill(db: Db): Promise<string[]> {
  // What is measured is the search: the passages are given as they are.
  const knowledge = new Knowledge(db, {
    read: async () =>
      Array.from({ length: PASSAGES_EACH }, (_, index) => ({ page: index + 1, text: words(WORDS_EACH) })),
  })
  const ids: string[] = []
  for (let file = 0; file < FILES; file += 1) {
    const sent = { name: `file-${file}.txt`, content: Buffer.from('.') }
    ids.push((await knowledge.take('installation', sent, 'bench')).id)
  }
  return ids
}

async function searched(db: Db, where: string, fileIds: readonly string[]): Promise<Figure[]> {
  const times: number[] = []
  let found = 0
  const search = new PassageSearch(db)
  for (let asked = 0; asked < WARM_UP + QUESTIONS; asked += 1) {
    const question = `Could you please tell me about the ${words(2 + (asked % 8))}?`
    const before = performance.now()
    const passages = await search.find({ fileIds, languages: ['english'] }, question)
    if (asked < WARM_UP) continue
    times.push(performance.now() - before)
    if (passages.length > 0) found += 1
  }
  if (found < QUESTIONS / 2) throw new Error(`Only ${found} of ${QUESTIONS} questions found something.`)
  const p95 = quantile(times, 0.95)
  return [
    { what: `${where}: median`, value: ms(quantile(times, 0.5)), beside: '' },
    limited({ what: `${where}: p95`, value: p95, limit: LIMIT_MS, show: ms }),
    { what: `${where}: worst of ${QUESTIONS}`, value: ms(Math.max(...times)), beside: '' },
  ]
}
