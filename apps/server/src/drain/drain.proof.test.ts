import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { findPostgres, openTestPostgres } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { numberOf } from '../testing/call-requests.js'
import { answeringPhone, DrainingServer } from '../testing/draining-server.js'
import { testDirectory } from '../testing/heyline-command.js'
import { OPEN_GATE } from '../testing/open-gate.js'

const GOODBYE = 'This server has to go. Goodbye.'
const SOON = { timeout: 30_000, interval: 50 }
/** Long past what a cut call would have survived. */
const A_WHILE_MS = 3_000
const NUMBER = '+14155552671'

let directory: ReturnType<typeof testDirectory>
const servers: DrainingServer[] = []
const closers: (() => void)[] = []
beforeAll(() => {
  directory = testDirectory()
})
afterEach(async () => {
  for (const close of closers.splice(0)) close()
  for (const server of servers.splice(0)) {
    server.signal('SIGKILL')
    await server.ended
  }
})
afterAll(() => directory.remove())

let names = 0
const start = async (environment: Record<string, string>, other?: DrainingServer, at?: string) => {
  names += 1
  const server = await DrainingServer.start(
    at ?? join(directory.path, String(names)),
    { ...OPEN_GATE, WEB_CALLS: 'minted', DRAIN_GOODBYE: GOODBYE, ...environment },
    other,
  )
  servers.push(server)
  return server
}
const health = async (server: DrainingServer) => {
  const answer = await fetch(`${server.url}/-/health`)
  return { code: answer.status, connection: answer.headers.get('connection'), ...(await answer.json()) }
}
/** Asks for a call that could not be placed anyway, until it hears that none is. */
const isShut = (server: DrainingServer) => {
  const order = { assistantId: crypto.randomUUID(), customer: { number: NUMBER } }
  return vi.waitFor(async () => expect((await server.platform('/call', order)).status).toBe(429), SOON)
}
const isRunning = async (server: DrainingServer, ids: readonly string[]) => {
  for (const id of ids) expect(await server.call(id)).toMatchObject({ status: 'in-progress' })
}
const phoneOf = async (server: DrainingServer) => {
  const phone = await answeringPhone(server)
  closers.push(phone.close)
  return phone
}

describe.runIf(findPostgres())('one of two servers that gets SIGTERM', () => {
  let db: Db
  let databaseUrl: string
  beforeEach(async () => {
    db = await openTestPostgres()
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    databaseUrl = (process.env.HEYLINE_TEST_POSTGRES ?? '').replace('/postgres?', `/${rows[0]?.name}?`)
  })
  afterEach(() => db.close())
  const shared = () => ({ DATABASE_URL: databaseUrl })

  it('cuts no call, takes no new one, leaves the queue to the other, and ends with 0 after its last call', async () => {
    const leaving = await start({ ...shared(), DRAIN_DELAY_SECONDS: '2', DRAIN_SECONDS: '120' })
    const staying = await start(shared(), leaving)
    const browser = await Promise.all(Array.from({ length: 5 }, () => leaving.talk()))
    const phone = await phoneOf(leaving)
    const dialled = await (
      await leaving.platform('/call', { assistant: { firstMessage: '' }, customer: { number: NUMBER } })
    ).json()
    await vi.waitFor(() => expect(phone.calls).toHaveLength(1), SOON)
    const callee = await phone.calls[0]?.guest
    const ids = [...browser.map(({ id }) => id), dialled.id]
    const guests = [...browser.map(({ guest }) => guest), callee]
    await vi.waitFor(() => isRunning(leaving, ids), SOON)
    const stream = await leaving.office('/live')

    leaving.signal('SIGTERM')
    await vi.waitFor(
      async () =>
        expect(await health(leaving)).toMatchObject({
          code: 503,
          connection: 'close',
          live: true,
          ready: false,
          reasons: [{ code: 'draining' }],
        }),
      SOON,
    )
    // Balancers have not noticed yet.
    const late = await leaving.talk()
    ids.push(late.id)
    guests.push(late.guest)

    await stream.text().catch(() => undefined)
    await isShut(leaving)
    const refused = await leaving.platform('/call/web', { assistant: { firstMessage: '' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '15'])
    expect((await refused.json()).message).toMatch(/is about to stop/)
    const minted = await leaving.function('web-call', { slug: 'default' })
    expect([minted.status, minted.headers.get('retry-after')]).toEqual([503, '15'])
    const order = { assistant: { firstMessage: '' }, customer: { number: NUMBER } }
    expect((await leaving.platform('/call', order)).status).toBe(429)
    phone.close()
    const other = await phoneOf(staying)
    const asked = await leaving.function('call-me', { phone: NUMBER, slug: 'default' })
    expect(asked.status).toBe(202)
    await vi.waitFor(() => expect(other.calls).toHaveLength(1), SOON)
    const taken = await other.calls[0]?.guest
    expect((await leaving.office('/calls?limit=1')).status).toBe(200)

    await pause(A_WHILE_MS)
    await isRunning(staying, ids)
    expect(guests.every((guest) => guest?.isIn)).toBe(true)
    const back = await guests[0]?.comeBack()
    expect(back?.isIn).toBe(true)
    await Promise.all([back, ...guests.slice(1)].map((guest) => guest?.leave()))
    expect(await leaving.ended).toBe(0)
    for (const id of ids) expect(await staying.call(id)).toMatchObject({ endedReason: 'customer-ended-call' })
    expect(taken?.isIn).toBe(true)
  })

  it('opens no breaker, and neither does one that is killed', async () => {
    const environment = { ...shared(), CALL_BREAKER_FAILURES: '5/10m', DRAIN_SECONDS: '0' }
    const staying = await start(environment)
    let asked = 0
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const leaving = await start(environment, staying)
      const phone = await phoneOf(leaving)
      for (let call = 0; call < 5; call++)
        await leaving.function('call-me', { phone: numberOf(asked++), slug: 'default' })
      await vi.waitFor(() => expect(phone.calls).toHaveLength(5), SOON)
      for (const { guest } of phone.calls) await guest
      leaving.signal(signal)
      await leaving.ended
      // A killed process is missed after 20 s.
      await vi.waitFor(async () => expect(await faults(staying)).toBe(asked), {
        timeout: 90_000,
        interval: 200,
      })
      const { breaker } = await told(staying, '/calls/status')
      expect([signal, breaker]).toEqual([signal, null])
    }
    const next = await staying.function('call-me', { phone: numberOf(asked), slug: 'default' })
    expect(next.status).toBe(202)
    expect((await told(staying, '/calls/status')).breaker).toBeNull()
  }, 240_000)
})

