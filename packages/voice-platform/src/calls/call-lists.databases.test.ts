import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import { CallArchive } from './call-archive.js'
import { CallLists, OUTLINES, wholeCalls } from './call-lists.js'
import type { CallRow } from './call-row.js'
import { CallStore } from './call-store.js'
import { callView } from './call-view.js'
import type { Text } from './shown-calls.js'

const read = (text: Text) => JSON.parse(new TextDecoder().decode(text))

describe.each(PLATFORM_DBS)('lists of calls (%s)', (kind) => {
  let db: Db
  let store: CallStore
  let archive: CallArchive
  let lists: CallLists
  /** The calls that were made into JSON. */
  let viewed: string[]
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    archive = new CallArchive(db)
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec('delete from voice_platform.calls')
    store = new CallStore(db, crypto.randomUUID())
    viewed = []
    const view = (row: CallRow) => {
      viewed.push(row.id)
      return callView(row)
    }
    lists = new CallLists(archive, wholeCalls(view))
  })

  const called = async () =>
    (await store.insert({ id: crypto.randomUUID(), type: 'webCall', assistant: {} })).id
  const ended = async () => {
    const id = await called()
    await store.breakOff(id, 'manually-canceled')
    return id
  }
  const named = async () =>
    (await lists.list({ limit: 10 })).first.map((text) => {
      const { id, name, status } = read(text)
      return { id, name, status }
    })

  it('make the JSON of an ended call once, and of any other each time', async () => {
    const old = await ended()
    const running = await called()
    expect((await named()).map(({ id }) => id)).toEqual([running, old])
    const { first, metadata } = await lists.page({ limit: 1, page: 2, sortOrder: 'DESC' })
    expect(first.map((text) => read(text).id)).toEqual([old])
    expect(metadata).toMatchObject({ totalItems: 2, hasNextPage: false })
    await named()
    expect(viewed.toSorted()).toEqual([old, running, running].toSorted())
  })

  it('of a customer have the same calls as others, keep nothing, and use what others have kept', async () => {
    const ann = { number: '+14155550142', name: 'Ann' }
    const add = (customer: object) =>
      store.insert({ id: crypto.randomUUID(), type: 'outboundPhoneCall', assistant: {}, customer })
    const { id } = await add(ann)
    await add({ number: '+14155550143', name: 'Ben' })
    await store.breakOff(id, 'manually-canceled')
    const asked = { limit: 20, page: 1, sortOrder: 'DESC' } as const
    const ways = [{ number: ann.number }, { name: 'Ann' }, { name: 'Ann', number: ann.number }]
    const short = async () => {
      for (const by of ways) {
        const { first, metadata } = await lists.page({ ...asked, ...by })
        expect(first.map((text) => read(text))).toMatchObject([{ id, customer: ann, status: 'ended' }])
        expect(metadata.totalItems).toBe(1)
      }
    }
    await short()
    expect(viewed).toEqual(ways.map(() => id))
    const long = await lists.page({ ...asked, name: 'Ann', limit: 500 })
    expect(long.first.map((text) => read(text))).toMatchObject([{ id, customer: ann, status: 'ended' }])
    const made = viewed.length
    await short()
    expect(viewed).toHaveLength(made)
    expect(await lists.page({ ...asked, name: 'Nobody' })).toMatchObject({
      first: [],
      metadata: { totalItems: 0 },
    })
  })

  it('of outlines have no large fields, and make the JSON of an ended call once', async () => {
    const written: string[] = []
    const outlines = new CallLists(archive, {
      ...OUTLINES,
      write: (row) => {
        written.push(row.id)
        return OUTLINES.write(row)
      },
    })
    const old = await ended()
    const running = await called()
    const page = async () =>
      (await outlines.page({ limit: 30, page: 1, sortOrder: 'DESC' })).first.map((text) => read(text))
    expect(await page()).toMatchObject([
      { id: running, status: 'queued' },
      { id: old, status: 'ended' },
    ])
    await archive.rename(old, 'Morning')
    expect(await page()).toMatchObject([{ id: running }, { id: old, name: 'Morning' }])
    for (const call of await page()) {
      expect(call).not.toHaveProperty('messages')
      expect(call).not.toHaveProperty('artifact')
    }
    expect(written.filter((id) => id === old)).toHaveLength(2)
    expect(written.filter((id) => id === running)).toHaveLength(3)
  })

  it('show what another process has changed', async () => {
    const id = await ended()
    await named()
    await new CallArchive(db).rename(id, 'Morning')
    expect(await named()).toEqual([{ id, name: 'Morning', status: 'ended' }])
    await db.query('update voice_platform.calls set name = null')
    expect(await named()).toEqual([{ id, name: undefined, status: 'ended' }])
    await db.query('delete from voice_platform.calls')
    expect(await named()).toEqual([])
  })

  it('are read once for all who ask at the same time, and never before they ask', async () => {
    const old = await ended()
    const first = lists.list({ limit: 10 })
    const keys = vi.spyOn(archive, 'keys')
    const later = await ended()
    const asked = Array.from({ length: 5 }, () => named())
    expect((await first).first.map((text) => read(text).id)).toContain(old)
    for (const calls of await Promise.all(asked)) expect(calls.map(({ id }) => id)).toEqual([later, old])
    expect(keys.mock.calls.length).toBeLessThanOrEqual(2)
    keys.mockRestore()
  })

  it('are shared by nobody who asks for another one, or sees another view', async () => {
    const id = await ended()
    const masked = new CallLists(
      archive,
      wholeCalls((row) => ({ ...callView(row), name: 'masked' })),
    )
    const [whole, other, none] = await Promise.all([
      lists.list({ limit: 10 }),
      masked.list({ limit: 10 }),
      lists.list({ limit: 10, id: crypto.randomUUID() }),
    ])
    expect(whole.first.map((text) => read(text).name)).toEqual([undefined])
    expect(other.first.map((text) => read(text).name)).toEqual(['masked'])
    expect(none.first).toEqual([])
    expect(read(whole.first[0] ?? new Uint8Array()).id).toBe(id)
  })

  it('of large lists are taken by each for himself', async () => {
    await db.query(
      `insert into voice_platform.calls (type, status, assistant, ended_reason, owner)
       select 'webCall', 'ended', '{}', 'x', gen_random_uuid() from generate_series(1, 60)`,
    )
    const asked = await Promise.all(Array.from({ length: 3 }, () => lists.list({ limit: 60 })))
    for (const { parts } of asked) {
      const taken: string[] = []
      for await (const texts of parts?.() ?? []) taken.push(...texts.map((text) => read(text).id))
      expect(new Set(taken).size).toBe(60)
    }
  })

  it('leave out a call that is deleted while they are read', async () => {
    const [first, second] = [await ended(), await ended()]
    const keys = await archive.keys({ limit: 10 })
    archive.keys = async () => {
      await db.query('delete from voice_platform.calls where id = $1', [first])
      return keys
    }
    expect((await named()).map(({ id }) => id)).toEqual([second])
    archive = new CallArchive(db)
  })

  it('read many calls in parts, when they are taken', async () => {
    await db.query(
      `insert into voice_platform.calls (type, status, assistant, ended_reason, owner)
       select 'webCall', 'ended', '{}', 'x', gen_random_uuid() from generate_series(1, 120)`,
    )
    const { first, parts } = await lists.list({ limit: 110 })
    expect([first.length, viewed.length]).toEqual([50, 50])
    const taken: string[] = []
    for await (const texts of parts?.() ?? []) taken.push(...texts.map((text) => read(text).id))
    expect(new Set(taken).size).toBe(110)
    expect(viewed).toHaveLength(110)
    expect((await lists.list({ limit: 50 })).parts).toBeUndefined()
  })

  it('make the JSON of a recorded call each time: its address holds for a while only', async () => {
    const id = await ended()
    await db.query(
      `insert into voice_platform.recordings (call_id, disk, process, format, state)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'wav', 'whole')`,
      [id],
    )
    await named()
    await named()
    expect(viewed).toEqual([id, id])
    await db.query('update voice_platform.recordings set removed_at = now()')
    await db.query('delete from voice_platform.recordings')
    await named()
    await named()
    expect(viewed).toEqual([id, id, id])
  })
})
