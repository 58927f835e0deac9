import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { runningCalls } from '../calls/running-calls.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { runHeyline } from '../testing/heyline-command.js'
import { readServerKeys } from '../testing/server-keys.js'
import { examine } from './doctor.js'
import type { Finding } from './finding.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const directory = mkdtempSync(join(tmpdir(), 'heyline-doctor-'))
const data = join(directory, 'data')
/** Nobody has started there. */
const fresh = join(directory, 'fresh')
const logger = pino({ level: 'silent' })
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

async function standIn(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
const answering = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  standIn((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)))

const examined = (environment: Record<string, string> = {}) =>
  examine({ PORT: '0', DATA_DIR: fresh, ...environment })
/** What is said of one thing. */
const of = (findings: Finding[], check: string) => findings.filter((finding) => finding.check === check)
const statusOf = async (environment: Record<string, string>, check: string) =>
  of(await examined(environment), check).map(({ status }) => status)

describe('a fresh machine', () => {
  it('is well, and stays as it was', async () => {
    const findings = await examined()
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['settings', 'ok'],
      ['data directory', 'ok'],
      ['disk space', 'ok'],
      ['keys', 'ok'],
      ['server', 'ok'],
      ['port', 'ok'],
      ['database', 'ok'],
    ])
    expect(existsSync(fresh)).toBe(false)
  })
})

describe('the settings', () => {
  it('are all named that can not be used', async () => {
    const findings = await examined({ PORT: 'abc', LOG_VISITORS: 'maybe', PUBLIC_URL: 'x' })
    expect(
      findings
        .filter(({ status }) => status === 'fail')
        .map(({ check }) => check)
        .sort(),
    ).toEqual(['LOG_VISITORS', 'PORT', 'PUBLIC_URL'])
  })

  it('are named when one is missing', async () => {
    expect(await statusOf({ SUPABASE_URL: NOWHERE }, 'SUPABASE_PUBLISHABLE_KEY')).toEqual(['fail'])
  })
})

describe('with a server running', () => {
  let heyline: Heyline
  let hosted: Record<string, string>
  beforeAll(async () => {
    // What is examined below has no address yet: its pages are those of port 0.
    const settings = readSettings({ PORT: '0', DATA_DIR: data, ALLOWED_ORIGINS: 'http://localhost:0' })
    heyline = await startHeyline({ settings, logger })
    const keys = readServerKeys(data)
    hosted = {
      SUPABASE_URL: `${heyline.url}/-/backend`,
      SUPABASE_PUBLISHABLE_KEY: keys.publishable,
      SUPABASE_SECRET_KEY: keys.secret,
      PLATFORM_URL: `${heyline.url}/-/platform`,
      PLATFORM_PUBLIC_KEY: keys.platformPublic,
      PLATFORM_PRIVATE_KEY: keys.platformPrivate,
      PLATFORM_ASSISTANT_ID: /Assistant +(\S+)/.exec(heyline.banner)?.[1] ?? '',
      CALL_WEBHOOK_URL: `${heyline.url}/-/backend/functions/v1/call-me`,
    }
  })
  afterAll(() => heyline.close())
  const port = () => new URL(heyline.url).port

  it('finds it, its port, its database and its address', async () => {
    const findings = await examined({ DATA_DIR: data, PORT: port(), PUBLIC_URL: heyline.url })
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
    expect(of(findings, 'port')[0]?.message).toMatch(/our own server/)
    expect(of(findings, 'PUBLIC_URL')).toHaveLength(1)
  })

  it('says that a port is taken, that another database is used, that an address leads elsewhere', async () => {
    const taken = await examined({ DATA_DIR: join(directory, 'other'), PORT: port() })
    expect(of(taken, 'port')).toEqual([
      expect.objectContaining({ status: 'fail', mend: expect.stringMatching(/^stop/) }),
    ])
    expect(
      await statusOf({ DATA_DIR: data, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }, 'server'),
    ).toEqual(['fail'])
    expect(await statusOf({ DATA_DIR: data, PUBLIC_URL: await answering(404) }, 'PUBLIC_URL')).toEqual([
      'fail',
    ])
    expect(await statusOf({ DATA_DIR: data, PUBLIC_URL: NOWHERE }, 'PUBLIC_URL')).toEqual(['fail'])
  })

  it('says that calls are paused', async () => {
    const calls = runningCalls(heyline.url, readServerKeys(data).secret)
    await calls.pause()
    expect(of(await examined({ DATA_DIR: data, PORT: port() }), 'calls')).toEqual([
      expect.objectContaining({ status: 'warn', mend: 'heyline calls resume' }),
    ])
    await calls.resume()
    expect(of(await examined({ DATA_DIR: data, PORT: port() }), 'calls')).toEqual([])
  })

  it('finds another Heyline well as hosted backend, platform and webhook', async () => {
    const findings = await examined(hosted)
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['visitors', 'PLATFORM_PUBLIC_KEY', 'CALL_WEBHOOK_URL']),
    )
  })

  it.each([
    ['SUPABASE_URL', { SUPABASE_URL: NOWHERE }, 'fail'],
    ['SUPABASE_PUBLISHABLE_KEY', { SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_wrong' }, 'fail'],
    ['SUPABASE_SECRET_KEY', { SUPABASE_SECRET_KEY: 'sb_secret_wrong' }, 'fail'],
    ['SUPABASE_SECRET_KEY', { SUPABASE_SECRET_KEY: '' }, 'warn'],
    ['PLATFORM_URL', { PLATFORM_URL: NOWHERE }, 'fail'],
    ['PLATFORM_PRIVATE_KEY', { PLATFORM_PRIVATE_KEY: 'a-wrong-private-key' }, 'fail'],
    ['PLATFORM_PUBLIC_KEY', { PLATFORM_PUBLIC_KEY: 'a-wrong-public-key' }, 'fail'],
    ['CALL_WEBHOOK_URL', { CALL_WEBHOOK_URL: NOWHERE }, 'fail'],
  ])('says that %s is not well: %j', async (check, environment, status) => {
    expect(await statusOf({ ...hosted, ...environment }, check)).toEqual([status])
  })
})

