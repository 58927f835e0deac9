import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KeyFingerprints, type SharedKey, type Standings } from './key-fingerprints.js'

describe.each(DATABASES)('the fingerprints of keys, on $name', ({ open }) => {
  let db: Db
  let fingerprints: KeyFingerprints
  beforeAll(async () => {
    db = await open()
    fingerprints = new KeyFingerprints(db)
  })
  afterAll(() => db.close())
  beforeEach(() => db.exec('delete from back_office.key_fingerprints'))

  const rows = async () =>
    (await db.query('select * from back_office.key_fingerprints order by key, accepted_at, salt')).rows
  const refuse = (standings: Standings) => {
    if ([...standings.values()].includes('other')) throw new Error('refused')
  }
  const settle = async (...keys: SharedKey[]) => Object.fromEntries(await fingerprints.settle(keys, refuse))
  const one = (value: string, others: Partial<SharedKey> = {}): SharedKey => ({
    name: 'ONE',
    value,
    ...others,
  })

  it('are stored at the first start, and known at the next', async () => {
    expect(await settle(one('first'), { name: 'TWO', value: 'second' })).toEqual({ ONE: 'new', TWO: 'new' })
    const stored = await rows()
    expect(await settle(one('first'), { name: 'TWO', value: 'second' })).toEqual({
      ONE: 'known',
      TWO: 'known',
    })
    expect(await rows()).toEqual(stored)
  })

  it('tell nothing: the same key looks different each time, under each name and in each database', async () => {
    await settle(one('the same'), { name: 'TWO', value: 'the same' })
    const text = JSON.stringify(await rows())
    expect(text).not.toContain('the same')
    expect(new Set((await rows()).map(({ fingerprint }) => fingerprint)).size).toBe(2)
    const before = await rows()
    await db.exec('delete from back_office.key_fingerprints')
    await settle(one('the same'))
    expect((await rows())[0]?.fingerprint).not.toBe(before[0]?.fingerprint)
  })

  it('are written by nobody who is refused, not even those of new keys', async () => {
    await settle(one('first'))
    const stored = await rows()
    await expect(settle(one('other'), { name: 'TWO', value: 'second' })).rejects.toThrow('refused')
    expect(await rows()).toEqual(stored)
  })

  it('are replaced on purpose, which is noted in the same transaction', async () => {
    await settle(one('first'), { name: 'TWO', value: 'second' })
    const noted: string[][] = []
    const keys = [one('other'), { name: 'TWO', value: 'second' }]
    await fingerprints.settle(
      keys,
      () => {},
      async (_, names) => void noted.push(names),
    )
    expect(noted).toEqual([['ONE']])
    expect(await settle(one('other'))).toEqual({ ONE: 'known' })
    await expect(settle(one('first'))).rejects.toThrow('refused')

    const broken = fingerprints.settle(
      [one('third')],
      () => {},
      () => Promise.reject(new Error('no note')),
    )
    await expect(broken).rejects.toThrow('no note')
    expect(await settle(one('other'))).toEqual({ ONE: 'known' })
  })

  it('let a secret take the place of another, one server after the other', async () => {
    await settle(one('old'))
    expect(await settle(one('new', { former: 'old' }))).toEqual({ ONE: 'known' })
    // One that was not reached yet starts again.
    expect(await settle(one('old'))).toEqual({ ONE: 'known' })
    expect(await settle(one('new', { former: 'old' }))).toEqual({ ONE: 'known' })
    expect(await settle(one('new'))).toEqual({ ONE: 'known' })
    await expect(settle(one('old'))).rejects.toThrow('refused')
    expect(await rows()).toHaveLength(1)
  })

  it('know a key that was left behind, and keep those of keys that are not compared', async () => {
    const left = one('derived', { left: 'of the file' })
    expect(await settle(left)).toEqual({ ONE: 'left' })
    await db.exec('delete from back_office.key_fingerprints')
    await settle(one('of the file'))
    expect(Object.fromEntries(await fingerprints.standings([left]))).toEqual({ ONE: 'left' })
    expect(Object.fromEntries(await fingerprints.standings([{ ...left, left: 'else' }]))).toEqual({
      ONE: 'other',
    })
    await settle({ name: 'TWO', value: 'second' })
    expect(await rows()).toHaveLength(2)
  })

  it('are those of one server, where several start at once with keys of their own', async () => {
    const starts = ['a', 'b', 'c'].map((value) => new KeyFingerprints(db).settle([one(value)], refuse))
    const ended = await Promise.allSettled(starts)
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await rows()).toHaveLength(1)
  })
})
