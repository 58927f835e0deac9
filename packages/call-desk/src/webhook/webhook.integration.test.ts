import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CALL_ERRORS, type FindVisitor } from '../index.js'
import { callRequest, deskOf, openDeskDb } from '../testing/desk.js'
import { ADDRESS_HEADER, addressOf } from '../testing/gate-desk.js'

/** Nobody listens there: the webhook makes no call to the platform. */
const nowhere = 'http://127.0.0.1:1'
const phone = '+14155552671'
const body = { phone, slug: 'acme' }

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => db.exec('delete from call_desk.call_requests'))

const post = async (request: Request, desk = deskOf(db, nowhere)) => {
  const response = await desk.webhook(request)
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const rows = async () => (await db.query('select * from call_desk.call_requests order by created_at')).rows
const end = () => db.exec("update call_desk.call_requests set state = 'ended' where state <> 'refused'")

describe('a good request', () => {
  it('is stored and answered with its id', async () => {
    const answer = await post(callRequest({ phone: '+1 (415) 555-2671', slug: 'ACME' }))
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await rows()).toMatchObject([
      { id: answer.body.id, phone, slug: 'acme', state: 'queued', attempts: 0 },
    ])
  })

  it('may name a charset with its media type', async () => {
    const request = callRequest(body, { 'content-type': 'Application/JSON; charset=utf-8' })
    expect((await post(request)).status).toBe(202)
  })

  it('tells the workers', async () => {
    const heard: string[] = []
    const unlisten = await db.listen('call_desk_requests', (payload) => heard.push(payload))
    const { body: answer } = await post(callRequest(body))
    await expect.poll(() => heard).toEqual([answer.id])
    await unlisten()
  })
})

describe('a bad request', () => {
  const cases: [name: string, request: () => Request, status: number, code: string][] = [
    ['no JSON', () => callRequest('{"phone":'), 400, 'invalid_json'],
    ['an array', () => callRequest([]), 400, 'invalid_json'],
    ['null', () => callRequest('null'), 400, 'invalid_json'],
    ['no slug', () => callRequest({ phone }), 400, 'invalid_json'],
    ['a number for a text', () => callRequest({ phone: 14155552671, slug: 'acme' }), 400, 'invalid_json'],
    ['one property more', () => callRequest({ ...body, force: true }), 400, 'invalid_json'],
    ['an empty phone', () => callRequest({ phone: '', slug: 'acme' }), 400, 'invalid_phone'],
    ['an extension', () => callRequest({ phone: `${phone};ext=1`, slug: 'acme' }), 400, 'invalid_phone'],
    ['an unknown visitor', () => callRequest({ phone, slug: 'nobody' }), 404, 'visitor_not_found'],
    ['an empty slug', () => callRequest({ phone, slug: '' }), 404, 'visitor_not_found'],
    ['half a character in the slug', () => callRequest({ phone, slug: '\ud800' }), 404, 'visitor_not_found'],
    ['a NUL in the slug', () => callRequest({ phone, slug: 'ac\0me' }), 404, 'visitor_not_found'],
    ['a long body', () => callRequest({ phone, slug: 'a'.repeat(16_384) }), 413, 'too_large'],
    [
      'another media type',
      () => callRequest(body, { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    ],
    ['GET', () => new Request('http://localhost/'), 405, 'method_not_allowed'],
  ]

  it.each(cases)('with %s', async (_, request, status, code) => {
    const answer = await post(request())
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ code, message: expect.any(String) })
    expect(await rows()).toEqual([])
  })

  it('says which methods it takes', async () => {
    const answer = await post(new Request('http://localhost/', { method: 'PUT', body: '{}' }))
    expect(answer.headers.get('allow')).toBe('POST')
  })

  it('that is not UTF-8 is no JSON', async () => {
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    })
    expect(await post(request)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
  })

  it('is cut off while it is read when it has no length', async () => {
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++
        controller.enqueue(new Uint8Array(8192).fill(0x20))
      },
    })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    }
    expect((await post(new Request('http://localhost/', init as RequestInit))).status).toBe(413)
    expect(sent).toBeLessThan(10)
  })

  it('of ours is told apart from a lookup that failed', async () => {
    const desk = deskOf(db, nowhere, { findVisitor: () => Promise.reject(new Error('backend down')) })
    expect(await post(callRequest(body), desk)).toMatchObject({
      status: 503,
      body: { code: 'lookup_failed' },
    })
    expect(await rows()).toEqual([])
  })

  it('does not wait for a lookup that never ends, and calls it off', async () => {
    const signals: AbortSignal[] = []
    const findVisitor: FindVisitor = (_, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const desk = deskOf(db, nowhere, { findVisitor, timings: { lookupMs: 30 } })
    expect(await post(callRequest(body), desk)).toMatchObject({
      status: 503,
      body: { code: 'lookup_failed' },
    })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('is answered when the desk closes during its lookup', async () => {
    const desk = deskOf(db, nowhere, { findVisitor: () => new Promise(() => {}) })
    const answer = post(callRequest(body), desk)
    await new Promise((resolve) => setImmediate(resolve))
    await desk.close()
    expect(await answer).toMatchObject({ status: 503, body: { code: 'lookup_failed' } })
  })

  it('is answered 503 at once where too many wait already, and is not stored', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let begun = 0
    const slow: Db = {
      ...db,
      async transaction() {
        begun++
        await released
        throw new Error('no database')
      },
    }
    const desk = deskOf(slow, nowhere)
    const done: number[] = []
    const all = Array.from({ length: 505 }, async (_, place) => {
      const answer = await post(callRequest({ phone: `+1415555${2000 + place}`, slug: 'acme' }), desk)
      done.push(answer.status)
      return answer
    })
    await expect.poll(() => done, { timeout: 4000 }).toEqual([503, 503, 503])
    expect(begun).toBe(2)
    expect((await Promise.all(all.slice(-3))).map(({ body: { code } }) => code)).toEqual(
      Array(3).fill('unavailable'),
    )
    release()
    await Promise.all(all)
    expect(begun).toBe(502)
  })

  it('does not tell what the database said', async () => {
    const broken: Db = { ...db, transaction: () => Promise.reject(new Error(`phone ${phone}`)) }
    const answer = await post(callRequest(body), deskOf(broken, nowhere))
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: CALL_ERRORS.unavailable.message },
    })
  })
})

