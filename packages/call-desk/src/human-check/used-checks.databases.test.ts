import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useCheck } from './used-checks.js'

describe.each(DATABASES)('a used check on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  it('counts once, and so does each other one', async () => {
    expect(await useCheck(db, 'once')).toBe(true)
    expect(await useCheck(db, 'once')).toBe(false)
    expect(await useCheck(db, 'another')).toBe(true)
  })

  it('is counted for one of many requests at the same time', async () => {
    const counted = await Promise.all(
      Array.from({ length: 20 }, () => db.transaction((tx) => useCheck(tx, 'race'))),
    )
    expect(counted.filter(Boolean)).toEqual([true])
  })

  it('is not used by what is rolled back, for which another waits', async () => {
    let second: Promise<boolean> | undefined
    const first = db.transaction(async (tx) => {
      expect(await useCheck(tx, 'back')).toBe(true)
      second = db.transaction((other) => useCheck(other, 'back'))
      throw new Error('refused')
    })
    await expect(first).rejects.toThrow('refused')
    expect(await second).toBe(true)
  })
})
