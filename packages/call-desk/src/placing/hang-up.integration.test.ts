import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pauseCalls } from '../gate/switches.js'
import { createDoNotCall, type DoNotCall } from '../records/do-not-call-office.js'
import { DEFAULT_TIMINGS } from '../run/timings.js'
import { requestCall, rowOf } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'
import { sendEndCall } from './end-call.js'
import { HangUps } from './hang-up.js'

const office = useOffice()
const lines: string[] = []
let hangUps: HangUps
beforeEach(async () => {
  lines.length = 0
  await office.db.exec(
    'update call_desk.switches set paused_at = null; delete from call_desk.do_not_call; delete from call_desk.ledger',
  )
  hangUps = new HangUps({
    db: office.db,
    platform: new PlatformClient({ token: 'private-key', baseUrl: office.platform.url, retries: 0 }),
    gate: { maxSeconds: 180 },
    timings: { ...DEFAULT_TIMINGS, pollMs: 20 },
    logger: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
  })
})
afterEach(() => hangUps.close())

/** A call that was placed by a desk that is gone: nothing but these hang-ups looks after it. */
async function placed(): Promise<string> {
  const desk = await office.startedDesk()
  const id = await requestCall(desk)
  await office.becomes(id, { platform_call_id: 'call-1', control_url: expect.any(String) })
  await desk.close()
  return id
}

const toEnd = (id: string, changes = '') =>
  office.db.query(
    `update call_desk.call_requests set hang_up_reason = 'paused', hang_up_at = now() ${changes} where id = $1`,
    [id],
  )

/** Lets the pause before the next try pass. */
const again = () => office.db.exec('update call_desk.call_requests set hang_up_at = now()')

const commanded = () => office.platform.commands.map(({ callId, body }) => [callId, body])
const endCall = ['call-1', { type: 'end-call' }]

describe('a call that is to be ended', () => {
  it('is told so at once by a pause, and let go when it has ended', async () => {
    const id = await placed()
    await hangUps.start()
    expect(await pauseCalls(office.db)).toBe(1)
    await expect.poll(commanded).toEqual([endCall])
    await expect.poll(async () => (await rowOf(office.db, id)).hang_up_at).not.toBe(null)
    await office.db.exec(
      "update call_desk.call_requests set state = 'ended', ended_at = now(), hang_up_at = now()",
    )
    hangUps.wake()
    await office.becomes(id, { hang_up_at: null, hang_up_reason: 'paused' })
    expect(commanded()).toEqual([endCall])
  })

  it.each([
    ['add', (list: DoNotCall) => list.add(['+1 415 555 2671'])],
    ['import', (list: DoNotCall) => list.import(['+14155552671'])],
  ])(
    'is told so where its number is put on the do-not-call list before anybody answered, by %s',
    async (_, put) => {
      const id = await placed()
      await office.db.exec("update call_desk.call_requests set state = 'ringing'")
      await hangUps.start()
      await put(createDoNotCall(office.db))
      await expect.poll(commanded).toEqual([endCall])
      expect(await rowOf(office.db, id)).toMatchObject({ hang_up_reason: 'do_not_call' })
    },
  )

  it.each([
    "state = 'in-progress'",
    "state = 'ringing', inbound = true",
    "state = 'ringing', phone = '+14155552672'",
  ])('is none with %s, where a number is put on the do-not-call list', async (changes) => {
    const id = await placed()
    await office.db.exec(`update call_desk.call_requests set ${changes}`)
    await createDoNotCall(office.db).add(['+14155552671'])
    expect(await rowOf(office.db, id)).toMatchObject({ hang_up_at: null, hang_up_reason: null })
  })

  it('is told again until it has ended, sooner after a first refusal', async () => {
    const id = await placed()
    office.platform.control = 500
    await toEnd(id)
    await hangUps.start()
    await expect.poll(commanded).toEqual([endCall])
    const soon = await hangUpIn(id, 0, 2000)
    await again()
    await expect.poll(commanded).toHaveLength(2)
    expect(await hangUpIn(id, 2000, 5000)).toBeGreaterThan(soon)
    office.platform.control = 200
    await again()
    await expect.poll(commanded).toHaveLength(3)
    // Accepted, and not over: it is asked again all the same.
    await again()
    await expect.poll(commanded).toHaveLength(4)
    expect(lines.join('')).not.toContain('127.0.0.1')
  })

  it('is asked about where its address is not known, once', async () => {
    const id = await placed()
    await toEnd(id, ', control_url = null')
    office.platform.control = 500
    await hangUps.start()
    await expect.poll(commanded).toEqual([endCall])
    await office.becomes(id, { control_url: `${office.platform.url}/call/call-1/control` })
    await again()
    await expect.poll(commanded).toHaveLength(2)
    expect(office.platform.asked).toBe(1)
  })

  it('waits for the platform’s id of it', async () => {
    const id = await placed()
    await toEnd(id, ', platform_call_id = null')
    await hangUps.start()
    await office.db.exec(
      "insert into call_desk.call_requests (phone, slug, body_hash, state, platform_call_id, control_url, sent_at, hang_up_at) values ('+14155552672', 'acme', 'x', 'ringing', 'call-2', null, now(), now())",
    )
    await expect.poll(() => lines.join('')).toContain('could not be hung up')
    expect(commanded()).toEqual([])
    await office.db.query("update call_desk.call_requests set platform_call_id = 'call-1' where id = $1", [
      id,
    ])
    await expect.poll(commanded).toEqual([endCall])
  })

  it('is given up when it must be over by its longest duration', async () => {
    const id = await placed()
    await toEnd(id, ", max_seconds = 60, sent_at = now() - interval '121 seconds'")
    await hangUps.start()
    await office.becomes(id, { hang_up_at: null })
    expect(commanded()).toEqual([])
  })

  it('goes to one of two processes', async () => {
    const id = await placed()
    const other = new HangUps({
      db: office.db,
      platform: new PlatformClient({ token: 'private-key', baseUrl: office.platform.url }),
      gate: { maxSeconds: 180 },
      timings: { ...DEFAULT_TIMINGS, pollMs: 20 },
      logger: pino({ level: 'silent' }),
    })
    await toEnd(id)
    await Promise.all([hangUps.start(), other.start()])
    await expect.poll(commanded).toEqual([endCall])
    await other.close()
    await hangUps.close()
    expect(commanded()).toEqual([endCall])
  })
})