describe('a request of another network', () => {
  it.each([
    ['waits for one of a flood', '20.9.1', 1],
    ['waits for all of this machine: they may be anybody, and came first', '127.0.0', 24],
  ])('%s', async (_, network, before) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held: Db = {
      ...db,
      async transaction(work) {
        await released
        return await db.transaction(work)
      },
    }
    const desk = deskOf(held, nowhere, { addressOf })
    const askFrom = (address: string, number: string) =>
      post(callRequest({ phone: number, slug: 'acme' }, { [ADDRESS_HEADER]: address }), desk)
    const flood = Array.from({ length: 24 }, (_, place) =>
      askFrom(`${network}.${1 + (place % 8)}`, `+1415555${2000 + place}`),
    )
    const other = askFrom('203.0.113.1', phone)
    release()
    const answers = await Promise.all([...flood, other])
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(202))
    expect((await rows()).findIndex(({ phone: called }) => called === phone)).toBe(before)
  })
})

describe('an idempotency key', () => {
  const keyed = (key: string, changes = {}) =>
    callRequest({ ...body, ...changes }, { 'idempotency-key': key })

  it('gives the first id again, also after the call', async () => {
    const first = await post(keyed('k-1'))
    await end()
    expect(await post(keyed('k-1'))).toMatchObject({
      status: 202,
      body: { id: first.body.id, status: 'ended' },
    })
    expect(await rows()).toHaveLength(1)
  })

  it('sees the same number in another spelling as the same body', async () => {
    const first = await post(keyed('k-1'))
    expect((await post(keyed('k-1', { phone: '+1 415 555 2671' }))).body.id).toBe(first.body.id)
  })

  it('is refused with another body', async () => {
    await post(keyed('k-1'))
    expect(await post(keyed('k-1', { phone: '+442079460958' }))).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    })
    expect(await rows()).toHaveLength(1)
  })

  it('is in flight while its first request is looked up', async () => {
    const found: ((visitor: { slug: string }) => void)[] = []
    const desk = deskOf(db, nowhere, { findVisitor: () => new Promise((resolve) => found.push(resolve)) })
    const first = post(keyed('k-1'), desk)
    await expect.poll(() => found).toHaveLength(1)
    expect(await post(keyed('k-1'), desk)).toMatchObject({ status: 409, body: { code: 'in_flight' } })
    found[0]?.({ slug: 'acme' })
    expect((await first).status).toBe(202)
  })

  it('is forgotten after 24 hours', async () => {
    const first = await post(keyed('k-1'))
    await end()
    const age = (time: string) =>
      db.query('update call_desk.call_requests set created_at = now() - $1::interval', [time])
    await age('23 hours 59 minutes')
    expect((await post(keyed('k-1'))).body.id).toBe(first.body.id)
    expect((await post(keyed('k-1', { phone: '+442079460958' }))).status).toBe(422)
    await age('24 hours')
    const second = await post(keyed('k-1'))
    expect(second).toMatchObject({ status: 202, body: { status: 'queued' } })
    expect(second.body.id).not.toBe(first.body.id)
    expect((await post(keyed('k-1'))).body.id).toBe(second.body.id)
  })

  it('of its own does not share a call that is in flight to the number', async () => {
    await post(keyed('k-1'))
    expect(await post(keyed('k-2'))).toMatchObject({ status: 409, body: { code: 'in_flight' } })
    expect(await post(keyed('k-2'))).toMatchObject({ status: 409, body: { code: 'in_flight' } })
    await end()
    expect((await post(keyed('k-2'))).status).toBe(202)
  })

  it('is not stored itself', async () => {
    await post(keyed('k-secret'))
    expect(JSON.stringify(await rows())).not.toContain('k-secret')
  })
})