it('misses the number of proxies, where one must be in front', async () => {
  const PUBLIC_URL = 'https://demo.example'
  expect(await statusOf({ PUBLIC_URL }, 'TRUST_PROXY')).toEqual(['warn'])
  expect(await statusOf({ PUBLIC_URL, TRUST_PROXY: '1' }, 'TRUST_PROXY')).toEqual([])
})

describe('a hosted backend', () => {
  const check = async (url: string) =>
    (await examined({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' })).filter(
      ({ status }) => status !== 'ok',
    )

  it.each([
    [400, { code: '42703', message: 'column visitors.system does not exist' }, /lacks a column/],
    [404, { code: 'PGRST205', message: 'no table' }, /there is no table visitors/],
    [500, {}, /answers 500/],
  ])('answers %i %j', async (status, body, message) => {
    expect((await check(await answering(status, body)))[0]).toMatchObject({
      status: 'fail',
      check: 'SUPABASE_URL',
      message: expect.stringMatching(message),
    })
  })

  it('lists everybody, and refuses the header', async () => {
    const url = await answering(200, [], {
      'content-range': '0-0/12',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'apikey, authorization',
    })
    const findings = await check(url)
    expect(of(findings, 'visitors')[0]).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/lists 12/),
    })
    expect(of(findings, 'SUPABASE_URL')[0]).toMatchObject({ status: 'fail', mend: 'set VISITOR_HEADER=off' })
  })
})

it.each([
  [404, 'PLATFORM_ASSISTANT_ID', 'fail'],
  [422, 'PLATFORM_ASSISTANT_ID', 'warn'],
  [501, 'PLATFORM_ASSISTANT_ID', 'warn'],
  [500, 'PLATFORM_URL', 'fail'],
  [200, 'PLATFORM_PRIVATE_KEY', 'ok'],
])('says what it means when a platform answers %i about the assistant', async (code, check, status) => {
  const environment = {
    PLATFORM_URL: await answering(code),
    PLATFORM_PUBLIC_KEY: 'public',
    PLATFORM_PRIVATE_KEY: 'private',
    PLATFORM_ASSISTANT_ID: 'assistant',
  }
  expect(await statusOf(environment, check)).toEqual([status])
})

it('says that a webhook takes no posts of our pages', async () => {
  expect(await statusOf({ CALL_WEBHOOK_URL: await answering(204) }, 'CALL_WEBHOOK_URL')).toEqual(['fail'])
})

describe('an engine', () => {
  const models = { data: [{ id: 'small' }] }
  it.each([
    [200, models, 'MODEL_URL', 'ok', { MODEL_NAME: 'small' }],
    [200, models, 'MODEL_NAME', 'warn', { MODEL_NAME: 'large' }],
    [404, {}, 'MODEL_URL', 'warn', {}],
    [401, {}, 'MODEL_KEY', 'fail', {}],
  ])('answers %i %j: %s is %s', async (code, body, check, status, environment) => {
    expect(await statusOf({ MODEL_URL: await answering(code, body), ...environment }, check)).toEqual([
      status,
    ])
  })
  it('is not there', async () => {
    expect(await statusOf({ VOICE_URL: NOWHERE }, 'VOICE_URL')).toEqual(['fail'])
  })
})

describe('Twilio', () => {
  const check = async (status: number, body: unknown = {}) =>
    (
      await examined({
        CARRIER: 'twilio',
        TWILIO_ACCOUNT_SID: 'AC1',
        TWILIO_AUTH_TOKEN: 'token',
        TWILIO_API_URL: status === 0 ? NOWHERE : await answering(status, body),
        TWILIO_CALLER_ID: '+14155552671',
      })
    )
      .filter(({ check }) => /TWILIO|CARRIER/.test(check) && check !== 'TWILIO_CALLER_ID')
      .map(({ check, status }) => [check, status])
  it.each([
    [200, { status: 'active' }, 'CARRIER', 'ok'],
    [200, { status: 'suspended' }, 'CARRIER', 'fail'],
    [401, {}, 'TWILIO_AUTH_TOKEN', 'fail'],
    [500, {}, 'TWILIO_API_URL', 'fail'],
    [0, {}, 'TWILIO_API_URL', 'fail'],
  ])('answers %i %j', async (status, body, name, verdict) => {
    expect(await check(status, body)).toEqual([[name, verdict]])
  })
})