const told = async (server: DrainingServer, path: string) => await (await server.office(path)).json()
/** How many phone calls a fault of the platform has ended. */
const faults = async (server: DrainingServer): Promise<number> => {
  const { calls }: { calls: { outcome: string | null }[] } = await told(server, '/calls?limit=50')
  return calls.filter(({ outcome }) => outcome === 'platform_fault').length
}

describe('a single server', () => {
  it('says goodbye in the calls that are left, and the next one takes the queue', async () => {
    const at = join(directory.path, 'single')
    const leaving = await start({ DRAIN_SECONDS: '2' }, undefined, at)
    const browser = await leaving.talk()
    const phone = await phoneOf(leaving)
    const { id } = await (
      await leaving.platform('/call', { assistant: { firstMessage: '' }, customer: { number: NUMBER } })
    ).json()
    await vi.waitFor(() => expect(phone.calls).toHaveLength(1), SOON)
    const callee = await phone.calls[0]?.guest
    await vi.waitFor(() => isRunning(leaving, [browser.id, id]), SOON)
    const heard = [browser.guest.heard, callee?.heard ?? 0]

    leaving.signal('SIGTERM')
    await isShut(leaving)
    const asked = await leaving.function('call-me', { phone: '+14155552672', slug: 'default' })
    expect(asked.status).toBe(202)
    await Promise.all([browser.guest.closed, callee?.closed])
    expect(await leaving.ended).toBe(0)
    // A second of speech is 32,000 bytes.
    for (const [index, guest] of [browser.guest, callee].entries())
      expect(guest?.heard).toBeGreaterThan((heard[index] ?? 0) + 32_000)

    const next = await start({ DRAIN_SECONDS: '0' }, undefined, at)
    for (const call of [browser.id, id])
      expect(await next.call(call)).toMatchObject({
        status: 'ended',
        endedReason: 'worker-shutdown',
        transcript: expect.stringContaining(GOODBYE),
      })
    const rung = await phoneOf(next)
    await vi.waitFor(() => expect(rung.calls).toHaveLength(1), SOON)
  })

  it('waits for no call after Ctrl-C, says so, and ends with 0', async () => {
    const server = await start({ DRAIN_SECONDS: '120' })
    const { guest } = await server.talk()
    server.signal('SIGINT')
    expect(await server.ended).toBe(0)
    await guest.closed
    expect(server.said).toContain('Stopping, after one call.')
  })

  it('ends at once at a second signal', async () => {
    const server = await start({ DRAIN_SECONDS: '120' })
    await server.talk()
    server.signal('SIGTERM')
    await vi.waitFor(() => expect(server.said).toContain('Stopping, after one call.'), SOON)
    server.signal('SIGINT')
    expect(await server.ended).toBe(1)
  })
})
