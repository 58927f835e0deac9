import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { callRequest, requestCall, rowOf } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'
import { json } from '../testing/platform-stand-in.js'

const office = useOffice()
const WORDS = 'The Twilio account may not call the country of this number.'
const body = { phone: '+14155552671', slug: 'acme' }

const refusing = () => {
  office.platform.answer = (_, response) => json(response, 400, { message: WORDS, error: 'Bad Request' })
}

describe('a call that is refused at once', () => {
  it('is told to the page while its request is open, and never placed again', async () => {
    refusing()
    const desk = await office.startedDesk({ tellsWithinMs: 5000 })
    const response = await desk.webhook(callRequest(body))
    expect([response.status, await response.json()]).toEqual([
      502,
      { code: 'call_failed', message: 'The call could not be placed.' },
    ])
    expect(office.platform.dialled).toHaveLength(1)
    const { rows } = await office.db.query('select state, last_error, attempts from call_desk.call_requests')
    expect(rows).toEqual([{ state: 'failed', last_error: `platform_400_bad_request: ${WORDS}`, attempts: 1 }])
  })

  it('is told again where the same request comes again', async () => {
    refusing()
    const desk = await office.startedDesk({ tellsWithinMs: 5000 })
    const ask = () => desk.webhook(callRequest(body, { 'idempotency-key': 'one' }))
    expect([(await ask()).status, (await ask()).status]).toEqual([502, 502])
    expect(office.platform.dialled).toHaveLength(1)
  })

  it('is not waited for where the desk does not want to', async () => {
    refusing()
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, { state: 'failed' })
  })
})

it('a call that the platform takes is told at once, too', async () => {
  const desk = await office.startedDesk({ tellsWithinMs: 60_000 })
  const began = performance.now()
  const id = await requestCall(desk)
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(await rowOf(office.db, id)).toMatchObject({ platform_call_id: 'call-1' })
})

it('a platform that says nothing is waited for no longer than that', async () => {
  const asked: ServerResponse[] = []
  office.platform.answer = (_, response) => void asked.push(response)
  const id = await requestCall(await office.startedDesk({ tellsWithinMs: 300 }))
  expect(await rowOf(office.db, id)).toMatchObject({ state: 'dialling', platform_call_id: null })
  // The desk would wait for its answer before it closes.
  for (const response of asked) response.destroy()
})

it('a second press while the phone rings is told the same as the first', async () => {
  const desk = await office.startedDesk({ tellsWithinMs: 60_000 })
  const ask = async () => (await desk.webhook(callRequest(body))).status
  expect([await ask(), await ask()]).toEqual([202, 202])
  expect(office.platform.dialled).toHaveLength(1)
})

it('a refused call of which the platform has told already keeps why', async () => {
  office.platform.answer = async (_, response) => {
    await office.db.exec(
      "update call_desk.call_requests set state = 'ended', ended_at = now(), outcome = 'caller_config', platform_call_id = 'call-9'",
    )
    json(response, 400, { message: WORDS, error: 'Bad Request' })
  }
  const desk = await office.startedDesk({ tellsWithinMs: 5000 })
  expect((await desk.webhook(callRequest(body))).status).toBe(502)
  await expect
    .poll(async () => (await office.db.query('select state, last_error from call_desk.call_requests')).rows)
    .toEqual([{ state: 'ended', last_error: `platform_400_bad_request: ${WORDS}` }])
})
