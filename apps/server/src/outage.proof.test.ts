import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { DatabaseLine, findPostgres, openTestPostgres } from '@heyline/database/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { numberOf } from './testing/call-requests.js'
import { answeringPhone, DrainingServer, type RoomGuest } from './testing/draining-server.js'
import { testDirectory } from './testing/heyline-command.js'
import { OPEN_GATE } from './testing/open-gate.js'

const SOON = { timeout: 60_000, interval: 100 }
const OUTAGE_MS = 35_000
/** Longer than the lease of a process, and a beat. */
const TERM_MS = 26_000
const BROWSER_CALLS = 9
const PHONE_CALLS = 10

interface Call {
  id: string
  guest: RoomGuest
}

describe.runIf(findPostgres())('three servers on one Postgres', () => {
  let db: Db
  let directory: ReturnType<typeof testDirectory>
  let lines: DatabaseLine[]
  let servers: DrainingServer[]
  const closers: (() => unknown)[] = []
  beforeEach(async () => {
    db = await openTestPostgres()
    directory = testDirectory()
    lines = []
    servers = []
    for (let n = 0; n < 3; n += 1) {
      const line = await DatabaseLine.open(db)
      lines.push(line)
      const environment = {
        ...OPEN_GATE,
        DATABASE_URL: line.url,
        CALL_BREAKER_FAILURES: '3/10m',
        DRAIN_SECONDS: '0',
      }
      servers.push(await DrainingServer.start(join(directory.path, String(n)), environment, servers[0]))
    }
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
    for (const server of servers) {
      server.signal('SIGKILL')
      await server.ended
    }
    for (const line of lines) await line.close()
    await db.close()
    directory.remove()
  })

  const serverOf = (n: number): DrainingServer => {
    const server = servers[n % servers.length]
    if (!server) throw new Error('There is no server.')
    return server
  }
  /** Calls of each server's own: in browsers, and to a phone that is open there, through the desk. */
  const talk = async (
    server: DrainingServer,
    browser: number,
    phone: number,
    from: number,
  ): Promise<Call[]> => {
    const calls: Call[] = []
    for (let n = 0; n < browser; n += 1) calls.push(await server.talk())
    const answering = await answeringPhone(server)
    for (let n = 0; n < phone; n += 1)
      expect((await server.function('call-me', { phone: numberOf(from + n), slug: 'default' })).status).toBe(
        202,
      )
    await vi.waitFor(() => expect(answering.calls).toHaveLength(phone), SOON)
    for (const { id, guest } of answering.calls) calls.push({ id, guest: await guest })
    answering.close()
    return calls
  }
  /** People say something from time to time, as a call ends that is silent for long. */
  const keepTalking = (calls: readonly Call[]) => {
    const chatting = setInterval(() => {
      for (const { guest } of calls)
        if (guest.isIn) guest.say('What are your opening hours?').catch(() => undefined)
    }, 8_000)
    const stop = () => clearInterval(chatting)
    closers.push(stop)
    return stop
  }
  const goOn = async (server: DrainingServer, calls: readonly Call[]) => {
    expect(calls.map(({ guest }) => guest.isIn)).toEqual(calls.map(() => true))
    for (const { id, guest } of calls) {
      expect(await server.call(id)).toMatchObject({ status: 'in-progress' })
      await guest.say('What are your opening hours?')
    }
  }
  const breaker = async (server: DrainingServer) =>
    (await (await server.office('/calls/status')).json()).breaker

  it(`lose none of ${BROWSER_CALLS} browser calls and ${PHONE_CALLS} phone calls while the database is away for 35 s`, async () => {
    const calls: Call[] = []
    for (const [n, server] of servers.entries())
      calls.push(...(await talk(server, BROWSER_CALLS / 3, n === 0 ? PHONE_CALLS - 6 : 3, 100 * n)))
    expect(calls).toHaveLength(BROWSER_CALLS + PHONE_CALLS)
    const stop = keepTalking(calls)
    for (const line of lines) line.cut()
    await pause(OUTAGE_MS)
    // One is the first to be back.
    for (const line of lines) {
      line.mend()
      await pause(1_500)
    }
    await pause(TERM_MS)
    stop()
    await goOn(serverOf(0), calls)
    await Promise.all(calls.map(({ guest }) => guest.leave()))
    for (const { id } of calls)
      await vi.waitFor(
        async () => expect(await serverOf(1).call(id)).toMatchObject({ endedReason: 'customer-ended-call' }),
        SOON,
      )
    for (const server of servers) {
      expect(await breaker(server)).toBeNull()
      expect(server.said).not.toContain('took this one for gone')
      expect(server.said).not.toContain('ended calls of a process that is gone')
    }
  }, 300_000)

  it('end the calls of one that stands still, once; it ends them for its callers, says so, and serves on', async () => {
    const [stopped, ...living] = servers
    if (!stopped) throw new Error('Three servers were to start.')
    const lost = await talk(stopped, 2, 2, 0)
    const kept: Call[] = []
    for (const [n, server] of living.entries()) kept.push(...(await talk(server, 1, 1, 100 * (n + 1))))
    const stop = keepTalking(kept)
    stopped.signal('SIGSTOP')
    const records = async () => {
      const { rows } = await db.query(
        'select * from voice_platform.calls where id = any ($1::uuid[]) order by id',
        [`{${lost.map(({ id }) => id).join(',')}}`],
      )
      return rows
    }
    await vi.waitFor(async () => {
      for (const row of await records())
        expect(row).toMatchObject({ status: 'ended', ended_reason: 'worker-shutdown' })
    }, SOON)
    const ended = await records()
    expect(ended).toHaveLength(lost.length)
    stopped.signal('SIGCONT')
    await Promise.all(lost.map(({ guest }) => guest.closed))
    await vi.waitFor(() => expect(stopped.said).toContain('took this one for gone'), SOON)
    await pause(TERM_MS)
    stop()
    expect(stopped.said.split('took this one for gone')).toHaveLength(2)
    expect(await records()).toEqual(ended)
    await goOn(stopped, kept)
    const next = await talk(stopped, 1, 1, 900)
    await goOn(serverOf(1), next)
    for (const server of living) expect(server.said).not.toContain('took this one for gone')
    expect(await breaker(stopped)).toBeNull()
    const { rows } = await db.query<{ state: string; count: number }>(
      'select state, count(*)::int as count from call_desk.call_requests group by state order by state',
    )
    expect(rows).toEqual([
      { state: 'ended', count: 2 },
      { state: 'in-progress', count: 3 },
    ])
  }, 300_000)
})
