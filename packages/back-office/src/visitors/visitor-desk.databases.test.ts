import { createVisitors, type NewVisitor } from '@heyline/backend'
import type { Db } from '@heyline/database'
import { DATABASES, leapDate } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPeople } from '../people/people.js'
import { applyUndo } from '../undo/apply-undo.js'
import { sweepUndo } from '../undo/visitor-undo.js'
import { createVisitorDesk, type VisitorDesk } from './visitor-desk.js'

const ADA = 'abcdef01-0000-4000-8000-000000000001'
const BEN = 'abcdef01-0000-4000-8000-000000000002'

describe.each(DATABASES)('changes of visitors and their undo, on $name', ({ open }) => {
  let db: Db
  let desk: VisitorDesk
  beforeAll(async () => {
    db = await open()
    desk = createVisitorDesk(db)
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec(`delete from back_office.undo; delete from public.visitors;
      insert into public.visitors (slug, name, system, first_message, listed, created_at)
      values ('One', 'One', 'Be kind.', 'Hi', true, '2026-01-01'), ('two', 'Two', null, null, false, '2026-01-02')`)
  })

  const all = async () =>
    (await db.query<Record<string, unknown>>('select * from public.visitors order by lower(slug)')).rows
  const undo = (id: string | null, userId = ADA) => applyUndo(db, userId, id ?? '')
  const gone = { code: 'undo_gone' }

  it('puts removed visitors back as they were, once, and for nobody else', async () => {
    const before = await all()
    const { removed, undoId } = await desk.removeMany(ADA, ['ONE', 'two', 'nobody'])
    expect(removed).toBe(2)
    expect(await all()).toEqual([])
    await expect(undo(undoId, BEN)).rejects.toMatchObject(gone)
    expect(await undo(undoId)).toEqual({ what: 'visitors_removed', restored: 2, removed: 0, left: 0 })
    expect(await all()).toEqual(before)
    await expect(undo(undoId)).rejects.toMatchObject(gone)
  })

  it('takes back a removal, a change and a new slug of one', async () => {
    const before = await all()
    const changed = await desk.update(ADA, 'one', { slug: 'first', name: 'First', system: null })
    expect(changed).toMatchObject({ slug: 'first', name: 'First', system: null })
    expect(await undo(changed.undoId)).toMatchObject({ restored: 1, left: 0 })
    expect(await all()).toEqual(before)
    const { undoId, ...removed } = await desk.remove(ADA, 'one')
    expect(removed).toEqual({ slug: 'One', name: 'One' })
    await undo(undoId)
    expect(await all()).toEqual(before)
  })

  it('lists many and takes it back', async () => {
    const before = await all()
    const { changed, undoId } = await desk.setListed(ADA, ['one', 'two'], true)
    expect(changed).toBe(1)
    expect((await all()).map(({ listed }) => listed)).toEqual([true, true])
    await undo(undoId)
    expect(await all()).toEqual(before)
  })

  it('takes back an import in parts: what it added goes, and what it replaced is as before', async () => {
    const before = await all()
    const parts: NewVisitor[][] = [
      [
        { slug: 'one', name: 'Eins' },
        { slug: 'three', name: 'Three' },
      ],
      [{ slug: 'four', name: 'Four' }],
    ]
    const first = await desk.import(ADA, parts.slice(0, 1), { replace: ['name'] })
    expect(first).toMatchObject({ added: 1, replaced: 1 })
    const options = { replace: ['name'] as const, undoId: first.undoId ?? '' }
    const second = await desk.import(ADA, parts.slice(1), options)
    expect(second.undoId).toBe(first.undoId)
    await expect(desk.import(BEN, [[{ slug: 'five', name: 'V' }]], options)).rejects.toMatchObject(gone)
    expect(await undo(first.undoId)).toEqual({
      what: 'visitors_imported',
      restored: 1,
      removed: 2,
      left: 0,
    })
    expect(await all()).toEqual(before)
  })

  it('keeps no undo of what changes nothing, and goes on with one that has begun', async () => {
    const undos = async () => (await db.query('select from back_office.undo')).rows.length
    const same = [[{ slug: 'one', name: 'One' }]]
    const replace = ['name'] as const
    const nothing = { undoId: null, isChanged: false }
    expect(await desk.import(ADA, same, { replace })).toMatchObject({ replaced: 1, ...nothing })
    expect(await desk.import(ADA, [[]], {})).toMatchObject({ added: 0, ...nothing })
    expect(await desk.update(ADA, 'two', { name: 'Two' })).toMatchObject(nothing)
    expect(await desk.setListed(ADA, ['one'], true)).toEqual({ changed: 0, undoId: null })
    expect(await undos()).toBe(0)
    const { undoId } = await desk.import(ADA, [[{ slug: 'three', name: 'Three' }]], { replace })
    const second = await desk.import(ADA, same, { replace, undoId: undoId ?? '' })
    expect(second).toMatchObject({ undoId, isChanged: false })
    expect(await undo(undoId)).toMatchObject({ removed: 1, left: 0 })
    expect(await desk.update(ADA, 'two', { name: 'Zwei' })).toMatchObject({ isChanged: true })
  })

  it('leaves what somebody changed since, and who has taken the slug', async () => {
    const imported = await desk.import(
      ADA,
      [
        [
          { slug: 'three', name: 'Three' },
          { slug: 'four', name: 'Four' },
        ],
      ],
      {},
    )
    await createVisitors(db).update('three', { name: 'Drei' })
    expect(await undo(imported.undoId)).toMatchObject({ removed: 1, left: 1 })
    const { undoId } = await desk.remove(ADA, 'one')
    await createVisitors(db).add({ slug: 'ONE', name: 'Another' })
    expect(await undo(undoId)).toMatchObject({ restored: 0, left: 1 })
    const moved = await desk.update(ADA, 'two', { slug: 'zwei' })
    await createVisitors(db).add({ slug: 'two', name: 'Another' })
    expect(await undo(moved.undoId)).toMatchObject({ restored: 0, left: 1 })
  })

  it('keeps nothing of a change that failed', async () => {
    await expect(
      desk.import(
        ADA,
        [
          [
            { slug: 'new', name: 'New' },
            { slug: 'ONE', name: 'Late' },
          ],
        ],
        {},
      ),
    ).rejects.toMatchObject({ code: 'slug_taken', message: expect.stringContaining('one') })
    expect(await all()).toHaveLength(2)
    expect((await db.query('select from back_office.undo')).rowCount).toBe(0)
  })

  it('is for a day, and bounded', async () => {
    const { undoId } = await desk.remove(ADA, 'one')
    await db.query("update back_office.undo set at = now() - interval '25 hours'")
    await expect(undo(undoId)).rejects.toMatchObject(gone)
    const kept = async () => {
      await sweepUndo(db)
      return (await db.query('select from back_office.undo_visitors')).rowCount
    }
    // A date that is doubted removes nothing.
    await leapDate(db, 400)
    expect(await kept()).toBe(1)
    await leapDate(db, 0)
    expect(await kept()).toBe(0)
    await desk.remove(ADA, 'two')
    await db.query('update back_office.undo set bytes = 199999000')
    await desk.removeMany(undefined, ['nobody'])
    await desk.import(ADA, [Array.from({ length: 20 }, (_, at) => ({ slug: `n-${at}`, name: 'N' }))], {})
    const { rows } = await db.query('select what from back_office.undo')
    expect(rows).toEqual([{ what: 'visitors_imported' }])
  })

  it('is exported and erased with the person', async () => {
    const { undoId } = await desk.update(ADA, 'one', { slug: 'secret', name: 'Secret' })
    const people = createPeople(db, createVisitors(db))
    const exported = new Map<string, unknown[]>()
    for await (const parts of people.export({ visitor: 'secret' }))
      for (const { table, rows } of parts) exported.set(table, rows)
    expect(JSON.stringify(exported.get('back_office.undo_visitors'))).toContain('Be kind.')
    await people.erase({ visitor: 'secret' })
    expect((await db.query('select from back_office.undo_visitors')).rowCount).toBe(0)
    expect(await undo(undoId)).toMatchObject({ restored: 0, left: 0 })
  })
})
