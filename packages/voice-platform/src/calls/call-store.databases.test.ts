import type { Db } from '@heyline/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionRecord } from '../session/session.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import { CallArchive } from './call-archive.js'
import { CallStore } from './call-store.js'
import { callView } from './call-view.js'
import type { LineChange } from './line-change.js'

const record: SessionRecord = {
  endedReason: 'customer-ended-call',
  startedAt: new Date('2030-01-01T00:00:00Z'),
  endedAt: new Date('2030-01-01T00:01:00Z'),
  messages: [{ role: 'user', message: 'One\0two.', time: 1, secondsFromStart: 0 }],
}
const line = (message: string) => ({ role: 'user' as const, message, time: 1, secondsFromStart: 0 })
const added = (from: number, ...messages: string[]): LineChange => ({
  dropped: [0, 0],
  from,
  lines: messages.map(line),
})

describe.each(PLATFORM_DBS)('a call in the database (%s)', (kind) => {
  let db: Db
  let store: CallStore
  let archive: CallArchive
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    store = new CallStore(db, crypto.randomUUID())
    archive = new CallArchive(db)
  })
  afterAll(() => db.close())
  const newCall = async () =>
    (await store.insert({ id: crypto.randomUUID(), type: 'webCall', assistant: {} })).id
  const running = async () => {
    const id = await newCall()
    await store.begin(id)
    return id
  }
  const shown = async (id: string) => callView(await archive.get(id))

  it('forgets what was brought to a web call that nobody joined, and to no other', async () => {
    const brought = { name: 'Baker', serverMessages: ['end-of-call-report'], firstMessage: 'x'.repeat(9_000) }
    const end = async (type: 'webCall' | 'outboundPhoneCall', join: boolean) => {
      const id = crypto.randomUUID()
      await store.insert({ id, type, assistantGiven: brought, overrides: brought, assistant: brought })
      if (join) await store.begin(id)
      return await store.breakOff(id, 'manually-canceled')
    }
    expect(await end('webCall', false)).toMatchObject({
      assistant: { name: 'Baker', serverMessages: ['end-of-call-report'] },
      assistant_given: null,
      overrides: null,
    })
    expect((await end('webCall', false))?.assistant).not.toHaveProperty('firstMessage')
    const whole = { assistant: brought, assistant_given: brought, overrides: brought }
    expect(await end('webCall', true)).toMatchObject(whole)
    expect(await end('outboundPhoneCall', false)).toMatchObject(whole)
  })

  it('is ended once, and only who has ended it finds that at the next try, as the call is by then', async () => {
    const by = crypto.randomUUID()
    const ends = [
      (id: string, who?: string) => store.end(id, record, undefined, undefined, who),
      (id: string, who?: string) => store.breakOff(id, 'manually-canceled', who),
    ]
    for (const end of ends) {
      const id = await running()
      const row = await end(id, by)
      expect(row).toMatchObject({ id, status: 'ended' })
      expect(await end(id, by)).toEqual(row)
      await store.forgetAssistant(id)
      expect(await end(id, by)).toMatchObject({ id, assistant: {}, ended_at: row?.ended_at })
      for (const other of [crypto.randomUUID(), undefined]) expect(await end(id, other)).toBeUndefined()
    }
    const id = await newCall()
    expect(await store.endUnanswered(id, 'x', by)).toMatchObject({ id, ended_reason: 'x' })
    expect(await store.endUnanswered(id, 'x', by)).toMatchObject({ id, ended_reason: 'x' })
    expect(await store.endUnanswered(id, 'x')).toBeUndefined()
  })

  it('has what its session measured', async () => {
    const id = await running()
    const turns = [{ turnLatency: 700, voiceLatency: 120 }]
    await store.end(id, { ...record, performance: { turns, numAssistantInterrupted: 1 } })
    expect((await shown(id)).artifact?.performanceMetrics).toEqual({
      turnLatencies: turns,
      turnLatencyAverage: 700,
      voiceLatencyAverage: 120,
      numAssistantInterrupted: 1,
    })
  })

  it('has no metrics where nothing was measured', async () => {
    const id = await running()
    await store.end(id, record)
    expect((await shown(id)).artifact).not.toHaveProperty('performanceMetrics')
  })

  it('has what was said so far, as every database can store it, under the plan’s names', async () => {
    const id = await running()
    await store.note(id, added(0, 'One\0two.'), { userName: 'Caller' })
    expect(await shown(id)).toMatchObject({
      status: 'in-progress',
      messages: [line('One\ufffdtwo.')],
      transcript: 'Caller: One\ufffdtwo.',
    })
  })

  it('is not changed by what is told too late, too early, or by another process', async () => {
    const [ended, queued, others] = [await running(), await newCall(), await running()]
    await store.end(ended, record)
    await new CallStore(db, crypto.randomUUID()).note(others, added(0, 'Late.'))
    for (const id of [ended, queued]) await store.note(id, added(0, 'Late.'))
    expect((await shown(ended)).transcript).toBe('User: One\ufffdtwo.')
    for (const id of [queued, others]) expect(await shown(id)).not.toHaveProperty('transcript')
  })
})
