import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDeskDb } from '../testing/desk-db.js'
import { clearDesk } from '../testing/gate-desk.js'
import { Seeded } from '../testing/seeded.js'
import { manyNumbers } from './many-numbers.js'

const minute = 60_000
const limit = { most: 3, windowMs: 60 * minute, blockMs: 24 * 60 * minute }
const address = '203.0.113.1'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const statement = (settings = limit) =>
  `select ${manyNumbers(settings)} as many from (values ('${address}')) asked (address)`
const isMany = async (settings = limit) =>
  (await db.query<{ many: boolean }>(statement(settings))).rows[0]?.many

/** Requests of the address: the last digits of the number asked for, and how many minutes ago. Between two minutes, so that no edge is met. */
const requests = (made: readonly (readonly [number: number, minutesAgo: number])[]) =>
  db.query(
    `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, address, created_at)
     select '+1415555' || lpad(m->>0, 4, '0'), 'acme', '', 'refused', 'limit_number', $2,
       now() + interval '30 seconds' - (m->>1)::int * interval '1 minute'
     from jsonb_array_elements($1::jsonb) m`,
    [made, address],
  )

/** What is meant: a request of the block's time, before which, within a window, as many numbers were asked for. */
const isMeant = (made: readonly (readonly [number: number, minutesAgo: number])[], settings = limit) =>
  made.some(
    ([, end]) =>
      end * minute <= settings.blockMs &&
      new Set(
        made
          .filter(([, ago]) => ago >= end && (ago - end) * minute < settings.windowMs)
          .map(([number]) => number),
      ).size >= settings.most,
  )

describe('too many numbers of one address', () => {
  it('are found as they are meant, whatever was asked for when', async () => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const random = new Seeded(seed)
    const answers = { true: 0, false: 0 }
    for (let round = 0; round < 150; round++) {
      await db.exec('delete from call_desk.call_requests')
      const settings = {
        most: random.whole(1, 4),
        windowMs: random.whole(1, 20) * minute,
        blockMs: random.whole(1, 60) * minute,
      }
      const made = Array.from(
        { length: random.whole(0, 12) },
        () => [random.whole(1, 5), random.whole(1, 90)] as const,
      )
      await requests(made)
      const meant = isMeant(made, settings)
      expect(await isMany(settings), `seed ${seed}: ${JSON.stringify([settings, made])}`).toBe(meant)
      answers[`${meant}`]++
    }
    expect(Math.min(answers.true, answers.false), `seed ${seed}`).toBeGreaterThan(10)
  })

  /** Two numbers in each hour, never three in one. */
  const careful = (each: number, hours: number) =>
    Array.from(
      { length: each * hours },
      (_, place) => [2 * Math.floor(place / each) + (place % 2), 120 * Math.floor(place / each) + 1] as const,
    )

  it('are looked for in one walk, however many requests there are', async () => {
    const made = careful(80, 12)
    await requests(made)
    expect(await isMany()).toBe(false)
    const { rows } = await db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${statement()}`,
    )
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    const read = plan ? rowsOf(plan.Plan) : Number.POSITIVE_INFINITY
    expect(read).toBeGreaterThan(made.length)
    expect(read).toBeLessThan(20 * made.length)
  })

  it('are taken for granted where there are more requests than are looked at', async () => {
    await requests(careful(100, 10))
    expect(await isMany()).toBe(false)
    await requests([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    expect(await isMany()).toBe(true)
  })

  it('are not those of one number, however often it was asked for', async () => {
    await requests(Array.from({ length: 1100 }, () => [1, 5] as const))
    expect(await isMany()).toBe(false)
  })
})

/** As much of a plan as tells how many rows its nodes brought. */
interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

const rowsOf = (node: PlanNode): number =>
  node['Actual Rows'] * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)
