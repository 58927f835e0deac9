import { once } from 'node:events'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { findPostgres, openTestPostgres } from '@heyline/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Balancer } from './testing/balancer.js'
import { answeringPhone, DrainingServer, RoomGuest } from './testing/draining-server.js'
import { testDirectory } from './testing/heyline-command.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { seeded } from './testing/seeded.js'

const SOON = { timeout: 30_000, interval: 50 }
/** How soon the clients of a killed process hear that their calls are over. */
const KILLED_MS = 5_000
const CLIENTS = 20
/** As balancers do where a server refuses a connection. */
const RETRIES = 5
const PHONE_CALLS = 24

let directory: ReturnType<typeof testDirectory>
beforeAll(() => {
  directory = testDirectory()
})
afterAll(() => directory.remove())

describe.runIf(findPostgres())('three processes behind a balancer that picks at random', () => {
  let db: Db
  let balancer: Balancer
  const servers: DrainingServer[] = []
  const closers: (() => void)[] = []
  let names = 0
  beforeEach(async () => {
    db = await openTestPostgres()
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    const databaseUrl = (process.env.HEYLINE_TEST_POSTGRES ?? '').replace('/postgres?', `/${rows[0]?.name}?`)
    const seed = Math.floor(Math.random() * 2 ** 31)
    balancer = await Balancer.start({ random: seeded(seed), retries: RETRIES })
    for (let n = 0; n < 3; n += 1) {
      names += 1
      const environment = {
        ...OPEN_GATE,
        DATABASE_URL: databaseUrl,
        PUBLIC_URL: balancer.url,
        DRAIN_SECONDS: '0',
      }
      servers.push(await DrainingServer.start(join(directory.path, String(names)), environment, servers[0]))
    }
    balancer.servers = servers.map(({ ownUrl }) => ownUrl)
  }, 120_000)
  afterEach(async () => {
    for (const close of closers.splice(0)) close()
    for (const server of servers.splice(0)) {
      server.signal('SIGKILL')
      await server.ended
    }
    await balancer.stop()
    await db.close()
  })
  const server = (index: number): DrainingServer => servers[index] ?? expect.unreachable()

  it(`let ${CLIENTS} of ${CLIENTS} clients back at the first try, and obey a long message at any of them`, async () => {
    const calls = []
    for (let n = 0; n < CLIENTS; n += 1) calls.push(await server(n % 3).talk('here'))
    for (const { id, guest } of calls) {
      const back = await guest.comeBack(balancer.url)
      expect(back.isIn).toBe(true)
      back.type(`Back in ${id}`)
      await vi.waitFor(
        async () => expect((await server(0).call(id)).transcript).toContain(`Back in ${id}`),
        SOON,
      )
    }
    const [{ id }] = calls as [(typeof calls)[0]]
    const content = 'x'.repeat(9_000)
    const message = {
      type: 'add-message',
      message: { role: 'system', content },
      triggerResponseEnabled: false,
    }
    for (const { ownUrl } of servers) {
      balancer.servers = [ownUrl]
      expect((await server(0).platform(`/call/${id}/control`, message)).status).toBe(200)
    }
  })

  it('tell the clients of a killed process within 5 s that their calls are over, once, and let them start again', async () => {
    const [killed, staying] = [server(0), server(1)]
    const calls = await Promise.all(Array.from({ length: 5 }, () => killed.talk('here')))
    const other = await staying.talk('here')
    // The others know where it listens.
    await vi.waitFor(() => {
      for (const { said } of servers.slice(1)) expect(said.split('is reached').length).toBeGreaterThan(2)
    }, SOON)
    for (const { id, guest } of calls) {
      guest.type(`I am ${id}`)
      await vi.waitFor(async () => expect((await staying.call(id)).transcript).toContain(id), SOON)
    }
    killed.signal('SIGKILL')
    await killed.ended
    const told = await Promise.all(calls.map(({ guest }) => endOf(guest.returnUrl(balancer.url), KILLED_MS)))
    expect(told).toEqual(calls.map(() => 'worker-shutdown'))
    balancer.servers = [staying.ownUrl]
    for (const { id } of calls)
      expect(await staying.call(id)).toMatchObject({
        status: 'ended',
        endedReason: 'worker-shutdown',
        transcript: expect.stringContaining(id),
      })
    expect(other.guest.isIn).toBe(true)
    expect((await staying.call(other.id)).status).toBe('in-progress')
    expect((await staying.talk()).guest.isIn).toBe(true)
  })

  it('end no call of a process that only stands still', async () => {
    const [still, staying] = [server(0), server(1)]
    const { id, guest } = await still.talk('here')
    still.signal('SIGSTOP')
    guest.drop()
    const refused = new WebSocket(guest.returnUrl(staying.ownUrl), ['room.v1'])
    const [code] = await once(refused, 'close')
    expect(code).toBe(4000)
    balancer.servers = [staying.ownUrl]
    expect((await staying.call(id)).status).toBe('in-progress')
    still.signal('SIGCONT')
    await vi.waitFor(async () => {
      const back = await RoomGuest.join(guest.returnUrl(staying.ownUrl))
      expect(back.isIn).toBe(true)
    }, SOON)
  })

  it(`let ${PHONE_CALLS} of ${PHONE_CALLS} answered phone calls talk`, async () => {
    const phones = await Promise.all(
      servers.map(async ({ ownUrl }) => {
        const phone = await answeringPhone({ url: ownUrl })
        closers.push(phone.close)
        return phone
      }),
    )
    const answered = () => phones.flatMap(({ calls }) => calls)
    const ids = []
    for (let n = 0; n < PHONE_CALLS; n += 1) {
      const asked = await server(0).platform('/call', {
        assistant: { firstMessage: 'Hello, this is your assistant.', silenceTimeoutSeconds: 600 },
        customer: { number: `+1415555${2000 + n}` },
      })
      ids.push((await asked.json()).id)
    }
    await vi.waitFor(() => expect(answered()).toHaveLength(PHONE_CALLS), SOON)
    for (const { guest } of answered()) {
      const person = await guest
      // A second of speech is 32,000 bytes.
      await vi.waitFor(() => expect(person.heard).toBeGreaterThan(32_000), SOON)
      const back = await person.comeBack(balancer.url)
      expect(back.isIn).toBe(true)
    }
    for (const id of ids) expect((await server(0).call(id)).status).toBe('in-progress')
  })
})

/** Comes back until the platform says how the call ended; undefined where it does not within this time. */
async function endOf(url: string, ms: number): Promise<string | undefined> {
  const until = performance.now() + ms
  while (performance.now() < until) {
    const socket = new WebSocket(url, ['room.v1'])
    socket.on('error', () => undefined)
    const reasons: string[] = []
    socket.on('message', (data: Buffer) => {
      const { type, reason } = JSON.parse(data.toString('utf8'))
      if (type === 'room.ended') reasons.push(reason)
    })
    const timer = setTimeout(() => socket.terminate(), until - performance.now())
    await once(socket, 'close')
    clearTimeout(timer)
    if (reasons.length > 0) return reasons[0]
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return undefined
}
