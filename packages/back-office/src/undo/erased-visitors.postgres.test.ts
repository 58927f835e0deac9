import { createVisitors, importVisitors, listVisitors, removeVisitors } from '@heyline/backend'
import type { Db, Queryable } from '@heyline/database'
import { DATABASES, lockWaits } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { each } from '../lines/each.js'
import { createPeople, type People } from '../people/people.js'
import { createVisitorDesk } from '../visitors/visitor-desk.js'
import { applyUndo } from './apply-undo.js'
import { undoable } from './visitor-undo.js'

const ADA = 'abcdef01-0000-4000-8000-000000000001'
/** The first in the table is the last by its slug. */
const SLUGS = ['two', 'one']

/** Where several transactions are at work at a time; PGlite has one. */
const postgres = DATABASES.filter(({ name }) => name === 'Postgres')

describe.each(postgres)('a visitor who is erased while others change visitors, on $name', ({ open }) => {
  let db: Db
  let people: People
  beforeAll(async () => {
    db = await open()
    people = createPeople(db, createVisitors(db))
  })
  afterAll(() => db?.close())
  beforeEach(() =>
    db.exec(`delete from back_office.undo; delete from public.visitors;
      insert into public.visitors (slug, name, system) values ('two', 'Two', 'Be short.'), ('one', 'One', 'Be kind.')`),
  )

  /** Resolves once so many transactions wait for another. */
  const waiting = (count: number) => expect.poll(() => lockWaits(db)).toBe(count)
  const stored = async () =>
    (await db.query<{ slug: string }>('select slug from public.visitors')).rows.map(({ slug }) => slug)
  const copies = async () =>
    (await db.query<{ slug: string }>('select slug from back_office.undo_visitors')).rows.map(
      ({ slug }) => slug,
    )
  const change = (what: string, run: (tx: Queryable) => Promise<unknown>) =>
    undoable(db, { userId: ADA, what }, (tx, kept) => kept(SLUGS, () => run(tx)))

  const NEW = SLUGS.map((slug) => ({ slug, name: 'New' }))
  const CHANGES: [string, (tx: Queryable) => Promise<unknown>][] = [
    ['visitors_removed', (tx) => removeVisitors(tx, SLUGS)],
    ['visitors_listed', (tx) => listVisitors(tx, SLUGS, true)],
    ['visitors_imported', (tx) => importVisitors(tx, each([NEW]), { replace: ['name'] })],
  ]

  it.each(CHANGES)('is in no copy of a change that has begun: %s', async (what, run) => {
    let erasing: Promise<unknown> | undefined
    const { undoId } = await change(what, async (tx) => {
      erasing = people.erase({ visitor: 'one' })
      await Promise.race([erasing, waiting(1)])
      await run(tx)
    })
    await erasing
    expect(await copies()).toEqual(['two'])
    expect(await applyUndo(db, ADA, undoId ?? '')).toMatchObject({ restored: 1, left: 0 })
    expect(await stored()).toEqual(['two'])
  })

  it('is not copied by a change that begins before the row is gone', async () => {
    const { removing } = await db.transaction(async (tx) => {
      await removeVisitors(tx, ['one'])
      const removing = createVisitorDesk(db).removeMany(ADA, SLUGS)
      await waiting(1)
      return { removing }
    })
    expect(await removing).toMatchObject({ removed: 1 })
    expect(await copies()).toEqual(['two'])
  })

  it('stays gone where a removal came just before, and is taken back at once', async () => {
    const desk = createVisitorDesk(db)
    const own = createVisitors(db)
    let taken = 0
    const disturbed = createPeople(db, {
      ...own,
      remove: async (slug) => {
        if (taken > 0) return await own.remove(slug)
        const { undoId } = await desk.removeMany(ADA, SLUGS)
        try {
          return await own.remove(slug)
        } finally {
          taken += (await applyUndo(db, ADA, undoId ?? '')).restored
        }
      },
    })
    expect(await disturbed.erase({ visitor: 'one' })).toMatchObject({ visitor: true })
    expect(taken).toBe(2)
    expect([await stored(), await copies()]).toEqual([['two'], []])
  })

  it('is locked by slug, so that changes of the same visitors do not wait for each other', async () => {
    const lock = (tx: Queryable, slug: string) =>
      tx.query('select from public.visitors where slug = $1 for update', [slug])
    const { listing } = await db.transaction(async (tx) => {
      await lock(tx, 'one')
      const listing = createVisitorDesk(db).setListed(ADA, SLUGS, true)
      await waiting(1)
      await lock(tx, 'two')
      return { listing }
    })
    expect(await listing).toMatchObject({ changed: 2 })
  })
})
