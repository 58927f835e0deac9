import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { DatabaseLine, findPostgres, openTestPostgres } from '@heyline/database/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Balancer } from './testing/balancer.js'
import { numberOf } from './testing/call-requests.js'
import { DrainingServer, RoomGuest } from './testing/draining-server.js'
import { HealthChecks } from './testing/health-checks.js'
import { testDirectory } from './testing/heyline-command.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { seeded } from './testing/seeded.js'
import { readServerKeys } from './testing/server-keys.js'

const SERVERS = 3
const CONVERSATIONS = 30
/** A machine that is slow answers fewer: so many are under way at most. */
const WEBHOOK = { perSecond: 5, underWay: 3 }
const PAGES = { perSecond: 50, underWay: 20 }
/** How long a conversation goes on, in milliseconds. */
const TALK_MS = { least: 8_000, more: 10_000 }
/**
 * One of three requests is answered by the simulated callee, who listens to the first message. The line of the others is busy, and who asks for it
 * again too soon is answered like the first time, but not dialled.
 */
const BUSY = '+12025550102'
const ANSWERED_EVERY = 3

describe.runIf(findPostgres())(
  'three servers that are restarted one after the other, behind a balancer',
  () => {
    const random = seeded(Math.floor(Math.random() * 2 ** 31))
    let db: Db
    let directory: ReturnType<typeof testDirectory>
    let line: DatabaseLine
    let balancer: Balancer
    let checks: HealthChecks
    let servers: DrainingServer[]
    beforeEach(async () => {
      db = await openTestPostgres()
      directory = testDirectory()
      line = await DatabaseLine.open(db)
      balancer = await Balancer.start({ random, isEachFromElsewhere: true })
      checks = new HealthChecks(balancer)
      servers = []
      for (let n = 0; n < SERVERS; n += 1) await start(n)
    })
    afterEach(async () => {
      for (const server of servers) {
        server.signal('SIGKILL')
        await server.ended
      }
      await checks.stop()
      await balancer.stop()
      await line.close()
      await db.close()
      directory.remove()
    })

    const ownUrl = (server: DrainingServer): string =>
      JSON.parse(readFileSync(join(server.dataDirectory, 'server.json'), 'utf8')).url
    const start = async (n: number): Promise<void> => {
      const [first] = servers
      const server = await DrainingServer.start(
        join(directory.path, String(n)),
        {
          ...OPEN_GATE,
          PUBLIC_URL: balancer.url,
          TRUST_PROXY: '1',
          DATABASE_URL: line.url,
          CALL_LIMIT_NUMBER: '100000/1h',
          CALL_BREAKER_FAILURES: '3/10m',
          DRAIN_DELAY_SECONDS: '5',
          DRAIN_SECONDS: '120',
        },
        first,
      )
      servers[n] = server
      await checks.add(ownUrl(server))
    }

    it('fail no request, cut no call and dial nothing twice', async () => {
      const failures: string[] = []
      const done = { pages: 0, requests: 0, conversations: 0 }
      const accepted = new Set<string>()
      const work = new Set<Promise<void>>()
      let isOver = false
      const run = (what: string, task: () => Promise<void>) => {
        const running = task()
          .catch(
            (error: unknown) =>
              void failures.push(`${what}: ${error instanceof Error ? error.message : error}`),
          )
          .finally(() => work.delete(running))
        work.add(running)
      }
      const readPage = async () => {
        const answer = await fetch(`${balancer.url}/default`)
        const text = await answer.text()
        if (answer.status !== 200 || !text.endsWith('</html>\n'))
          throw new Error(`${answer.status}, ${text.length} characters`)
        done.pages += 1
      }
      const askForCall = async () => {
        const n = done.requests
        done.requests += 1
        const answer = await fetch(`${balancer.url}/-/backend/functions/v1/call-me`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ phone: n % ANSWERED_EVERY === 0 ? numberOf(n) : BUSY, slug: 'default' }),
        })
        const body = await answer.json()
        if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
        accepted.add(body.id)
      }
      const { platformPrivate } = readServerKeys(join(directory.path, '0'))
      const talk = async () => {
        const answer = await fetch(`${balancer.url}/-/platform/call/web`, {
          method: 'POST',
          headers: { authorization: `Bearer ${platformPrivate}`, 'content-type': 'application/json' },
          body: JSON.stringify({ assistant: { firstMessage: '' } }),
        })
        const { webCallUrl } = await answer.json()
        if (answer.status !== 201) throw new Error(`${answer.status}`)
        const guest = await RoomGuest.join(webCallUrl)
        await guest.say('What are your opening hours?')
        await pause(TALK_MS.least + random() * TALK_MS.more)
        await guest.say('What are your opening hours?')
        await guest.leave()
        done.conversations += 1
      }
      const converse = async () => {
        while (!isOver) await talk()
      }
      const every = ({ perSecond, underWay }: typeof PAGES, what: string, task: () => Promise<void>) => {
        let open = 0
        return setInterval(() => {
          if (open >= underWay) return
          open += 1
          run(what, () =>
            task().finally(() => {
              open -= 1
            }),
          )
        }, 1000 / perSecond)
      }
      for (let n = 0; n < CONVERSATIONS; n += 1) run('conversation', converse)
      const load = [every(PAGES, 'page', readPage), every(WEBHOOK, 'webhook', askForCall)]
      try {
        for (const [n, server] of servers.entries()) {
          await vi.waitFor(() => expect(done.conversations).toBeGreaterThan(n * 5), 60_000)
          const url = ownUrl(server)
          server.signal('SIGTERM')
          expect(await server.ended).toBe(0)
          checks.remove(url)
          await start(n)
        }
      } finally {
        for (const timer of load) clearInterval(timer)
        isOver = true
        await Promise.all(work)
      }
      expect(failures, JSON.stringify(done)).toEqual([])
      expect(done.pages).toBeGreaterThan(0)
      expect(accepted.size).toBe(done.requests)

      const counted = async (sql: string) => (await db.query(sql)).rows
      await vi.waitFor(
        async () =>
          expect(await counted(`select distinct status from voice_platform.calls`)).toEqual([
            { status: 'ended' },
          ]),
        { timeout: 60_000, interval: 250 },
      )
      const requests = async () => {
        const { rows } = await db.query<{ id: string; state: string }>(
          'select id, coalesce(refusal, state) as state from call_desk.call_requests',
        )
        return rows
      }
      const settled = ['ended', 'repeated']
      await vi.waitFor(
        async () => expect((await requests()).filter(({ state }) => !settled.includes(state))).toEqual([]),
        { timeout: 60_000, interval: 250 },
      )
      const asked = await requests()
      expect(asked.map(({ id }) => id).toSorted()).toEqual([...accepted].toSorted())
      expect(
        await counted(
          `select type, ended_reason as reason from voice_platform.calls group by 1, 2 order by 1, 2`,
        ),
      ).toEqual([
        { type: 'outboundPhoneCall', reason: 'customer-busy' },
        { type: 'outboundPhoneCall', reason: 'customer-ended-call' },
        { type: 'webCall', reason: 'customer-ended-call' },
      ])
      const dialled = await db.query<{ name: string }>(
        `select name from voice_platform.calls where type = 'outboundPhoneCall'`,
      )
      expect(dialled.rows.map(({ name }) => name).toSorted()).toEqual(
        asked.flatMap(({ id, state }) => (state === 'ended' ? id : [])).toSorted(),
      )
      expect(await counted('select breaker_at from call_desk.switches')).toEqual([{ breaker_at: null }])
    }, 300_000)
  },
)
