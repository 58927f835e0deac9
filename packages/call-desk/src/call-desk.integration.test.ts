import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { callRequest, deskOf, hookRequest, requestCall, rowOf } from './testing/desk.js'
import { useOffice } from './testing/office.js'
import { json } from './testing/platform-stand-in.js'
import { reservedWeb } from './testing/web-desk.js'

const office = useOffice()

describe('stopping', () => {
  it('lets a placement in progress finish, and stores it', async () => {
    let answerNow = () => {}
    office.platform.answer = (place, response) => {
      answerNow = () => json(response, 201, place())
    }
    const made = await office.startedDesk()
    const id = await requestCall(made)
    await expect.poll(() => office.platform.dialled.length).toBe(1)
    const closing = made.close()
    answerNow()
    await closing
    expect(await rowOf(office.db, id)).toMatchObject({ platform_call_id: 'call-1' })
  })

  it('gives back what was not sent yet', async () => {
    const lookups: ((visitor: { slug: string }) => void)[] = []
    const id = await requestCall(office.desk())
    const made = await office.startedDesk({
      findVisitor: () => new Promise((resolve) => lookups.push(resolve)),
    })
    await expect.poll(() => lookups.length).toBe(1)
    const closing = made.close()
    lookups[0]?.({ slug: 'acme' })
    await closing
    expect(office.platform.dialled).toHaveLength(0)
    expect(await rowOf(office.db, id)).toMatchObject({ state: 'queued', lease_until: null })
  })

  it('keeps queued requests for the next start', async () => {
    const before = office.desk()
    const ids = [await requestCall(before), await requestCall(before, '+442079460958')]
    await before.close()
    expect(office.platform.dialled).toHaveLength(0)
    await office.startedDesk()
    for (const id of ids)
      await office.becomes(id, { state: 'dialling', platform_call_id: expect.any(String) })
    expect(office.platform.dialled).toHaveLength(2)
  })

  it('for long lets a request go by: nobody is phoned out of the blue', async () => {
    const id = await requestCall(office.desk())
    await office.db.exec("update call_desk.call_requests set created_at = now() - interval '6 minutes'")
    await office.startedDesk()
    await office.becomes(id, { state: 'failed', last_error: 'expired: nothing was dialled in time' })
    expect(office.platform.dialled).toHaveLength(0)
  })
})

describe('a desk for browser calls alone', () => {
  it('takes no phone calls, and dials none that wait', async () => {
    const waiting = await requestCall(office.desk())
    const desk = await office.startedDesk({ phoneCalls: false })
    const answer = await desk.webhook(callRequest({ phone: '+442079460958', slug: 'acme' }))
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'desk_off' }])
    // A browser call goes its way meanwhile, so the desk is at work.
    const call = await reservedWeb(desk)
    await call.started('web-1')
    await desk.hook(
      hookRequest({
        type: 'end-of-call-report',
        call: { id: 'web-1' },
        endedReason: 'customer-ended-call',
        endedAt: new Date().toISOString(),
      }),
    )
    await office.becomes(call.id, { state: 'ended' })
    expect(office.platform.dialled).toEqual([])
    expect(await rowOf(office.db, waiting)).toMatchObject({ state: 'queued', attempts: 0 })
  })
})

describe('the log', () => {
  it('tells each step, and neither number nor prompt', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    office.platform.answer = (_, response) =>
      json(response, 400, { message: '+14155552671: You answer for Acme.' })
    const made = await office.startedDesk({ logger })
    const id = await requestCall(made)
    await office.becomes(id, { state: 'failed' })
    const log = lines.join('')
    expect(log).toContain(id)
    expect(log).toContain('platform_400')
    expect(log).not.toMatch(/4155552671|You answer/)
  })
})

describe('the options', () => {
  it('need a hook secret', () => {
    expect(() => deskOf(office.db, office.platform.url, { hookSecrets: [''] })).toThrow('hookSecrets')
  })

  it('need no caller id', async () => {
    const made = await office.startedDesk({ phoneNumberId: undefined })
    expect((await made.webhook(callRequest({ phone: '+14155552671', slug: 'acme' }))).status).toBe(202)
    await expect.poll(() => office.platform.dialled).toMatchObject([{ assistantId: 'assistant-1' }])
    expect(office.platform.dialled[0]).not.toHaveProperty('phoneNumberId')
  })
})