describe('SIP', () => {
  const check = async (to: string, status?: number) => {
    const phone = createSocket('udp4')
    const asked: string[] = []
    phone.on('message', (datagram, { address, port }) => {
      asked.push(datagram.toString().split('\r\n')[0] ?? '')
      const lines = datagram.toString().match(/^(Via|From|To|Call-ID|CSeq): .*\r\n/gm) ?? []
      phone.send(`SIP/2.0 ${status} Said\r\n${lines.join('')}Content-Length: 0\r\n\r\n`, port, address)
    })
    phone.bind(0, '127.0.0.1')
    await once(phone, 'listening')
    const findings = await examined({ CARRIER: 'sip', SIP_TO: `${to}@127.0.0.1:${phone.address().port}` })
    phone.close()
    const said = findings
      .filter(({ check }) => /SIP|CARRIER/.test(check))
      .map(({ check, status }) => [check, status])
    return { said, asked }
  }
  it.each([
    [200, 'sip:desk', 'CARRIER', 'ok'],
    [404, 'sip:{number}', 'CARRIER', 'ok'],
    [404, 'sip:desk', 'SIP_TO', 'warn'],
    [401, 'sip:desk', 'SIP_USER', 'fail'],
    [503, 'sip:desk', 'SIP_TO', 'fail'],
  ])('answers %i for %s', async (status, to, name, verdict) => {
    const { said, asked } = await check(to, status)
    expect(said).toEqual([[name, verdict]])
    expect(asked[0]).toMatch(to === 'sip:desk' ? /^OPTIONS sip:desk@127/ : /^OPTIONS sip:127/)
  })
  it('is not there', async () => {
    const findings = await examined({ CARRIER: 'sip', SIP_TO: 'sip:desk@nowhere.invalid' })
    expect(findings).toContainEqual(expect.objectContaining({ check: 'SIP_TO', status: 'fail' }))
  })
})

describe('the database', () => {
  const withDb = async (sql: string) => {
    const db = await openPglite({ directory: join(data, 'pglite'), logger })
    await db.exec(sql)
    await db.close()
  }
  const VERSIONS = 'supabase_migrations.schema_migrations'

  it('opens, has the circuit breaker open, lacks migrations, was used by a newer build', async () => {
    await withDb("update call_desk.switches set breaker_at = now(), breaker_reason = 'failures'")
    const findings = await examined({ DATA_DIR: data })
    expect(of(findings, 'database').map(({ status }) => status)).toEqual(['ok'])
    expect(of(findings, 'calls')).toEqual([
      expect.objectContaining({ status: 'warn', message: expect.stringMatching(/breaker .*\(failures\)/) }),
    ])
    await withDb(`delete from ${VERSIONS} where version = (select max(version) from ${VERSIONS})`)
    expect(await statusOf({ DATA_DIR: data }, 'database')).toEqual(['warn'])
    await withDb(`insert into ${VERSIONS} (version) values ('29990101000000')`)
    const [newer] = of(await examined({ DATA_DIR: data }), 'database')
    expect(newer).toMatchObject({ status: 'warn', message: expect.stringContaining('29990101000000') })
  })

  it('is in use, or can not be reached', async () => {
    const db = await openPglite({ directory: join(data, 'pglite'), logger })
    expect(of(await examined({ DATA_DIR: data }), 'database')[0]).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/in use by process/),
    })
    await db.close()
    expect(await statusOf({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }, 'database')).toEqual([
      'fail',
    ])
  })
})

describe('the command', () => {
  it('prints a line for each, how to mend, and fails where something has to be mended', async () => {
    const { code, out } = await runHeyline(['doctor'], { PORT: 'abc', DATA_DIR: join(directory, 'new') })
    expect(code).toBe(1)
    expect(out).toMatch(/^fail {2}PORT: "abc" is not a port \(0 to 65535\)\n {6}change it/)
    expect(out).toMatch(/ passed, 0 to look at, 1 to fix\.\n$/)
  })

  it('prints JSON, and is 0 where nothing has', async () => {
    const { code, out } = await runHeyline(['doctor', '--json'], {
      PORT: '0',
      DATA_DIR: join(directory, 'new'),
    })
    // One of them is a sentence that the offline engines spoke.
    expect([code, JSON.parse(out)]).toMatchObject([0, { ok: 8, warn: 0, fail: 0 }])
    const silent = await runHeyline(['doctor', '--json', '--no-speech'], {
      PORT: '0',
      DATA_DIR: join(directory, 'new'),
    })
    expect(JSON.parse(silent.out)).toMatchObject({ ok: 7, warn: 0, fail: 0 })
  })
})
