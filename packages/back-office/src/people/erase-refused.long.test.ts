import { createVisitors } from '@heyline/backend'
import type { Db, Queryable, Result } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readAudit } from '../audit/audit.js'
import { ADA, BEN, StoredPeople } from '../testing/stored-people.js'
import { createPeople } from './people.js'

/** More than two parts of the most that one statement may take. */
const MANY = 1200
const MOST = 500

describe.each(DATABASES)('a person with many refused requests, on $name', ({ open }) => {
  let db: Db
  let stored: StoredPeople

  beforeAll(async () => {
    db = await open()
    stored = new StoredPeople(db)
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await stored.clear()
    await db.exec("insert into public.visitors (slug, name) values ('Ada', 'Ada'), ('ben', 'Ben')")
  })

  const refuse = (phone: string, slug: string, times = MANY) =>
    db.exec(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal)
       select '${phone}', '${slug}', 'hash', 'refused', 'paused' from generate_series(1, ${times})`,
    )
  const openPage = (slug: string, times = MANY) =>
    db.exec(
      `insert into timeline.events (type, slug, actor)
       select 'page.opened', '${slug}', 'visitor' from generate_series(1, ${times})`,
    )
  /** How many requests and events there are. */
  const left = async () => {
    const { rows } = await db.query(
      `select (select count(*)::int from call_desk.call_requests) as requests,
         (select count(*)::int from timeline.events where type not like 'visitor.%') as events`,
    )
    return rows[0]
  }

  /** The people of the database, and how many rows each statement removed that removed some: alone, and in the longest transaction. */
  function watched() {
    const removed: number[] = []
    const transactions: number[] = []
    const note = (sql: string, { rowCount, rows }: Result<{ count?: number }>): number => {
      const count = /^\s*delete/.test(sql) ? rowCount : /\(delete/.test(sql) ? (rows[0]?.count ?? 0) : 0
      removed.push(count)
      return count
    }
    const watching = <Asked extends Queryable>(asked: Asked, onRemoved: (count: number) => void): Asked =>
      Object.assign(Object.create(asked), {
        async query(...[sql, ...rest]: Parameters<Queryable['query']>) {
          const result = await asked.query<{ count?: number }>(sql, ...rest)
          onRemoved(note(sql, result))
          return result
        },
      })
    const base = watching(db, () => undefined)
    const watchedDb: Db = Object.assign(base, {
      transaction: (...[work, options]: Parameters<Db['transaction']>) =>
        db.transaction(async (tx) => {
          let count = 0
          const result = await work(watching(tx, (more) => (count += more)))
          transactions.push(count)
          return result
        }, options),
    })
    return { people: createPeople(watchedDb, createVisitors(db)), removed, transactions }
  }

  it('is erased in parts, by the slug, and others stay as they were', async () => {
    await refuse(ADA, 'ada')
    await openPage('ADA')
    await stored.call(ADA, 'Ada')
    await refuse(BEN, 'ben', 2)
    await openPage('ben', 2)
    const { people, removed, transactions } = watched()
    expect(await people.erase({ visitor: 'ada' })).toMatchObject({
      visitor: true,
      requests: MANY + 1,
      calls: 1,
    })
    expect(Math.max(...removed)).toBe(MOST)
    // The last one, in which nobody's call passes the gate, has little to do.
    expect(transactions.at(-1)).toBeLessThan(20)
    expect(await left()).toEqual({ requests: 2, events: 4 })
    expect(await stored.whereIs('ada')).toEqual([])
    const audit = await db.query("select detail from call_desk.audit where action = 'person_erased'")
    expect(audit.rows).toMatchObject([{ detail: { requests: MANY + 1 } }])
  })

  it('is erased in parts, by the number, and others stay as they were', async () => {
    await refuse(ADA, 'ben')
    await stored.call(ADA, 'ben')
    await refuse(BEN, 'ben', 2)
    const { people, removed, transactions } = watched()
    expect(await people.erase({ number: ADA })).toMatchObject({ requests: MANY + 1, calls: 1 })
    expect(Math.max(...removed)).toBe(MOST)
    expect(transactions.at(-1)).toBeLessThan(20)
    expect(await left()).toEqual({ requests: 2, events: 2 })
    expect(await stored.whereIs(ADA)).toEqual(['call_desk.do_not_call', 'back_office.hidings'].sort())
  })

  it('loses what was refused while the parts were erased, too', async () => {
    await refuse(ADA, 'ada', 3)
    let isLate = false
    const disturbed = Object.assign(Object.create(db), {
      async transaction(...asked: Parameters<Db['transaction']>) {
        const result = await db.transaction(...asked)
        if (!isLate) {
          isLate = true
          await refuse(ADA, 'ada', 2)
          await openPage('ada', 2)
        }
        return result
      },
    })
    expect(await createPeople(disturbed, createVisitors(db)).erase({ visitor: 'ada' })).toMatchObject({
      requests: 5,
    })
    expect(await left()).toEqual({ requests: 0, events: 0 })
  })

  it('keeps everything while a call runs: by the slug, and by the number', async () => {
    await refuse(ADA, 'ada')
    await stored.call(ADA, 'ada', 'in-progress')
    const before = await left()
    for (const person of [{ visitor: 'ada' }, { number: ADA }])
      await expect(stored.people.erase(person)).rejects.toMatchObject({ code: 'call_running' })
    expect(await left()).toEqual(before)
    expect(await stored.whereIs('Ada')).toContain('public.visitors')
  })

  it('is erased to the end by whoever asks again after it broke off, also without the row of the visitor', async () => {
    await db.exec("update public.visitors set slug = 'adele' where slug = 'Ada'")
    await refuse(ADA, 'ada')
    await refuse(ADA, 'adele', 3)
    await openPage('adele')
    let transactions = 0
    const broken = Object.assign(Object.create(db), {
      async transaction(...asked: Parameters<Db['transaction']>) {
        transactions += 1
        if (transactions === 3) await stored.call(ADA, 'adele', 'in-progress')
        return await db.transaction(...asked)
      },
    })
    await db.exec('delete from back_office.audit')
    const erasing = createPeople(broken, createVisitors(db)).erase({ visitor: 'adele' })
    await expect(erasing).rejects.toMatchObject({ code: 'call_running' })
    // The row of the visitor is gone, so the audit says so.
    expect((await readAudit(db, 10)).map(({ action }) => action)).toEqual(['person_erasing'])
    expect(await stored.whereIs('adele')).toContain('call_desk.call_requests')
    await db.exec(
      "update call_desk.call_requests set state = 'ended'; update voice_platform.calls set status = 'ended', ended_reason = 'x'",
    )
    expect(await stored.people.erase({ visitor: 'adele' })).toMatchObject({
      visitor: false,
      formerSlugs: ['Ada'],
      requests: 1,
    })
    expect(await left()).toEqual({ requests: 0, events: 0 })
    for (const slug of ['ada', 'Ada', 'adele']) expect(await stored.whereIs(slug)).toEqual([])
  })
})
