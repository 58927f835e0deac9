import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf } from '../testing/desk.js'
import { addressOf, ask, clearDesk, openGate } from '../testing/gate-desk.js'

describe.each(DATABASES)('requests at once over two desks, on $name', ({ name, open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => clearDesk(db))

  const desks = (changes: Partial<typeof openGate> = {}) =>
    [1, 2].map(() =>
      deskOf(db, 'http://127.0.0.1:1', {
        gate: { ...openGate, ...changes },
        addressOf,
        findVisitor: async (slug) => ({ slug }),
        humanCheck: { isToken: () => true, verify: async (token) => token },
      }),
    )

  /** Twenty requests, in turn through both desks, each with its own check unless it is told otherwise. */
  const twenty = (
    changes: Partial<typeof openGate>,
    asked: (place: number) => { phone?: string; token?: string },
  ) => {
    const both = desks(changes)
    return Promise.all(
      Array.from({ length: 10 }, (_, pair) =>
        both.map((desk, which) => {
          const place = pair * 2 + which
          const { phone, token = `t-${place}` } = asked(place)
          return ask(desk, {
            phone,
            slug: `page-${place}`,
            address: `10.${place}.0.1`,
            headers: { 'x-human-check': token },
          })
        }),
      ).flat(),
    )
  }
  const other = (place: number) => `+1415${220 + place}2671`
  const passed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 202).length
  const queued = async () =>
    (await db.query("select id from call_desk.call_requests where state = 'queued'")).rows.length

  it('for one number store one call, and every other page hears that it is not its own', async () => {
    const answers = await twenty({}, () => ({}))
    expect(passed(answers)).toBe(1)
    expect(answers.filter(({ code }) => code === 'in_flight')).toHaveLength(19)
    expect(await queued()).toBe(1)
    expect((await db.query('select from call_desk.ledger')).rows).toHaveLength(1)
  })

  it.each([
    ['starts', { startLimits: [{ most: 3, windowMs: 60_000 }] }],
    ['calls in flight', { concurrent: 3 }],
    ['the country', { countryLimits: [{ most: 3, windowMs: 60_000 }] }],
    ['money', { dayBudget: 2_999_999 }],
  ])('share the limit of %s', async (_, changes) => {
    expect(passed(await twenty(changes, (place) => ({ phone: other(place) })))).toBe(3)
    expect(await queued()).toBe(3)
  })

  // On PGlite all wait for each other's transactions as it is.
  if (name === 'Postgres') {
    it('leave connections to all others while they wait for the lock', async () => {
      const answers = await db.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(1212763468, 1)')
        const asked = twenty({}, (place) => ({ phone: other(place) }))
        const waiting = async () =>
          (
            await tx.query(
              `select from pg_locks where locktype = 'advisory' and not granted
                 and database = (select oid from pg_database where datname = current_database())`,
            )
          ).rows.length
        await expect.poll(waiting).toBe(4)
        expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
        return { asked }
      })
      expect(passed(await answers.asked)).toBe(20)
      expect(await queued()).toBe(20)
    })
  }

  it('share what human checks were used', async () => {
    expect(passed(await twenty({}, (place) => ({ phone: other(place), token: 't' })))).toBe(1)
    expect(await queued()).toBe(1)
  })
})
