import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { findPostgres, openTestPostgres } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { StandInCall } from '../../../packages/voice-platform/src/testing/stand-in-call.js'
import { TwilioStandIn } from '../../../packages/voice-platform/src/testing/twilio-stand-in.js'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { Balancer } from './testing/balancer.js'
import { testDirectory } from './testing/heyline-command.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { seeded } from './testing/seeded.js'
import { readServerKeys } from './testing/server-keys.js'

const CALLS = 9
/** As balancers do where a server refuses a connection. */
const RETRIES = 5
const SALES = '+12025550142'
/** The loudest sample that is still silence. */
const QUIET = 200
const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 50 })

describe.runIf(findPostgres())(
  'calls at Twilio, with three servers behind a balancer that picks at random',
  () => {
    const standIn = new TwilioStandIn()
    const servers: Heyline[] = []
    let directory: ReturnType<typeof testDirectory>
    let db: Db
    let balancer: Balancer
    let key = ''
    beforeAll(async () => {
      directory = testDirectory()
      await standIn.listen()
      db = await openTestPostgres()
      const { rows } = await db.query<{ name: string }>('select current_database() as name')
      const databaseUrl = (process.env.HEYLINE_TEST_POSTGRES ?? '').replace(
        '/postgres?',
        `/${rows[0]?.name}?`,
      )
      const random = seeded(Math.floor(Math.random() * 2 ** 31))
      balancer = await Balancer.start({ random, retries: RETRIES })
      for (let n = 0; n < 3; n += 1) {
        const data = join(directory.path, String(n))
        mkdirSync(data)
        if (n > 0) copyFileSync(join(directory.path, '0', 'keys.json'), join(data, 'keys.json'))
        const settings = readSettings({
          ...OPEN_GATE,
          PORT: '0',
          DATA_DIR: data,
          DATABASE_URL: databaseUrl,
          PUBLIC_URL: balancer.url,
          CARRIER: 'twilio',
          TWILIO_ACCOUNT_SID: standIn.accountSid,
          TWILIO_AUTH_TOKEN: standIn.authToken,
          TWILIO_API_URL: standIn.url,
          TWILIO_CALLER_ID: '+14155552671',
        })
        servers.push(await startHeyline({ settings, logger: pino({ level: 'silent' }) }))
        const { url } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'))
        balancer.servers = [...balancer.servers, url]
      }
      key = readServerKeys(join(directory.path, '0')).platformPrivate
    }, 120_000)
    afterAll(async () => {
      for (const server of servers) await server.close()
      await balancer.stop()
      await standIn.close()
      await db.close()
      directory.remove()
    })

    const platform = async (path: string, body?: object) =>
      await fetch(`${balancer.url}/-/platform${path}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
    /** The caller hears somebody speak, from now on. */
    const isSpokenTo = async (call: StandInCall) => {
      const before = call.heard.length
      await soon(() => {
        call.pass(200)
        expect(call.heard.slice(before).some((sample) => Math.abs(sample) > QUIET)).toBe(true)
      })
    }

    it(`${CALLS} of ${CALLS} talk, are transferred, and come back where nobody answers`, async () => {
      const ids: string[] = []
      for (let n = 0; n < CALLS; n += 1) {
        const number = `+1212555${1000 + n}`
        standIn.callees.set(number, 'answers')
        const asked = await platform('/call', {
          assistant: { firstMessage: 'Hello, this is your assistant.', silenceTimeoutSeconds: 600 },
          customer: { number },
        })
        expect(asked.status).toBe(201)
        ids.push((await asked.json()).id)
      }
      await soon(() => expect(standIn.calls).toHaveLength(CALLS))
      for (const [index, call] of [...standIn.calls].entries()) {
        await isSpokenTo(call)
        const destination = { type: 'number', number: SALES, message: '' }
        const id = ids[index] ?? ''
        expect((await platform(`/call/${id}/control`, { type: 'transfer', destination })).status).toBe(200)
        await soon(() => {
          call.pass(200)
          expect(call.dial?.number).toBe(SALES)
        })
        expect(await call.dialOver('busy')).toBe('streaming')
        await isSpokenTo(call)
        expect((await (await platform(`/call/${id}`)).json()).status).toBe('in-progress')
        call.hangUp()
        await soon(async () =>
          expect(await (await platform(`/call/${id}`)).json()).toMatchObject({
            status: 'ended',
            endedReason: 'customer-ended-call',
          }),
        )
      }
    })
  },
)
