import { importVisitors, type NewVisitor } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'

const ROWS = 10_000
const ROUNDS = 5
/** Of an import's time without the timeline. */
const MOST = 1.3

const VISITORS: NewVisitor[] = Array.from({ length: ROWS }, (_, n) => ({
  slug: `imported-${n}`,
  name: `Imported ${n}`,
  system: `You are the friendly receptionist of business number ${n}. Answer in one or two short sentences.`,
  firstMessage: `Hello, this is business number ${n}.`,
}))

/** An import of 10,000 visitors on PGlite: with the timeline, and where nothing is told, by turns. */
export async function measureImport(): Promise<Figure[]> {
  const [told, untold] = [await openTestDb({ isNew: true }), await openTestDb()]
  try {
    await untold.exec('alter table public.visitors disable trigger visitors_tell_added')
    const taken: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round += 1) {
      const both = [await imported(told), await imported(untold)] as const
      if (round > 0) for (const [at, value] of both.entries()) taken[at]?.push(value)
    }
    const [withIt, without] = [median(taken[0]), median(taken[1])]
    return [
      limited({
        what: 'an import of 10,000 visitors',
        value: withIt / without,
        limit: MOST,
        show: (ratio) => `${ratio.toFixed(2)} ×`,
        beside: `${ms(withIt)} and, without the timeline, ${ms(without)}`,
      }),
    ]
  } finally {
    await told.close()
    await untold.close()
  }
}

/** How long an import into an empty table takes, in ms. */
async function imported(db: Db): Promise<number> {
  await db.exec('truncate public.visitors, timeline.events cascade')
  const began = performance.now()
  await db.transaction((tx) => importVisitors(tx, inOne(VISITORS)))
  return performance.now() - began
}

async function* inOne(visitors: NewVisitor[]): AsyncGenerator<NewVisitor[]> {
  yield visitors
}