async function hangUpIn(id: string, least: number, most: number): Promise<number> {
  let inMs = 0
  await expect
    .poll(async () => {
      const { rows } = await office.db.query<{ ms: number }>(
        'select (extract(epoch from hang_up_at - now()) * 1000)::float8 as ms from call_desk.call_requests where id = $1',
        [id],
      )
      inMs = rows[0]?.ms ?? 0
      return inMs > least && inMs <= most
    })
    .toBe(true)
  return inMs
}

describe('an address elsewhere', () => {
  /** What came there. */
  const came: { authorization: string | undefined; body: string }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    came.push({ authorization: request.headers.authorization, body })
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
  beforeEach(async () => {
    came.length = 0
    status = 200
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const elsewhere = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`

  it('is told without our key', async () => {
    const id = await placed()
    await toEnd(id, `, control_url = '${elsewhere()}'`)
    await hangUps.start()
    await expect.poll(() => came).toEqual([{ authorization: undefined, body: '{"type":"end-call"}' }])
    await expect.poll(() => lines.join('')).toContain('call is hung up')
  })

  it('is not followed to another', async () => {
    status = 307
    const id = await placed()
    await toEnd(id, `, control_url = '${elsewhere()}'`)
    await hangUps.start()
    await expect.poll(() => lines.join('')).toContain('EndCallError control_307')
    expect(came).toHaveLength(1)
    expect(lines.join('')).not.toContain('secret-path')
  })

  it.each([
    'http://control.example/call-1',
    'http://127.0.0.1.example/call-1',
    'wss://control.example/call-1',
    'https://user:secret@control.example/call-1',
  ])('%s is no address to send to', async (url) => {
    const id = await placed()
    await toEnd(id, `, control_url = '${url}'`)
    await hangUps.start()
    await expect.poll(() => lines.join('')).toContain('EndCallError control_url_refused')
  })

  it('does not get our key by a redirect of the platform', async () => {
    const id = await placed()
    const redirecting = createServer((_request, response) => {
      response.writeHead(307, { location: elsewhere() }).end()
    }).listen(0, '127.0.0.1')
    await once(redirecting, 'listening')
    const base = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
    const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    const platform = new PlatformClient({ token: 'private-key', baseUrl: base, retries: 0 })
    const timings = { ...DEFAULT_TIMINGS, pollMs: 20 }
    const other = new HangUps({ db: office.db, platform, gate: { maxSeconds: 180 }, timings, logger })
    await toEnd(id, `, control_url = '${base}/call/call-1/control'`)
    await other.start()
    await expect.poll(() => lines.join('')).toContain('PlatformError invalid_response')
    expect(came).toEqual([])
    await other.close()
    redirecting.closeAllConnections()
    redirecting.close()
  })

  it.each(['@127.0.0.1', '.example'])(
    'does not get our key by a host that begins like the platform’s (%s)',
    async (rest) => {
      const id = await placed()
      const keys: string[] = []
      const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_input, init) => {
        keys.push(new Headers(init?.headers).get('authorization') ?? 'none')
        return new Response()
      })
      const platform = new PlatformClient({
        token: 'private-key',
        baseUrl: 'https://platform.example',
        retries: 0,
        fetch,
      })
      const send = sendEndCall(
        platform,
        `https://platform.example${rest}/call/${id}`,
        AbortSignal.timeout(5000),
      )
      await send.catch(() => {})
      fetch.mockRestore()
      expect(keys).not.toContain('Bearer private-key')
    },
  )

  it('does not get our key by a path that leads out of the platform', async () => {
    const id = await placed()
    const base = `${elsewhere()}/platform`
    const platform = new PlatformClient({ token: 'private-key', baseUrl: base })
    const other = new HangUps({
      db: office.db,
      platform,
      gate: { maxSeconds: 180 },
      timings: { ...DEFAULT_TIMINGS, pollMs: 20 },
      logger: pino({ level: 'silent' }),
    })
    await toEnd(id, `, control_url = '${base}/../other'`)
    await other.start()
    await expect.poll(() => came).toEqual([{ authorization: undefined, body: '{"type":"end-call"}' }])
    await other.close()
  })
})
