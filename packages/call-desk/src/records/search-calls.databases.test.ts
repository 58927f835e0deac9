import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeCall } from '../testing/stored-call.js'
import type { CallFilter } from './call-filter.js'
import { exportCalls } from './export-calls.js'
import { searchCalls } from './search-calls.js'

describe.each(DATABASES)('a search for calls on $name', ({ open }) => {
  let db: Db
  const names = new Map<string, string>()
  const store = async (name: string, columns: Record<string, unknown>) =>
    names.set(await storeCall(db, columns), name)
  const at = (minute: number) => `2026-11-20T10:0${minute}:00Z`
  beforeAll(async () => {
    db = await open()
    await db.exec('delete from call_desk.call_requests')
    await store('short', { created_at: at(1), outcome: 'completed', in_progress_at: at(1), ended_at: at(2) })
    await store('long', {
      created_at: at(2),
      slug: 'Acme-Dental',
      outcome: 'completed',
      in_progress_at: at(2),
      ended_at: at(5),
    })
    await store('late', { created_at: at(3), slug: 'other', state: 'refused', refusal: 'quiet_hours' })
    await store('browser', {
      created_at: at(4),
      kind: 'web',
      phone: null,
      slug: '50%_off',
      outcome: 'silence',
    })
    await store('running', { created_at: at(5), phone: '+14155550100', state: 'in-progress', inbound: true })
  })
  afterAll(() => db.close())

  const namesOf = (calls: readonly { id: string }[]) => calls.map(({ id }) => names.get(id))
  const find = async (filter: CallFilter) => {
    const { calls, total } = await searchCalls(db, filter, { limit: 10 })
    expect(total).toEqual({ count: calls.length, atLeast: false })
    return namesOf(calls)
  }

  it.each<[CallFilter, string[]]>([
    [{}, ['running', 'browser', 'late', 'long', 'short']],
    [{ kind: 'web' }, ['browser']],
    [{ direction: 'inbound' }, ['running']],
    [{ direction: 'outbound' }, ['late', 'long', 'short']],
    [{ direction: 'inbound', text: 'acme' }, ['running']],
    [{ states: ['in-progress', 'refused'] }, ['running', 'late']],
    [{ states: [] }, []],
    [{ outcome: 'completed' }, ['long', 'short']],
    [{ refusal: 'quiet_hours' }, ['late']],
    [{ text: 'ACME' }, ['running', 'long', 'short']],
    [{ text: '%_' }, ['browser']],
    [{ text: 'nobody' }, []],
    [{ slug: 'acme-dental' }, ['long']],
    [{ phone: '+14155550100' }, ['running']],
    [{ since: at(2), until: at(4) }, ['late', 'long']],
    [{ minSeconds: 61 }, ['long']],
    [{ minSeconds: 60, kind: 'phone', outcome: 'completed' }, ['long', 'short']],
  ])('finds by %j', async (filter, found) => {
    expect(await find(filter)).toEqual(found)
    const parts = []
    for await (const part of exportCalls(db, filter)) parts.push(...part)
    expect(namesOf(parts)).toEqual(found.toReversed())
  })

  it('goes on where a page ended, and counts all the same', async () => {
    const first = await searchCalls(db, {}, { limit: 2 })
    expect(namesOf(first.calls)).toEqual(['running', 'browser'])
    const second = await searchCalls(db, {}, { limit: 3, after: first.next ?? '' })
    expect([namesOf(second.calls), second.next, second.total.count]).toEqual([
      ['late', 'long', 'short'],
      null,
      5,
    ])
    await expect(searchCalls(db, {}, { limit: 1, after: 'x' })).rejects.toMatchObject({ code: 'invalid_id' })
  })

  it('counts no further than ten thousand, and pages on behind them', async () => {
    await db.transaction(async (tx) => {
      for (let part = 0; part < 5; part++)
        await tx.query(
          `insert into call_desk.call_requests (phone, slug, state, body_hash, created_at)
           select '+14155552671', 'many', 'ended', 'x', '2026-11-19T10:00:00Z'::timestamptz - n * interval '1 second'
           from generate_series($1::int, $1::int + 2100) n`,
          [part * 2101],
        )
    })
    const { total } = await searchCalls(db, { slug: 'many' }, { limit: 1 })
    expect(total).toEqual({ count: 10_000, atLeast: true })
    const { rows } = await db.query<{ id: string }>(
      "select id from call_desk.call_requests where slug = 'many' order by created_at limit 3",
    )
    const [last, before, third] = rows.map(({ id }) => id)
    const page = await searchCalls(db, { slug: 'many' }, { limit: 5, after: third ?? '' })
    expect([page.calls.map(({ id }) => id), page.next]).toEqual([[before, last], null])
  })
})
