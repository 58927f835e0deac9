import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import type { InTurn } from '@heyline/kit/waiting-line'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readAudit } from '../audit/audit.js'
import { StoredPartsLine } from '../audit/parts-line.js'
import { createVisitorDesk, type VisitorDesk } from '../visitors/visitor-desk.js'
import { applyUndo } from './apply-undo.js'

const ADA = 'abcdef01-0000-4000-8000-000000000001'
const MANY = 2_500
const SLUGS = Array.from({ length: MANY }, (_, at) => `n-${at + 1}`)

describe.each(DATABASES)('changes of many visitors, on $name', ({ open }) => {
  let db: Db
  let desk: VisitorDesk
  beforeAll(async () => {
    db = await open()
    desk = createVisitorDesk(db)
  })
  afterAll(() => db.close())
  beforeEach(() =>
    db.exec(`delete from back_office.undo; delete from public.visitors;
      insert into public.visitors (slug, name) select 'n-' || i, 'N' from generate_series(1, ${MANY}) i`),
  )

  /** Counts the parts, and breaks off before one. */
  function turns(broken = Number.POSITIVE_INFINITY) {
    let parts = 0
    const inTurn: InTurn = async (part) => {
      parts += 1
      if (parts === broken) throw new Error('broken off')
      return await part()
    }
    return { inTurn, count: () => parts }
  }
  const count = async (where: string) =>
    (await db.query(`select from public.visitors where ${where}`)).rowCount
  const withLongPrompts = (visitors: number) =>
    db.query(
      `update public.visitors set system = repeat('x', 100000) where substr(slug, 3)::int <= ${visitors}`,
    )

  it('are made and taken back in parts that others can come between', async () => {
    const listing = turns()
    const { changed, undoId } = await desk.setListed(ADA, SLUGS, true, listing)
    expect([changed, listing.count()]).toEqual([MANY, 4])
    const undoing = turns()
    const undone = await applyUndo(db, ADA, undoId ?? '', undoing.inTurn)
    expect(undone).toMatchObject({ restored: MANY, left: 0 })
    expect(undoing.count()).toBe(4)
    expect(await count('listed')).toBe(0)
    const removed = await desk.removeMany(ADA, SLUGS)
    expect(await count('true')).toBe(0)
    expect(await applyUndo(db, ADA, removed.undoId ?? '')).toMatchObject({ restored: MANY })
    expect(await count('true')).toBe(MANY)
  })

  it('are made of fewer visitors at once where their texts are long', async () => {
    await withLongPrompts(100)
    const { inTurn, count: parts } = turns()
    await desk.setListed(ADA, SLUGS.slice(0, 100), true, { inTurn })
    expect(parts()).toBe(4)
  })

  it('are taken back where a part fails, and an undo that breaks off goes on', async () => {
    await expect(desk.setListed(ADA, SLUGS, true, turns(4))).rejects.toThrow('broken off')
    expect(await count('listed')).toBe(0)
    const { undoId } = await desk.removeMany(ADA, SLUGS)
    await expect(applyUndo(db, ADA, undoId ?? '', turns(3).inTurn)).rejects.toThrow('broken off')
    expect(await count('true')).toBe(1000)
    expect(await applyUndo(db, ADA, undoId ?? '')).toMatchObject({ restored: 1500, left: 0 })
    expect(await count('true')).toBe(MANY)
  })

  it('are kept until they are taken back, and say so where they are gone meanwhile', async () => {
    const { undoId } = await desk.removeMany(ADA, SLUGS)
    await db.query("update back_office.undo set at = now() - interval '23 hours'")
    let parts = 0
    const sweeping: InTurn = async (part) => {
      parts += 1
      if (parts === 2)
        expect(
          (await db.query("select from back_office.undo where at > now() - interval '1 hour'")).rowCount,
        ).toBe(1)
      if (parts === 3) await db.query('delete from back_office.undo')
      return await part()
    }
    await expect(applyUndo(db, ADA, undoId ?? '', sweeping)).rejects.toMatchObject({ code: 'undo_gone' })
    expect(await count('true')).toBe(1000)
  })

  it('of several parts have the bytes that these keep together', async () => {
    const { undoId } = await desk.setListed(ADA, SLUGS, true)
    const { rows } = await db.query<{ bytes: number; kept: number }>(
      `select u.bytes::float8 as bytes, sum(100 + length(v.before::text))::float8 as kept
       from back_office.undo u join back_office.undo_visitors v on v.undo_id = u.id where u.id = $1 group by u.bytes`,
      [undoId],
    )
    expect(rows[0]?.bytes).toBe(rows[0]?.kept)
    expect(rows[0]?.bytes).toBeGreaterThan(MANY * 100)
  })

  it('keep nothing where it would be too much, and say what was changed where a part fails', async () => {
    await withLongPrompts(501)
    expect(await desk.setListed(ADA, SLUGS, true)).toEqual({ changed: MANY, undoId: null })
    expect((await db.query('select from back_office.undo')).rowCount).toBe(0)
    const broken = desk.setListed(ADA, SLUGS, false, turns(3))
    await expect(broken).rejects.toMatchObject({
      code: 'changed_in_part',
      message: expect.stringContaining(' of the visitors were changed'),
    })
    expect(await count('not listed')).toBeGreaterThan(0)
  })

  it('are counted in one line of the audit, part by part, and so is what is taken back of them', async () => {
    await db.query('delete from back_office.audit')
    const lines = async () =>
      (await readAudit(db, 10)).reverse().map(({ actor, action, detail }) => [actor, action, detail])
    const lineOf = (action: string) => new StoredPartsLine(db, { name: 'ada@example.com' }, action)
    const seen: unknown[] = []
    const line = lineOf('visitors_listed')
    const { inTurn } = turns(4)
    const seeing: InTurn = async (part) => {
      seen.push(await lines())
      return await inTurn(part)
    }
    await expect(desk.setListed(ADA, SLUGS, true, { inTurn: seeing, line })).rejects.toThrow('broken off')
    const listed = (detail: object) => [
      ['ada@example.com', 'visitors_listed', { ...detail, isFinished: false }],
    ]
    // Whatever ended it there would have left just that.
    expect(seen.slice(0, 4)).toEqual([[], [], listed({ changed: 1000 }), listed({ changed: 2000 })])
    expect(await lines()).toEqual(listed({ changed: 2000, takenBack: 2000 }))

    await db.query('delete from back_office.audit')
    // Nobody takes back what was no operator's.
    const removing = { ...turns(3), line: lineOf('visitors_removed') }
    await expect(desk.removeMany(undefined, SLUGS, removing)).rejects.toMatchObject({
      code: 'changed_in_part',
    })
    expect(await lines()).toEqual([
      ['ada@example.com', 'visitors_removed', { removed: 1000, isFinished: false }],
    ])

    await db.query('delete from back_office.audit')
    const { undoId } = await desk.removeMany(ADA, SLUGS)
    const undone = lineOf('undone')
    const undoing = applyUndo(db, ADA, undoId ?? '', turns(3).inTurn, (tx, part) => undone.count(tx, part))
    await expect(undoing).rejects.toThrow('broken off')
    const detail = { what: 'visitors_removed', restored: 1000, isFinished: false }
    expect(await lines()).toEqual([['ada@example.com', 'undone', detail]])
  })

  it('that an import makes are bounded, with what it replaces, and none are made for who has left', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => ({ slug: `m-${at}`, name: 'M' }))
    const tooMuch = { code: 'too_large', message: expect.stringContaining('at most 10000 visitors') }
    await expect(desk.import(ADA, [many], {})).rejects.toMatchObject(tooMuch)
    const long = { slug: 'long', name: 'Long', system: 'x'.repeat(99_999) }
    const longs = Array.from({ length: 101 }, (_, at) => ({ ...long, slug: `long-${at}` }))
    await expect(desk.import(ADA, [longs], {})).rejects.toMatchObject(tooMuch)
    await withLongPrompts(251)
    const names = SLUGS.slice(0, 251).map((slug) => ({ slug, name: 'New' }))
    await expect(desk.import(ADA, [names], { replace: ['name'] })).rejects.toMatchObject(tooMuch)
    await db.exec(
      "insert into public.visitors (slug, name) values ('n-one-more', 'N'); update public.visitors set system = null",
    )
    const all = [...SLUGS, 'n-one-more'].map((slug) => ({ slug, name: 'New' }))
    await expect(desk.import(ADA, [all], { replace: ['name'] })).rejects.toMatchObject(tooMuch)
    const left = AbortSignal.abort(new Error('gone'))
    await expect(desk.import(ADA, [many.slice(1)], { left })).rejects.toThrow('gone')
    expect(await count("slug not like 'n-%' or name <> 'N'")).toBe(0)
    expect((await db.query('select from back_office.undo')).rowCount).toBe(0)
  })
})
