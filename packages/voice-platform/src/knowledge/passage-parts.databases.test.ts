import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FileRefused } from './file-intake.js'
import { Knowledge } from './knowledge.js'
import { type InTurn, storePassages } from './passage-parts.js'

describe.each(DATABASES)('the passages of a file on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db?.close())
  beforeEach(() => db.exec('delete from voice_platform.files'))

  /** The same database, which tells how many passages each statement stores, and takes so long for one. */
  function watched(ms: number) {
    const parts: number[] = []
    const slow: Db = Object.assign(Object.create(db), {
      query: async (...asked: Parameters<Db['query']>) => {
        await delay(ms)
        const { rowCount } = await db.query(...asked)
        parts.push(rowCount)
        return { rows: [], rowCount }
      },
    })
    return { slow, parts }
  }
  const newFile = async () => {
    const { rows } = await db.query<{ id: string }>(
      "insert into voice_platform.files (name, original_name, kind, bytes) values ('a.txt', 'a.txt', 'txt', 1) returning id",
    )
    return rows[0]?.id ?? ''
  }
  const atOnce: InTurn = (work) => work()
  const thousand = (count: number) =>
    Array.from({ length: count }, (_, number) => ({ text: `${number} `.padEnd(1_000, 'word ') }))
  const stored = async () =>
    (await db.query('select number from voice_platform.passages order by number')).rows.map(
      ({ number }) => number,
    )

  it('are stored by many short statements, each in a turn, fewer at once where they take long', async () => {
    const { slow, parts } = watched(50)
    let turns = 0
    const inTurn: InTurn = (work) => {
      turns += 1
      return work()
    }
    const file = { fileId: await newFile(), language: 'english', passages: thousand(9) }
    expect(await storePassages(slow, file, inTurn)).toBe(true)
    expect(parts).toEqual([4, 2, 1, 1, 1])
    expect(turns).toBe(parts.length)
    expect(await stored()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('are stored twenty thousand characters at once at most, or two hundred passages', async () => {
    const { slow, parts } = watched(0)
    const fileId = await newFile()
    await storePassages(slow, { fileId, language: 'english', passages: thousand(100) }, atOnce)
    expect(Math.max(...parts)).toBeLessThanOrEqual(20)
    await db.exec('delete from voice_platform.passages')
    const short = Array.from({ length: 900 }, () => ({ text: 'A word.' }))
    await storePassages(slow, { fileId, language: 'english', passages: short }, atOnce)
    expect(Math.max(...parts)).toBeLessThanOrEqual(200)
    expect(await stored()).toHaveLength(900)
  })

  it('are in no statement that goes on where the file is removed meanwhile', async () => {
    const fileId = await newFile()
    let turns = 0
    const removing: InTurn = async (work) => {
      if (++turns === 2) await db.exec('delete from voice_platform.files')
      return await work()
    }
    const file = { fileId, language: 'english', passages: thousand(50) }
    expect(await storePassages(db, file, removing)).toBe(false)
    expect(turns).toBe(2)
    expect(await stored()).toEqual([])
  })

  it('are gone with a file that does not fit', async () => {
    const knowledge = new Knowledge(db, {
      mostBytes: 5_000,
      read: async () => [{ text: 'Words. '.repeat(1_000) }],
    })
    const taken = knowledge.take('installation', { name: 'a.txt', content: Buffer.from('Words.') }, 'ann')
    await expect(taken).rejects.toBeInstanceOf(FileRefused)
    expect(await stored()).toEqual([])
  })
})
