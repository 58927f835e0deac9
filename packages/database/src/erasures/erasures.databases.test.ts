import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DATABASES } from '../testing/databases.js'
import { erasedSince, lastErasure, rememberErased } from './erasures.js'

const NUMBER = '+14155552671'

describe.each(DATABASES)('an erased person, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db?.close())

  it('is known to who read the mark before, by slug in any case or by number, and to nobody who reads it after', async () => {
    const before = await lastErasure(db)
    await rememberErased(db, 'slug', ['Ada', 'ADA', 'former'])
    const between = await lastErasure(db)
    await rememberErased(db, 'number', [NUMBER])
    const since = (mark: string, slug: string, number?: string) =>
      erasedSince(db, mark, number === undefined ? { slug } : { slug, number })
    expect(await since(before, 'aDa')).toBe('slug')
    expect(await since(before, 'former', NUMBER)).toBe('slug')
    expect(await since(between, 'ada')).toBeUndefined()
    expect(await since(between, 'ada', NUMBER)).toBe('number')
    expect(await since(before, NUMBER)).toBeUndefined()
    expect(await since(before, 'ben', '+14155550100')).toBeUndefined()
    expect(await since(await lastErasure(db), 'ada', NUMBER)).toBeUndefined()
  })

  it('who is erased again is known to who read the mark in between', async () => {
    await rememberErased(db, 'slug', ['again'])
    const mark = await lastErasure(db)
    await rememberErased(db, 'slug', ['again'])
    expect(await erasedSince(db, mark, { slug: 'again' })).toBe('slug')
  })

  it('is stored as a hash', async () => {
    await rememberErased(db, 'slug', ['secretive'])
    const { rows } = await db.query('select * from call_desk.erasures')
    expect(JSON.stringify(rows)).not.toMatch(/secretive|4155552671/)
  })
})
