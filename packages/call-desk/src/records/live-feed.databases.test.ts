import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { pauseCalls, resumeCalls } from '../gate/switches.js'
import { removeCall } from '../operating/remove-call.js'
import { storeCall } from '../testing/stored-call.js'
import type { LiveEvent } from './live-event.js'
import { LiveFeed } from './live-feed.js'

describe.each(DATABASES)('the live feed on $name', ({ open }) => {
  let db: Db
  let leaving: AbortController
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    leaving = new AbortController()
    await db.exec(
      'delete from call_desk.call_requests; delete from call_desk.ledger; update call_desk.switches set paused_at = null',
    )
  })
  afterEach(() => leaving.abort())

  /** A console; resolves once nothing is missed any more. */
  async function joined(feed: LiveFeed) {
    const events: LiveEvent[] = []
    const parts = feed.follow(AbortSignal.any([leaving.signal]))
    const first = await parts.next()
    const ended = (async () => {
      for await (const part of parts) events.push(...part)
    })()
    return { first: first.value, events, ended }
  }
  const calm = { pausedAt: null, breaker: null }

  it('tells a call as it stands, again and again', async () => {
    const console = await joined(new LiveFeed(db))
    expect(console.first).toEqual([{ event: 'switches', data: calm }])
    const id = await storeCall(db, { state: 'ringing' })
    const told = (fields: object) =>
      expect
        .poll(() => console.events.at(-1), { timeout: 5000, interval: 10 })
        .toMatchObject({ event: 'call', data: { id, line: fields } })
    await told({ state: 'ringing', phone: '…71', costMicrousd: null })
    const change = (fields: string) =>
      db.exec(`update call_desk.call_requests set updated_at = now(), ${fields}`)
    await change("state = 'in-progress', in_progress_at = now()")
    await told({ state: 'in-progress' })
    await change("state = 'ended', ended_at = now() + interval '5 seconds'")
    await told({ state: 'ended', seconds: 5 })
    await db.query('update call_desk.call_requests set updated_at = now(), cost_microusd = 7')
    // No state changed, so nothing was notified.
    await expect
      .poll(() => console.events.at(-1), { timeout: 5000 })
      .toMatchObject({ data: { line: { costMicrousd: 7 } } })
  })

  it('tells what is gone from the records, and what stops all dialling', async () => {
    const id = await storeCall(db, {})
    const console = await joined(new LiveFeed(db))
    await db.transaction((tx) => removeCall(tx, id))
    await expect
      .poll(() => console.events, { timeout: 5000 })
      .toContainEqual({ event: 'call', data: { id, line: null } })
    await pauseCalls(db)
    await expect
      .poll(() => console.events, { timeout: 5000 })
      .toContainEqual({ event: 'switches', data: { pausedAt: expect.any(String), breaker: null } })
    await resumeCalls(db)
    await expect
      .poll(() => console.events.at(-1), { timeout: 5000 })
      .toEqual({ event: 'switches', data: calm })
  })

  it('listens once for all consoles, and not at all without one', async () => {
    const listen = vi.spyOn(db, 'listen')
    const feed = new LiveFeed(db)
    const consoles = await Promise.all(Array.from({ length: 100 }, () => joined(feed)))
    expect(listen).toHaveBeenCalledTimes(2)
    const id = await storeCall(db, { state: 'ringing' })
    for (const { events } of consoles)
      await expect.poll(() => events, { timeout: 5000 }).toMatchObject([{ data: { id } }])
    leaving.abort()
    await Promise.all(consoles.map(({ ended }) => ended))
    leaving = new AbortController()
    await joined(feed)
    expect(listen).toHaveBeenCalledTimes(4)
    listen.mockRestore()
  })

  it('ends the streams when the database can not be read, and begins anew for who comes back', async () => {
    const feed = new LiveFeed(db)
    const console = await joined(feed)
    const query = vi.spyOn(db, 'query').mockRejectedValue(new Error('gone'))
    await console.ended
    query.mockRestore()
    const again = await joined(feed)
    await storeCall(db, { state: 'ringing' })
    await expect.poll(() => again.events, { timeout: 5000 }).toHaveLength(1)
  })
})
