import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import type { TicketSettings } from './ticket.js'
import { TICKETS_CHANNEL, Tickets } from './tickets.js'

const ticket = (subject: string): TicketSettings => ({
  ...{ category: 'bug-report', bugSubcategory: 'latency', subject },
  ...{ message: 'It answers <b>late</b>.\nAgain.', callDetails: 'call-1' },
})

describe.each(PLATFORM_DBS)('tickets on %s', (kind) => {
  let db: Db
  let tickets: Tickets
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    tickets = new Tickets(db)
  })
  beforeEach(() => db.exec('delete from voice_platform.resources'))
  afterAll(() => db.close())

  it('are listed without their messages, and shown whole', async () => {
    const id = await tickets.keep(ticket('Late'), 'ada@example.com')
    const line = {
      ...{ id, category: 'bug-report', bugSubcategory: 'latency', subject: 'Late' },
      ...{ writtenBy: 'ada@example.com', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    }
    expect(await tickets.page({ limit: 5 })).toEqual({ tickets: [line], next: null })
    const whole = { ...line, message: 'It answers <b>late</b>.\nAgain.', callDetails: 'call-1' }
    expect(await tickets.get(id)).toEqual(whole)
  })

  it('come page by page, the newest first, also those of one moment, and after one that is gone', async () => {
    const ids: string[] = []
    for (const subject of ['1', '2', '3', '4', '5']) ids.push(await tickets.keep(ticket(subject)))
    await db.exec("update voice_platform.resources set created_at = '2026-11-20T09:00:00.123Z'")
    const first = await tickets.page({ limit: 2 })
    await tickets.remove(first.tickets[1]?.id ?? '')
    const second = await tickets.page({ limit: 2, before: first.next ?? '' })
    const third = await tickets.page({ limit: 2, before: second.next ?? '' })
    const seen = [first, second, third].flatMap((page) => page.tickets.map(({ id }) => id))
    expect(seen).toEqual(ids.toSorted().toReversed())
    expect(third.next).toBeNull()
    await db.query('update voice_platform.resources set created_at = now() where id = $1', [seen[4]])
    expect((await tickets.page({ limit: 1 })).tickets[0]?.id).toBe(seen[4])
  })

  it('are removed once, and nothing else is a ticket', async () => {
    const id = await tickets.keep(ticket('Late'))
    const { rows } = await db.query<{ id: string }>(
      "insert into voice_platform.resources (family, settings) values ('tool', '{}') returning id",
    )
    const tool = rows[0]?.id ?? ''
    expect([await tickets.get(tool), await tickets.remove(tool)]).toEqual([undefined, false])
    expect([await tickets.remove(id), await tickets.remove(id)]).toEqual([true, false])
    expect(await tickets.page({ limit: 5 })).toEqual({ tickets: [], next: null })
  })

  it('are told when they come', async () => {
    let told = 0
    const unlisten = await db.listen(TICKETS_CHANNEL, () => {
      told++
    })
    await tickets.keep(ticket('Late'))
    await expect.poll(() => told).toBe(1)
    await unlisten()
  })
})
