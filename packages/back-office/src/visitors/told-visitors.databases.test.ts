import { createVisitors, VisitorError, type Visitors } from '@heyline/backend'
import { createCallOffice } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { actingAs } from '@heyline/timeline'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readAudit } from '../audit/audit.js'
import { StoredPartsLine } from '../audit/parts-line.js'
import { applyUndo } from '../undo/apply-undo.js'
import { createVisitorDesk, hostedVisitorDesk } from './visitor-desk.js'

const ADA = 'abcdef01-0000-4000-8000-000000000001'
const NOBODY = 'abcdef01-0000-4000-8000-000000000002'

describe.each(DATABASES)('who changed a visitor, as the timeline tells it, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() =>
    db.exec(`delete from back_office.undo; delete from back_office.operators; delete from public.visitors; delete from timeline.events;
      insert into back_office.operators (user_id, email, role, invited_by) values ('${ADA}', 'ada@example.com', 'owner', 'the setup link')`),
  )

  const told = async () => {
    const { rows } = await db.query<{ type: string; slug: string; actor: string; payload: object }>(
      'select type, slug, actor, payload from timeline.events order by seq',
    )
    return rows.map(({ type, slug, actor, payload }) => [type, slug, actor, payload])
  }

  it('names the operator, also of an import and of what is taken back', async () => {
    const desk = createVisitorDesk(db)
    await desk.add(ADA, { slug: 'one', name: 'One' })
    await desk.update(ADA, 'one', { name: 'First' })
    const { undoId } = await desk.import(ADA, [[{ slug: 'two', name: 'Two' }]], {})
    await desk.setListed(undefined, ['one'], true)
    await desk.remove(NOBODY, 'one')
    await applyUndo(db, ADA, undoId ?? '')
    expect(await told()).toEqual([
      ['visitor.created', 'one', 'ada@example.com', {}],
      ['visitor.changed', 'one', 'ada@example.com', { fields: ['name'] }],
      ['visitor.created', 'two', 'ada@example.com', {}],
      ['visitor.changed', 'one', 'operator', { fields: ['listed'] }],
      ['visitor.removed', 'one', 'operator', {}],
      ['visitor.removed', 'two', 'ada@example.com', {}],
    ])
  })

  it('names who paused and resumed calls', async () => {
    const calls = createCallOffice(actingAs(db, 'ada@example.com'))
    await calls.pause()
    await calls.resume()
    await createCallOffice(db).pause()
    await createCallOffice(db).resume()
    expect(await told()).toEqual([
      ['calls.paused', null, 'ada@example.com', {}],
      ['calls.resumed', null, 'ada@example.com', {}],
      ['calls.paused', null, 'operator', {}],
      ['calls.resumed', null, 'operator', {}],
    ])
  })

  describe('where the table is hosted elsewhere', () => {
    let elsewhere: Db
    beforeAll(async () => {
      elsewhere = await open()
    })
    afterAll(() => elsewhere.close())
    const deskOf = (visitors: Visitors) =>
      hostedVisitorDesk(visitors, { db, logger: pino({ level: 'silent' }) })

    it('tells each change after it is made', async () => {
      const desk = deskOf(createVisitors(elsewhere))
      await desk.add(ADA, { slug: 'Here', name: 'Here' })
      await desk.update(ADA, 'here', { slug: 'there', firstMessage: 'Hi' })
      await desk.import(
        undefined,
        [
          [
            { slug: 'THERE', name: 'There' },
            { slug: 'new', name: 'New' },
          ],
        ],
        { replace: ['name', 'first_message'] },
      )
      await desk.removeMany(ADA, ['there', 'nobody'])
      expect(await told()).toEqual([
        ['visitor.created', 'Here', 'ada@example.com', {}],
        [
          'visitor.changed',
          'there',
          'ada@example.com',
          { fields: ['slug', 'firstMessage'], formerSlug: 'here' },
        ],
        ['visitor.changed', 'there', 'operator', { fields: ['name', 'firstMessage'] }],
        ['visitor.created', 'new', 'operator', {}],
        ['visitor.removed', 'there', 'ada@example.com', {}],
      ])
    })

    it('counts removals in a line of the audit that is there before the first, and after one that fails', async () => {
      const stored = createVisitors(elsewhere)
      for (const slug of ['r-1', 'r-2', 'r-3']) await stored.add({ slug, name: 'R' })
      const lines = async () => (await readAudit(db, 10)).map(({ action, detail }) => ({ action, ...detail }))
      const seen: unknown[] = []
      const desk = deskOf({
        ...stored,
        async remove(slug) {
          seen.push(await lines())
          if (slug === 'r-3') throw new VisitorError('visitors_unreachable', 'no answer')
          return await stored.remove(slug)
        },
      })
      const line = new StoredPartsLine(db, { name: 'ada@example.com' }, 'visitors_removed')
      const removing = desk.removeMany(ADA, ['r-1', 'nobody', 'r-2', 'r-3'], { line })
      await expect(removing).rejects.toThrow('no answer')
      const removed = { action: 'visitors_removed', isFinished: false }
      expect(seen[0]).toEqual([removed])
      expect(await lines()).toEqual([{ ...removed, removed: 2 }])
    })

    it('tells nothing of what was not changed', async () => {
      const unreachable = () => Promise.reject(new VisitorError('visitors_unreachable', 'no answer'))
      const desk = deskOf({ ...createVisitors(elsewhere), add: unreachable, import: unreachable })
      await expect(desk.add(ADA, { slug: 'a', name: 'A' })).rejects.toMatchObject({
        code: 'visitors_unreachable',
      })
      await expect(desk.import(ADA, [[{ slug: 'a', name: 'A' }]], {})).rejects.toThrow('no answer')
      expect(await told()).toEqual([])
    })

    it('lets a change stand that can not be told', async () => {
      const broken = await open()
      await broken.exec('drop schema timeline cascade')
      const visitors = createVisitors(elsewhere)
      const desk = hostedVisitorDesk(visitors, { db: broken, logger: pino({ level: 'silent' }) })
      await desk.add(ADA, { slug: 'stands', name: 'Stands' })
      expect(await visitors.show('stands')).toMatchObject({ name: 'Stands' })
      await broken.close()
    })
  })
})
