import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { requestCall, rowOf } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'
import { json, startPlatformStandIn } from '../testing/platform-stand-in.js'

const office = useOffice()

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

  it('is tried again also after the promise where the platform’s own database is away', async () => {
    office.platform.answer = (_, response) =>
      json(
        response,
        429,
        { message: 'The database cannot be used now.', code: 'outage' },
        { 'retry-after': '20' },
      )
    const id = await requestCall(await office.startedDesk())
    const last_error = 'platform_429_outage: The database cannot be used now.'
    await office.becomes(id, { state: 'dialling', attempts: 1, sent_at: null, last_error })
    office.platform.answer = (place, response) => json(response, 201, place())
    await office.db.exec('update call_desk.call_requests set run_at = now()')
    await office.becomes(id, { attempts: 2, platform_call_id: 'call-1', last_error: null })
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
