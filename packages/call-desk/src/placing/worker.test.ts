import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { disclosure, requestCall, rowOf } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'
import { json, type PlaceAnswer, startPlatformStandIn } from '../testing/platform-stand-in.js'

const office = useOffice()

describe('placing', () => {
  it('asks the platform once, with what the visitor needs', async () => {
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, {
      state: 'dialling',
      platform_call_id: 'call-1',
      attempts: 1,
      dialling_at: expect.any(Date),
    })
    expect(office.platform.dialled).toEqual([
      {
        assistantId: 'assistant-1',
        assistantOverrides: {
          firstMessage: `${disclosure} Hello Acme!`,
          firstMessageMode: 'assistant-speaks-first',
          firstMessageInterruptionsEnabled: false,
          model: {
            provider: 'openai',
            model: 'gpt-4o-mini',
            emotionRecognitionEnabled: true,
            maxTokens: 250,
            messages: [{ role: 'system', content: 'You answer for Acme.' }],
          },
          maxDurationSeconds: 180,
          silenceTimeoutSeconds: 15,
          artifactPlan: { recordingEnabled: false, pcapEnabled: false },
          voicemailDetection: { provider: 'vapi' },
          voicemailMessage: '',
          monitorPlan: { controlEnabled: true, controlAuthenticationEnabled: false, listenEnabled: false },
          transportConfigurations: [{ provider: 'twilio', timeout: 30, record: false }],
          serverMessages: ['status-update', 'end-of-call-report', 'transcript[transcriptType="final"]'],
        },
        customer: { number: '+14155552671' },
        phoneNumberId: 'number-1',
        name: id,
      },
    ])
  })

  it('dials once for 20 requests at once', async () => {
    const made = await office.startedDesk()
    const ids = await Promise.all(Array.from({ length: 20 }, () => requestCall(made)))
    expect(new Set(ids).size).toBe(1)
    await office.becomes(ids[0] ?? '', { platform_call_id: 'call-1' })
    expect(office.platform.dialled).toHaveLength(1)
  })

  it('shares a burst between workers, and dials each number once', async () => {
    const made = await office.startedDesk()
    await office.startedDesk()
    const phones = Array.from({ length: 30 }, (_, index) => `+1415555${2000 + index}`)
    await Promise.all(phones.map((phone) => requestCall(made, phone)))
    await expect.poll(() => office.platform.dialled.length, { timeout: 5000 }).toBe(30)
    expect(office.platform.dialled.map((body) => body.customer.number).sort()).toEqual(phones)
  })

  it('is woken by the request, without waiting for the poll', async () => {
    const made = await office.startedDesk({ timings: { pollMs: 60_000 } })
    await office.becomes(await requestCall(made), { platform_call_id: 'call-1' })
  })

  it('works by the poll alone', async () => {
    const deaf: Db = { ...office.db, listen: async () => async () => {} }
    const made = await office.startedDesk({ db: deaf })
    await office.becomes(await requestCall(made), { platform_call_id: 'call-1' })
  })

  it('reads the visitor again, and gives up when there is none any more', async () => {
    const id = await requestCall(office.desk())
    await office.startedDesk({ findVisitor: async () => null })
    await office.becomes(id, {
      state: 'failed',
      last_error: expect.stringMatching(/^visitor_not_found/),
      failed_at: expect.any(Date),
    })
    expect(office.platform.dialled).toHaveLength(0)
  })

  it('waits for a visitor that cannot be read now', async () => {
    let reads = 0
    const made = await office.startedDesk({
      findVisitor: async () => {
        if (++reads === 2) throw new Error('backend down')
        return { slug: 'acme' }
      },
    })
    const id = await requestCall(made)
    await office.becomes(id, {
      state: 'queued',
      last_error: expect.stringMatching(/^lookup_failed/),
      attempts: 0,
    })
    await office.db.exec('update call_desk.call_requests set run_at = now()')
    await office.becomes(id, { platform_call_id: 'call-1', last_error: null, attempts: 1 })
  })
})

