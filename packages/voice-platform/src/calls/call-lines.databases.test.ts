import type { Db } from '@heyline/database'
import { lockWaits } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SessionMessage } from '../session/session.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'
import { CallArchive } from './call-archive.js'
import { writeLines } from './call-lines.js'
import { CallLists, wholeCalls } from './call-lists.js'
import { CallStore } from './call-store.js'
import { callView } from './call-view.js'
import type { LineChange } from './line-change.js'
import { transcriptOf } from './transcript.js'

const SAID: SessionMessage[] = [
  { role: 'system', message: 'A prompt.', time: 0, secondsFromStart: 0 },
  { role: 'bot', message: 'Hello: "you"?', time: 1, endTime: 2, secondsFromStart: 0.001 },
  { role: 'user', message: 'Is there\nbread?', time: 3, secondsFromStart: 0.003 },
]
const PLAN = { assistantName: 'Baker', userName: 'Caller' }
const added = (lines: SessionMessage[], from = 0): LineChange => ({ dropped: [0, 0], from, lines })
const SHOWN = { messages: SAID, transcript: transcriptOf(SAID, PLAN) }

describe.each(PLATFORM_DBS)('what was said so far (%s)', (kind) => {
  let db: Db
  let owner: string
  let store: CallStore
  let archive: CallArchive
  beforeAll(async () => {
    db = await openPlatformDb(kind)
    archive = new CallArchive(db)
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec('delete from voice_platform.calls; delete from voice_platform.processes')
    owner = crypto.randomUUID()
    store = new CallStore(db, owner)
  })

  const running = async () => {
    const { id } = await store.insert({ id: crypto.randomUUID(), type: 'webCall', assistant: {} })
    await store.begin(id)
    return id
  }
  const talking = async () => {
    const id = await running()
    await store.note(id, added(SAID), PLAN)
    return id
  }
  const read = (text: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(text))
  const lines = async () =>
    (
      await db.query<{ position: number; text: string }>(
        `select position, message ->> 'message' as text from voice_platform.call_lines order by position`,
      )
    ).rows.map(({ position, text }) => `${position} ${text}`)

  it('is shown wherever a call is read, whichever process holds it', async () => {
    const id = await talking()
    expect(await archive.get(id)).toMatchObject(SHOWN)
    const lists = new CallLists(archive, wholeCalls(callView))
    expect((await lists.list({ limit: 10 })).first.map(read)).toMatchObject([SHOWN])
    const { first } = await lists.page({ limit: 10, page: 1, sortOrder: 'DESC' })
    expect(first.map(read)).toMatchObject([SHOWN])
    expect(await archive.rename(id, 'Morning')).toMatchObject({ name: 'Morning', ...SHOWN })
  })

  it('is not in the row of the call, which is not written again', async () => {
    const id = await running()
    const version = async () =>
      (await db.query('select ctid::text, messages, transcript from voice_platform.calls')).rows
    const before = await version()
    await store.note(id, added(SAID), PLAN)
    await store.note(id, added([{ ...SAID[2], message: 'Well?' } as SessionMessage], 3), PLAN)
    expect(await version()).toEqual(before)
    expect(await lines()).toHaveLength(4)
  })

  it('has an empty transcript where the plan wants none', async () => {
    const id = await running()
    await store.note(id, added(SAID), { enabled: false })
    expect(await archive.get(id)).toMatchObject({ messages: SAID, transcript: '' })
    expect(await store.breakOff(id, 'x')).toMatchObject({ messages: SAID, transcript: '' })
  })

  it('loses dropped lines, and has replaced ones; a write may come twice', async () => {
    const id = await running()
    const say = (...words: string[]): SessionMessage[] =>
      words.map((message) => ({ role: 'user', message, time: 1, secondsFromStart: 0 }))
    await store.note(id, added(say('a', 'b', 'c', 'd')))
    for (let times = 0; times < 2; times += 1)
      await store.note(id, { dropped: [1, 2], from: 3, lines: say('D', 'e') })
    expect(await lines()).toEqual(['0 a', '2 c', '3 D', '4 e'])
    await store.note(id, { dropped: [0, 3], from: 4, lines: [] })
    expect(await lines()).toEqual(['3 D'])
    expect(await archive.get(id)).toMatchObject({ transcript: 'User: D' })
  })

  it('goes into the row when the call ends with its record, which has more', async () => {
    const id = await talking()
    const messages: SessionMessage[] = [
      ...SAID,
      { role: 'bot', message: 'Yes.', time: 9, secondsFromStart: 0.009 },
    ]
    const at = new Date('2030-01-01T00:00:00Z')
    const row = await store.end(
      id,
      { endedReason: 'customer-ended-call', startedAt: at, endedAt: at, messages },
      PLAN,
    )
    expect(row).toMatchObject({ messages, transcript: transcriptOf(messages, PLAN) })
    expect(await archive.get(id)).toEqual(row)
    expect(await lines()).toEqual([])
  })

  const ends: Record<string, (id: string) => Promise<unknown>> = {
    'is broken off': (id) => store.breakOff(id, 'x'),
    'ends with its process': () => store.endOwn('x'),
    'is reaped': () => new CallStore(db, crypto.randomUUID()).endAbandoned('x'),
    'is not held any more': async () => {
      await db.exec("update voice_platform.calls set updated_at = now() - interval '1 minute'")
      return await store.endUnheld('x', [])
    },
  }
  it.each(Object.entries(ends))('goes into the row of a call that %s', async (_how, end) => {
    const id = await talking()
    expect([await end(id)].flat()).toMatchObject([{ status: 'ended', ...SHOWN }])
    expect(await archive.get(id)).toMatchObject({ status: 'ended', ...SHOWN })
    expect(await lines()).toEqual([])
  })

  it('goes into the row that the version before reads, also where that version ends the call', async () => {
    const id = await talking()
    await db.query(
      `update voice_platform.calls set status = 'ended', ended_reason = 'worker-shutdown' where id = $1`,
      [id],
    )
    const { rows } = await db.query('select messages, transcript from voice_platform.calls')
    expect(rows).toEqual([SHOWN])
    expect(await lines()).toEqual([])
  })

  it('is what the version before writes, where it holds the call', async () => {
    const id = await running()
    await db.query('update voice_platform.calls set messages = $1, transcript = $2', [
      SHOWN.messages,
      SHOWN.transcript,
    ])
    expect(await archive.get(id)).toMatchObject(SHOWN)
    expect(await store.breakOff(id, 'x')).toMatchObject(SHOWN)
  })

  /** A statement waits for the open transaction. PGlite has them wait in a line of its own. */
  const waits = () => kind === 'pglite' || expect.poll(() => lockWaits(db)).toBe(1)

  it('is stored for many at once, each in its own call, and not for one that has ended or is held elsewhere', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, running))
    const [ended = '', elsewhere = ''] = ids
    await db.query("update voice_platform.calls set status = 'ended', ended_reason = 'x' where id = $1", [
      ended,
    ])
    await db.query('update voice_platform.calls set owner = gen_random_uuid() where id = $1', [elsewhere])
    const versions = async () =>
      (await db.query('select distinct xmin::text from voice_platform.call_lines')).rows
    const line = (n: number): SessionMessage => ({
      role: 'user',
      message: `Line ${n}.`,
      time: 1,
      secondsFromStart: 0,
    })
    await Promise.all(ids.map((id, n) => store.note(id, added([line(n)]))))
    expect(await lines()).toHaveLength(28)
    expect(await versions()).toHaveLength(1)
    expect(await archive.get(ids[7] ?? '')).toMatchObject({ messages: [{ message: 'Line 7.' }] })
  })

  it('gets no line once the call has ended, also where both come at once', async () => {
    const id = await talking()
    const late = added([{ role: 'user', message: 'Late.', time: 9, secondsFromStart: 9 }], 3)
    let noted: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await tx.query(`update voice_platform.calls set status = 'ended', ended_reason = 'x' where id = $1`, [
        id,
      ])
      noted = store.note(id, late)
      await waits()
    })
    await noted
    expect(await lines()).toEqual([])
    expect(await archive.get(id)).toMatchObject(SHOWN)
  })

  it('has the line that is written just as another process ends the call', async () => {
    const id = await talking()
    const last = added([{ role: 'user', message: 'Last.', time: 9, secondsFromStart: 9 }], 3)
    let ended: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await writeLines(tx, owner, [{ ...last, callId: id }])
      ended = new CallStore(db, crypto.randomUUID()).endAbandoned('worker-shutdown')
      await waits()
    })
    await ended
    expect((await archive.get(id)).transcript).toBe(`${SHOWN.transcript}\nUser: Last.`)
  })

  it('goes with a call that is deleted', async () => {
    await talking()
    await db.exec('delete from voice_platform.calls')
    expect(await lines()).toEqual([])
  })
})
