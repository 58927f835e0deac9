import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import type { Call } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'

const ASSISTANT = { assistant: { firstMessage: 'Hello.', model: { provider: 'openai' } } }
const HEARTBEAT_MS = 5_000

describe.each(PLATFORM_DBS)('two processes with room for one call each, on %s', (kind) => {
  let db: Db
  const benches: PlatformBench[] = []
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.close()
    await db.query('delete from voice_platform.processes')
  })

  async function start() {
    const clock = new ManualClock()
    const one = await startPlatform(db, { conversationsMost: 1, clock })
    benches.push(one)
    const created = (bench: PlatformBench) => bench.request('POST', '/call/web', ASSISTANT)
    // The first request waits until its process is in the list.
    await one.request('GET', '/assistant')
    const other = await startPlatform(db, { conversationsMost: 1, clock })
    benches.push(other)
    await other.request('GET', '/assistant')
    // On PGlite a process that starts takes all others for gone.
    clock.advance(HEARTBEAT_MS)
    await vi.waitFor(async () => {
      const { rows } = await db.query<{ count: number }>(
        'select count(*)::int as count from voice_platform.processes',
      )
      expect(rows[0]?.count).toBe(2)
    })
    /** Joins a room as `bench` has it, whoever created the call. */
    const join = (bench: PlatformBench, { webCallUrl = '' }: Pick<Call, 'webCallUrl'>) =>
      bench.openRoom(webCallUrl.replace(/^ws:\/\/[^/]+/, bench.publicUrl.replace('http', 'ws')))
    /** What was found out a second ago is found out again. */
    const later = () => clock.advance(1_000)
    return { one, other, created, join, later }
  }
  const callOf = async (answer: Promise<Response>): Promise<Call> => {
    const response = await answer
    expect(response.status).toBe(201)
    return (await response.json()) as Call
  }
  const listens = (room: TestSocket) =>
    vi.waitFor(() => expect(room.texts.map(({ type }) => type)).toContain('room.listening'))

  it('hold two calls, whichever of them creates these, and refuse the third at once', async () => {
    const { one, other, created, join, later } = await start()
    const first = await callOf(created(one))
    const second = await callOf(created(one))
    later()
    for (const bench of [one, other]) {
      const refused = await created(bench)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '15'])
    }
    const rooms = [join(one, first), join(other, second)]
    for (const room of rooms) await listens(room)
    later()
    expect((await created(other)).status).toBe(503)
    for (const { socket } of rooms) socket.send('{"type":"room.leave"}')
  })

  it('tell a caller who comes to the full one to try again, and the other lets him in', async () => {
    const { one, other, created, join } = await start()
    await listens(join(one, await callOf(created(one))))
    const call = await callOf(created(one))
    const refused = join(one, call)
    expect(await refused.closed).toMatchObject({ code: 4000 })
    expect(refused.texts).toEqual([
      {
        type: 'room.error',
        kind: 'connection-error',
        message: 'This server is full. Try again: another one may have room.',
      },
    ])
    await listens(join(other, call))
  })

  it('do not count a call where it was created once the other holds it', async () => {
    const { one, other, created, join } = await start()
    await listens(join(other, await callOf(created(one))))
    await listens(join(one, await callOf(created(one))))
  })

  it('say no to whoever has no key to the room, also when they are full', async () => {
    const { one, created, join } = await start()
    await callOf(created(one))
    const { webCallUrl = '' } = await callOf(created(one))
    const stranger = join(one, { webCallUrl: webCallUrl.replace(/secret=.*/, 'secret=guessed') })
    expect(await stranger.closed).toMatchObject({ code: 4008 })
  })

  it('have two places, and one once the other is about to stop', async () => {
    const { one, other, created, later } = await start()
    await callOf(created(one))
    later()
    expect([await one.platform.places(), await other.platform.places()]).toEqual([2, 2])
    await other.platform.drain({ callsMs: 0, goodbyeMs: 0, goodbye: '' })
    await vi.waitFor(async () => {
      later()
      expect(await one.platform.places()).toBe(1)
    })
  })

  it('leave no room where one is about to stop', async () => {
    const { one, other, created, later } = await start()
    const drained = other.platform.drain({ callsMs: 0, goodbyeMs: 0, goodbye: '' })
    await callOf(created(one))
    await drained
    later()
    expect((await created(one)).status).toBe(503)
  })
})