describe('a backend that does not answer', () => {
  it('keeps nobody from being called once it is well again', async () => {
    let hangs = true
    const calledOff: boolean[] = []
    const phones = Array.from({ length: 12 }, (_, index) => `+1415555${2000 + index}`)
    for (const phone of phones) await requestCall(office.desk(), phone)
    await office.startedDesk({
      findVisitor: (_, signal) => {
        if (!hangs) return Promise.resolve({ slug: 'acme' })
        signal.addEventListener('abort', () => calledOff.push(true))
        return new Promise(() => {})
      },
      timings: { lookupMs: 50 },
    })
    await expect.poll(() => calledOff.length, { timeout: 5000 }).toBeGreaterThanOrEqual(12)
    hangs = false
    await office.db.exec('update call_desk.call_requests set run_at = now()')
    await expect.poll(() => office.platform.dialled.length, { timeout: 5000 }).toBe(12)
    expect(office.platform.dialled.map((body) => body.customer.number).sort()).toEqual(phones)
  })

  it('does not hold the desk up when it closes', async () => {
    const id = await requestCall(office.desk())
    let asked = 0
    const made = await office.startedDesk({
      findVisitor: () => {
        asked++
        return new Promise(() => {})
      },
    })
    await expect.poll(() => asked).toBe(1)
    await made.close()
    expect(await rowOf(office.db, id)).toMatchObject({ state: 'queued', lease_until: null, last_error: null })
  })
})

describe('a definite refusal', () => {
  it('is tried again, then placed', async () => {
    office.platform.answer = (place, response, count) =>
      count < 3
        ? json(response, 429, { message: 'Too many', error: 'Rate Limited' })
        : json(response, 201, place())
    const id = await requestCall(await office.startedDesk())
    for (const attempts of [1, 2]) {
      await office.becomes(id, {
        state: 'dialling',
        attempts,
        sent_at: null,
        last_error: 'platform_429_rate_limited: Too many',
      })
      await office.db.exec('update call_desk.call_requests set run_at = now()')
    }
    await office.becomes(id, { state: 'dialling', attempts: 3, platform_call_id: 'call-1', last_error: null })
    expect(office.platform.dialled).toHaveLength(3)
  })

  it('waits as long as the platform asks', async () => {
    office.platform.answer = (_, response) => json(response, 429, {}, { 'retry-after': '9' })
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, { attempts: 1, sent_at: null })
    const { run_at, created_at } = await rowOf(office.db, id)
    expect(Number(run_at) - Number(created_at)).toBeGreaterThan(8900)
  })

  it('fails when the next try would break the promise', async () => {
    office.platform.answer = (_, response) =>
      json(response, 429, { message: 'Too many' }, { 'retry-after': '20' })
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, { state: 'failed', attempts: 1, last_error: 'platform_429_http_429: Too many' })
    expect(office.platform.dialled).toHaveLength(1)
  })

  it('fails also when the platform asks for more time than there is', async () => {
    office.platform.answer = (_, response) => json(response, 429, {}, { 'retry-after': '1e15' })
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, { state: 'failed', attempts: 1, sent_at: null })
  })

  it('for good fails at once, and its reason names no number', async () => {
    const message = ['+14155552671 is not callable', 'nor is 1 (415) 555-2671', 'nor 415.555.26 71']
    office.platform.answer = (_, response) => json(response, 400, { message, error: 'Bad Request' })
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, {
      state: 'failed',
      attempts: 1,
      last_error: 'platform_400_bad_request: [number] is not callable; nor is [number]; nor [number]',
    })
    expect(office.platform.dialled).toHaveLength(1)
  })

  it('is one too where the platform says what no database can store', async () => {
    office.platform.answer = (_, response) =>
      json(response, 400, { message: `No:\0 \ud83d`, error: 'Bad Request' })
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, { state: 'failed', last_error: expect.stringMatching(/^platform_400\w*: No:/) })
  })

  it('does not bring the visitor’s texts into the record, nor what the platform gives as a code into the log', async () => {
    office.platform.answer = (_, response) =>
      json(response, 400, { message: 'messages.0: "You answer for  Acme." is bad', code: 'call_14155552671' })
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    const id = await requestCall(await office.startedDesk({ logger }))
    await office.becomes(id, {
      state: 'failed',
      last_error: 'platform_400: the platform’s words are left out',
    })
    await expect.poll(() => lines.join('')).toContain('"reason":"platform_400"')
    expect(lines.join('')).not.toContain('4155552671')
  })

  it('is a platform that nobody reaches', async () => {
    await office.platform[Symbol.asyncDispose]()
    const made = await office.startedDesk()
    await office.becomes(await requestCall(made), {
      state: 'dialling',
      sent_at: null,
      last_error: expect.stringMatching(/^platform_unreachable/),
    })
    office.platform = await startPlatformStandIn()
  })

  it('leaves the number free', async () => {
    office.platform.answer = (_, response) => json(response, 403, {})
    const made = await office.startedDesk()
    const id = await requestCall(made)
    await office.becomes(id, { state: 'failed' })
    expect(await requestCall(made)).not.toBe(id)
  })
})

