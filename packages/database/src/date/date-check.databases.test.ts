import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DATABASES } from '../testing/databases.js'
import { leapDate } from '../testing/leap-date.js'
import { DATE_IS_SURE, isDateSure } from './date-check.js'

describe.each(DATABASES)('the date on $name', ({ open }) => {
  let db: Db
  const lines: { level: number; msg: string; now: string; lastSeen: string }[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const look = () => isDateSure(db, logger)
  const isSureInSql = async () =>
    (await db.query<{ sure: boolean }>(`select ${DATE_IS_SURE} as sure`)).rows[0]?.sure

  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    lines.length = 0
    await db.exec('delete from back_office.date_checks')
  })

  it('is sure at the first look, and where looks are less than two days apart', async () => {
    expect([await isSureInSql(), await look()]).toEqual([true, true])
    for (let time = 0; time < 3; time += 1) {
      await leapDate(db, 1.9)
      expect([await isSureInSql(), await look()]).toEqual([true, true])
    }
    expect(lines).toEqual([])
  })

  it('is doubted for a day once it has leapt, and the log says so once', async () => {
    await look()
    await leapDate(db, 400)
    expect(await isSureInSql()).toBe(false)
    // Rounds of many processes.
    expect(await Promise.all([look(), look(), look()])).toEqual([false, false, false])
    await leapDate(db, 0.9)
    expect([await isSureInSql(), await look()]).toEqual([false, false])
    expect(lines).toEqual([
      expect.objectContaining({ level: 50, msg: expect.stringContaining('Check the date') }),
    ])
    const [line = { now: '', lastSeen: '' }] = lines
    const leaptMs = Date.parse(line.now) - Date.parse(line.lastSeen)
    expect(Math.round(leaptMs / 86_400_000)).toBe(400)
    await leapDate(db, 0.2)
    expect([await look(), await isSureInSql()]).toEqual([true, true])
  })

  it('is sure again once the clock is put back, and doubted if it leaps again', async () => {
    await look()
    await leapDate(db, 400)
    expect(await look()).toBe(false)
    await leapDate(db, -400)
    expect([await look(), await isSureInSql()]).toEqual([true, true])
    await leapDate(db, 3)
    expect(await look()).toBe(false)
    expect(lines).toHaveLength(2)
  })
})