describe('a number', () => {
  const states = async () => (await rows()).map(({ state, refusal }) => refusal ?? state).sort()

  it('has one call in flight, however many ask at once on its page, each under an id of its own', async () => {
    const desk = deskOf(db, nowhere)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(callRequest(body), desk)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(20)
    expect(await states()).toEqual(['queued', ...Array(19).fill('repeated')])
  })

  it('tells the same page nothing of its call: the answer is that of a request that is taken', async () => {
    const first = await post(callRequest(body))
    await db.exec("update call_desk.call_requests set state = 'in-progress'")
    const second = await post(callRequest({ phone, slug: 'ACME' }))
    expect(second).toMatchObject({ status: 202, body: { status: 'queued' } })
    expect(second.body.id).not.toBe(first.body.id)
    expect(await states()).toEqual(['in-progress', 'repeated'])
  })

  it('is in flight to the page of another visitor, which is promised no call', async () => {
    const desk = deskOf(db, nowhere, { findVisitor: async (slug) => ({ slug }) })
    await post(callRequest(body), desk)
    expect(await post(callRequest({ phone, slug: 'other' }), desk)).toMatchObject({
      status: 409,
      body: { code: 'in_flight', message: CALL_ERRORS.in_flight.message },
    })
    expect(await states()).toEqual(['in_flight', 'queued'])
    await end()
    expect((await post(callRequest({ phone, slug: 'other' }), desk)).status).toBe(202)
  })

  it('in flight is no door to more calls: what is asked for meanwhile is never placed', async () => {
    await post(callRequest(body))
    for (let place = 0; place < 5; place++) await post(callRequest(body))
    await end()
    expect(await states()).toEqual(['ended', ...Array(5).fill('repeated')])
  })

  it('may be called again when its call is over', async () => {
    const first = await post(callRequest(body))
    await end()
    expect((await post(callRequest(body))).body.id).not.toBe(first.body.id)
  })
})

describe('the log', () => {
  it('holds no number', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    const broken: Db = {
      ...db,
      transaction: () => Promise.reject(new Error(`Key (phone)=(${phone}) exists`)),
    }
    await post(callRequest(body), deskOf(db, nowhere, { logger }))
    await post(callRequest(body), deskOf(broken, nowhere, { logger }))
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain('4155552671')
  })
})