describe('an open outcome', () => {
  const answers: [name: string, answer: PlaceAnswer][] = [
    ['a cut connection', (_, response) => response.destroy()],
    [
      'a 503 that names a time',
      (_, response) => json(response, 503, { message: 'Later' }, { 'retry-after': '1' }),
    ],
    ['a 500', (_, response) => json(response, 500, { message: 'Oops' })],
    ['an answer that is no call', (_, response) => json(response, 201, { ok: true })],
  ]

  it.each(answers)('after %s is unknown, and never dialled again', async (_, answer) => {
    office.platform.answer = answer
    const made = await office.startedDesk()
    const id = await requestCall(made)
    await office.becomes(id, { state: 'unknown', unknown_at: expect.any(Date), platform_call_id: null })
    await office.db.exec(
      "update call_desk.call_requests set run_at = now(), lease_until = now() - interval '1 hour'",
    )
    office.platform.answer = (place, response) => json(response, 201, place())
    await office.becomes(await requestCall(made, '+442079460958'), { platform_call_id: 'call-1' })
    expect(await rowOf(office.db, id)).toMatchObject({ state: 'unknown', attempts: 1 })
    expect(office.platform.dialled.map((body) => body.customer.number)).toEqual([
      '+14155552671',
      '+442079460958',
    ])
  })

  it('after a time without answer is unknown', async () => {
    office.platform.answer = () => {}
    const id = await requestCall(await office.startedDesk({ timings: { placeTimeoutMs: 50 } }))
    await office.becomes(id, { state: 'unknown', last_error: 'platform_no_answer: TimeoutError' })
  })

  it('of a worker that went away while dialling is unknown, also for those that come after', async () => {
    const held: ServerResponse[] = []
    office.platform.answer = (_, response) => held.push(response)
    const id = await requestCall(await office.startedDesk())
    await expect.poll(() => held.length).toBe(1)
    await office.expireLeases()
    await office.startedDesk()
    await office.becomes(id, { state: 'unknown', last_error: expect.stringMatching(/^worker_lost/) })
    office.platform.answer = (place, response) => json(response, 201, place())
    await office.becomes(await requestCall(await office.startedDesk(), '+442079460958'), {
      platform_call_id: 'call-1',
    })
    expect(office.platform.dialled.filter((body) => body.name === id)).toHaveLength(1)
    for (const response of held) response.destroy()
  })

  it('is closed when the late answer leads to the call', async () => {
    let answerNow = () => {}
    office.platform.answer = (place, response) => {
      answerNow = () => {
        place().status = 'ended'
        json(response, 201, { ...office.platform.calls.get('call-1'), status: 'queued' })
      }
    }
    const id = await requestCall(await office.startedDesk({ timings: { newsMs: 1 } }))
    await expect.poll(() => office.platform.dialled.length).toBe(1)
    await office.expireLeases()
    await office.becomes(id, { state: 'unknown' })
    answerNow()
    await office.becomes(id, { state: 'ended', platform_call_id: 'call-1' })
    expect(office.platform.dialled).toHaveLength(1)
  })
})

