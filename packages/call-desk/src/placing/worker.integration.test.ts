import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { describe, expect, it, vi } from 'vitest'
import { DISCLOSURE, requestCall, rowOf } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'
import { json, type PlaceAnswer } from '../testing/platform-stand-in.js'

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
          firstMessage: `${DISCLOSURE} Hello Acme!`,
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
    // Each has an id of its own, which tells nothing of the call that is made.
    expect(new Set(ids).size).toBe(20)
    await expect.poll(() => office.platform.dialled.length).toBe(1)
    const { rows } = await office.db.query<{ state: string; refusal: string | null }>(
      'select state, refusal from call_desk.call_requests',
    )
    expect(rows.filter(({ refusal }) => refusal === 'repeated')).toHaveLength(19)
    expect(rows.filter(({ state }) => state !== 'refused')).toHaveLength(1)
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

  it('leaves the queue to others while it has no room, and takes from it once it has', async () => {
    let hasRoom = false
    const full = await office.startedDesk({ hasRoom: () => hasRoom, timings: { pollMs: 20 } })
    const asked = await requestCall(full)
    const looks = vi.spyOn(office.db, 'query')
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(2)
    looks.mockRestore()
    expect(await rowOf(office.db, asked)).toMatchObject({ state: 'queued', attempts: 0, claim: null })
    hasRoom = true
    await office.becomes(asked, { platform_call_id: 'call-1' })
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
