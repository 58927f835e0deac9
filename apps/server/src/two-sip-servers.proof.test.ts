import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { findPostgres, openTestPostgres } from '@heyline/database/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { freeUdpPort } from '../../../packages/voice-platform/src/testing/baresip.js'
import { SipPhone } from '../../../packages/voice-platform/src/testing/sip-phone.js'
import { DrainingServer } from './testing/draining-server.js'
import { testDirectory } from './testing/heyline-command.js'
import { OPEN_GATE } from './testing/open-gate.js'

/** Somebody who picks up and stays. Everybody else is busy. */
const TALKS = '+14155552670'
const BUSY = 486
const MORE_THAN_OPENS_THE_BREAKER = 4

const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 100 })

describe.runIf(findPostgres())('two servers on one machine with one port for SIP', () => {
  let db: Db
  let directory: ReturnType<typeof testDirectory>
  let trunk: SipPhone
  let servers: DrainingServer[]
  let asked: string[]
  let environment: Record<string, string>
  beforeEach(async () => {
    db = await openTestPostgres()
    directory = testDirectory()
    trunk = new SipPhone()
    await trunk.listen()
    servers = []
    asked = []
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    environment = {
      ...OPEN_GATE,
      CALL_BREAKER_FAILURES: '3/10m',
      DATABASE_URL: (process.env.HEYLINE_TEST_POSTGRES ?? '').replace('/postgres?', `/${rows[0]?.name}?`),
      CARRIER: 'sip',
      SIP_TO: `sip:{number}@127.0.0.1:${trunk.port}`,
      SIP_BIND: `127.0.0.1:${await freeUdpPort()}`,
      SIP_INBOUND: 'trunk',
      COMPANY_NAME: 'Example',
    }
  })
  afterEach(async () => {
    for (const server of servers) {
      server.signal('SIGKILL')
      await server.ended
    }
    trunk.close()
    await db.close()
    directory.remove()
  })

  async function start(): Promise<DrainingServer> {
    const name = String(servers.length)
    const server = await DrainingServer.start(join(directory.path, name), environment, servers[0])
    servers.push(server)
    return server
  }

  async function ask(server: DrainingServer, phone: string): Promise<void> {
    const { status } = await server.function('call-me', { phone, slug: 'default' })
    expect(status).toBe(202)
    asked.push(phone)
  }

  /** As many people ask as would open the breaker, were each call to fail. */
  async function askMany(server: DrainingServer): Promise<void> {
    for (let n = 0; n < MORE_THAN_OPENS_THE_BREAKER; n++) {
      const phone = `+1415555${2_671 + asked.length}`
      trunk.callees.set(phone, BUSY)
      await ask(server, phone)
    }
  }

  /** Whom the trunk was asked to ring, in any order: a number as often as there are calls to it. */
  const rung = () => {
    const byCall = new Map(trunk.requests('INVITE').map(({ uri, headers }) => [headers.get('call-id'), uri]))
    return [...byCall.values()].map((uri) => /\+\d+/.exec(uri)?.[0]).sort()
  }
  const breakerAt = async () => {
    const { rows } = await db.query<{ breaker_at: Date | null }>('select breaker_at from call_desk.switches')
    return rows[0]?.breaker_at
  }

  it('place each call once, also while one stops and the other takes the port over', async () => {
    trunk.callees.set(TALKS, 'answers')
    const before = await start()
    const next = await start()
    await soon(() => expect(next.said).toContain('SIP_BIND is taken'))

    await ask(next, TALKS)
    await soon(() => expect(trunk.requests('ACK')).toHaveLength(1))
    await askMany(next)
    await soon(() => expect(rung()).toEqual(asked))

    before.signal('SIGTERM')
    await soon(() => expect(before.said).toContain('waiting for running calls to end'))
    await askMany(next)
    const { rows: waiting } = await db.query<{ state: string; attempts: number }>(
      `select distinct state, attempts from call_desk.call_requests where phone = any ($1)`,
      [`{${asked.slice(-MORE_THAN_OPENS_THE_BREAKER)}}`],
    )
    expect(waiting).toEqual([{ state: 'queued', attempts: 0 }])

    trunk.send('BYE')
    await soon(() => expect(rung()).toEqual(asked))
    expect(await before.ended).toBe(0)
    await soon(async () => {
      const { rows } = await db.query(
        `select distinct state from call_desk.call_requests where phone = any ($1)`,
        [`{${asked}}`],
      )
      expect(rows).toEqual([{ state: 'ended' }])
    })
    expect(rung()).toEqual(asked)
    expect(await breakerAt()).toBeNull()
  })
})
