import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { clockedDb } from '../testing/clocked-db.js'
import { Outage } from '../testing/outage.js'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'

const HEARTBEAT_MS = 5_000
const TERM_MS = 20_000
const SLICE_MS = 1_000
const SOON = { timeout: 10_000 }

/** One of several processes that share a database. */
interface Process {
  bench: PlatformBench
  outage: Outage
  /** Its own: a process that is stopped has no time. */
  clock: ManualClock
  /** Warnings of the log. */
  warnings: { msg: string; calls?: number; reason?: string; silentMs?: number }[]
}

describe.each(PLATFORM_DBS)('processes on one database (%s)', (kind) => {
  let db: Db
  let time: ManualClock
  let shared: Db
  const processes: Process[] = []
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  beforeEach(() => {
    time = new ManualClock()
    shared = clockedDb(db, time)
  })
  afterEach(async () => {
    for (const { bench } of processes.splice(0)) await bench.close()
    await db.query('delete from voice_platform.processes')
    await db.query('delete from voice_platform.simulated_legs')
  })

  const start = async (): Promise<Process> => {
    const clock = new ManualClock()
    const outage = new Outage(shared)
    const warnings: Process['warnings'] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) })
    const bench = await startPlatform(outage.db, { clock, logger })
    // Answered once the process has shown itself.
    await bench.client.calls.list({ limit: 1 })
    const process = { bench, outage, clock, warnings }
    processes.push(process)
    return process
  }
  const startAll = async (count: number) => {
    for (let n = 0; n < count; n += 1) await start()
    return [...processes]
  }
  /** How long ago each process was seen, by the database's clock. */
  const ages = async () => {
    const { rows } = await shared.query<{ age: number }>(
      `select extract(epoch from now() - seen_at)::float8 * 1000 as age from voice_platform.processes`,
    )
    return rows.map(({ age }) => age)
  }
  /** Time passes for all but those that are stopped. It waits for the database and for sockets. */
  const pass = async (milliseconds: number, stopped: readonly Process[] = []) => {
    const going = processes.filter((process) => !stopped.includes(process))
    for (let passed = 0; passed < milliseconds; passed += SLICE_MS) {
      time.advance(SLICE_MS)
      for (const { clock } of going) clock.advance(SLICE_MS)
      // The clients answer the pings of their sockets meanwhile.
      for (let n = 0; n < 3; n += 1) await db.query('select 1')
      while (going.some(({ outage }) => outage.underWay > 0)) await turn()
    }
    const seeing = going.filter(({ outage }) => !outage.isDown).length
    await vi.waitFor(async () => {
      const fresh = (await ages()).filter((age) => age < HEARTBEAT_MS + 2 * SLICE_MS)
      expect(fresh.length).toBeGreaterThanOrEqual(seeing)
    }, SOON)
  }
  const came = (room: TestSocket, type: string) =>
    vi.waitFor(() => expect(room.texts.map((text) => text.type)).toContain(type), SOON)
  const webCall = async ({ bench }: Process) => {
    const assistant = { firstMessage: '', silenceTimeoutSeconds: 3_600 }
    const { id, webCallUrl = '' } = await bench.client.calls.createWeb({ assistant })
    const room = bench.openRoom(webCallUrl)
    await came(room, 'room.listening')
    return { id, room }
  }
  const phoneCall = async ({ bench }: Process) => {
    const assistant = { firstMessage: '', silenceTimeoutSeconds: 3_600 }
    const phone = await bench.openPhone()
    const { id } = await bench.client.calls.create({ assistant, customer: { number: '+12025550123' } })
    await vi.waitFor(
      () => expect(phone.texts).toContainEqual(expect.objectContaining({ type: 'ring', callId: id })),
      SOON,
    )
    phone.socket.send(JSON.stringify({ type: 'answer', callId: id }))
    await came(phone, 'answered')
    const { roomUrl } = phone.texts.find(({ type }) => type === 'answered') ?? {}
    const room = bench.openRoom(String(roomUrl))
    await came(room, 'room.listening')
    phone.socket.close()
    return { id, room }
  }
  const rowsOf = async (ids: string[]) => {
    const { rows } = await db.query<{ id: string; status: string; ended_reason: string | null }>(
      'select id, status, ended_reason from voice_platform.calls where id = any ($1::uuid[]) order by created_at',
      [`{${ids.join(',')}}`],
    )
    return rows.map(({ status, ended_reason: reason }) => reason ?? status)
  }
  const goOn = async (calls: { id: string; room: TestSocket }[]) => {
    expect(await rowsOf(calls.map(({ id }) => id))).toEqual(calls.map(() => 'in-progress'))
    for (const { room } of calls) {
      const before = room.texts.length
      room.socket.send('{"type":"add-message","message":{"role":"user","content":"Still there?"}}')
      await vi.waitFor(() => expect(room.texts.length).toBeGreaterThan(before), SOON)
    }
  }

  it.each([15_000, 25_000, 35_000, 120_000])(
    'an outage of %s ms ends no call, whoever is the first to come back',
    async (outageMs) => {
      const all = await startAll(3)
      const calls = [...(await Promise.all(all.map(webCall))), ...(await Promise.all(all.map(phoneCall)))]
      await pass(TERM_MS + HEARTBEAT_MS)
      for (const { outage } of all) outage.isDown = true
      await pass(outageMs)
      // One after the other comes back, as late as it may.
      for (const { outage } of all) {
        outage.isDown = false
        await pass(HEARTBEAT_MS)
      }
      await pass(2 * TERM_MS)
      await goOn(calls)
      expect((await ages()).length).toBe(3)
    },
  )

  it('a process that starts reaps nobody before it was seen for a whole term', async () => {
    const [living] = await startAll(1)
    if (!living) throw new Error('A process was to start')
    const call = await webCall(living)
    await pass(TERM_MS + HEARTBEAT_MS)
    living.outage.isDown = true
    await pass(2 * TERM_MS)
    await start()
    await pass(TERM_MS - HEARTBEAT_MS)
    await goOn([call])
    living.outage.isDown = false
    await pass(2 * TERM_MS)
    await goOn([call])
    expect(living.warnings.map(({ msg }) => msg)).not.toContainEqual(expect.stringContaining('took this one'))
  })

  it('a process that is gone loses its calls once the others have been seen for a term', async () => {
    const [gone, ...living] = await startAll(3)
    if (!gone) throw new Error('Three processes were to start')
    const [lost, ...kept] = await Promise.all([gone, ...living].map(webCall))
    await pass(2 * TERM_MS, [gone])
    await vi.waitFor(async () => expect(await rowsOf([lost?.id ?? ''])).toEqual(['worker-shutdown']), SOON)
    await goOn(kept)
    gone.outage.isDown = true
  })

  it('a process that went while a clock was ahead loses its calls once that is right', async () => {
    const [gone] = await startAll(2)
    if (!gone) throw new Error('There is no process.')
    const { id } = await webCall(gone)
    await pass(TERM_MS)
    gone.outage.isDown = true
    await shared.query(
      "update voice_platform.processes set seen_at = now() + interval '30 days' where id = (select owner from voice_platform.calls where id = $1)",
      [id],
    )
    await pass(TERM_MS + 2 * HEARTBEAT_MS, [gone])
    expect(await rowsOf([id])).toEqual(['worker-shutdown'])
  })

  it('a process that was stopped ends the calls that it has lost, says so once, and goes on', async () => {
    const [stopped, ...living] = await startAll(3)
    if (!stopped) throw new Error('Three processes were to start')
    const lost = [await webCall(stopped), await phoneCall(stopped)]
    const kept = await Promise.all(living.map(phoneCall))
    await pass(2 * TERM_MS, [stopped])
    const ids = lost.map(({ id }) => id)
    await vi.waitFor(
      async () => expect(await rowsOf(ids)).toEqual(['worker-shutdown', 'worker-shutdown']),
      SOON,
    )
    const stored = () =>
      db.query('select * from voice_platform.calls where id = any ($1::uuid[])', [`{${ids.join(',')}}`])
    const { rows: before } = await stored()
    await pass(TERM_MS)
    for (const { room } of lost)
      expect(await room.closed).toMatchObject({
        code: 1000,
        reason: expect.stringMatching(/worker-shutdown|manually-canceled/),
      })
    const said = stopped.warnings.filter(({ msg }) => msg.includes('took this one for gone'))
    expect(said).toMatchObject([{ reason: 'worker-shutdown', silentMs: expect.any(Number) }])
    expect(said[0]?.silentMs).toBeGreaterThan(TERM_MS)
    // What was stored at the end stays as it is.
    expect((await stored()).rows).toEqual(before)
    await goOn(kept)
    await goOn([await webCall(stopped)])
    for (const { warnings } of living)
      expect(warnings.filter(({ msg }) => msg.includes('took this one'))).toEqual([])
  })

  it('a beat that the database never answers is followed by others', async () => {
    const [one, other] = await startAll(2)
    if (!one || !other) throw new Error('Two processes were to start')
    const call = await webCall(one)
    await pass(TERM_MS + HEARTBEAT_MS)
    let answer = () => {}
    one.outage.pause = new Promise((resolve) => {
      answer = resolve
    })
    time.advance(HEARTBEAT_MS)
    for (const { clock } of processes) clock.advance(HEARTBEAT_MS)
    one.outage.pause = undefined
    // The first one is never answered; the next ones are.
    await pass(2 * TERM_MS)
    await goOn([call])
    answer()
  })
})