describe('a lease that ran out before anything was sent', () => {
  it('frees the request for another worker, and the first one sends nothing', async () => {
    const lookups: ((visitor: { slug: string }) => void)[] = []
    const id = await requestCall(office.desk())
    const slow = await office.startedDesk({
      findVisitor: () => new Promise((resolve) => lookups.push(resolve)),
      timings: { pollMs: 60_000 },
    })
    await expect.poll(() => lookups.length).toBe(1)
    await office.expireLeases()
    await office.startedDesk()
    await office.becomes(id, { platform_call_id: 'call-1', attempts: 1 })
    for (const found of lookups) found({ slug: 'acme' })
    await nextTurn()
    await slow.close()
    expect(await rowOf(office.db, id)).toMatchObject({ state: 'dialling', attempts: 1 })
    expect(office.platform.dialled).toHaveLength(1)
  })
})

describe('a process that stands still between the last look and the dial', () => {
  afterEach(() => vi.restoreAllMocks())

  /** A database after whose last look before the dial one of the clocks has gone on by a minute, once. */
  function stallingDb(clock: Pick<DateConstructor, 'now'> | Performance, meanwhile = async () => {}): Db {
    const real = clock.now.bind(clock)
    let offset = 0
    vi.spyOn(clock, 'now').mockImplementation(() => real() + offset)
    return {
      ...office.db,
      async query(text, ...rest) {
        const result = await office.db.query(text, ...rest)
        if (offset === 0 && text.includes('judged as')) {
          offset = 60_000
          await meanwhile()
        }
        return result
      },
    } as Db
  }

  it.each([
    ['monotonic', performance],
    ['wall', Date],
  ])('sends nothing, and tries again (%s clock)', async (_, clock) => {
    const id = await requestCall(office.desk())
    await office.startedDesk({ db: stallingDb(clock) })
    await office.becomes(id, {
      state: 'dialling',
      sent_at: null,
      last_error: expect.stringMatching(/^stalled/),
    })
    expect(office.platform.dialled).toHaveLength(0)
    await office.db.exec('update call_desk.call_requests set run_at = now()')
    await office.becomes(id, { platform_call_id: 'call-1', attempts: 2 })
    expect(office.platform.dialled).toHaveLength(1)
  })

  it('closes the row that was taken for lost: nothing was sent', async () => {
    const id = await requestCall(office.desk())
    const lost = () =>
      office.db.exec("update call_desk.call_requests set state = 'unknown', unknown_at = now()")
    await office.startedDesk({ db: stallingDb(Date, lost) })
    await office.becomes(id, {
      state: 'failed',
      sent_at: null,
      last_error: expect.stringMatching(/^stalled/),
    })
    expect(office.platform.dialled).toHaveLength(0)
  })

  it('leaves the row that was closed meanwhile', async () => {
    const id = await requestCall(office.desk())
    let closed = false
    const close = async () => {
      await office.db.exec("update call_desk.call_requests set state = 'failed', last_error = 'not_placed'")
      closed = true
    }
    const made = await office.startedDesk({ db: stallingDb(Date, close) })
    await expect.poll(() => closed).toBe(true)
    await made.close()
    expect(await rowOf(office.db, id)).toMatchObject({ state: 'failed', last_error: 'not_placed' })
    expect(office.platform.dialled).toHaveLength(0)
  })
})
