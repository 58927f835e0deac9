import type { Db } from '@heyline/database'
import { type Logger, pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { addNumbers } from '../gate/do-not-call.js'
import { type GateSettings, SIMULATED_GATE } from '../gate/gate-settings.js'
import { pauseCalls, resumeCalls, tripBreaker } from '../gate/switches.js'
import { requestCall } from '../testing/desk.js'
import { useOffice } from '../testing/office.js'
import { json } from '../testing/platform-stand-in.js'

const office = useOffice()
const phone = '+14155552671'

beforeEach(() =>
  office.db.exec(
    `update call_desk.switches set paused_at = null, breaker_at = null, breaker_reason = null;
     delete from call_desk.do_not_call; delete from call_desk.ledger`,
  ),
)

const reserveMoney = (id: string) =>
  office.db.query(
    'insert into call_desk.ledger (request_id, at, reserved) values ($1, now(), 750000) on conflict do nothing',
    [id],
  )

/** A worker whose lookup waits until it is let go: what happens then happens between claim and dial. */
async function slowDesk(
  changes: { mode?: 'full' | 'simulated'; hours?: GateSettings['hours']; logger?: Logger } = {},
) {
  const { mode = 'simulated', hours, ...options } = changes
  let found = () => {}
  const looked = new Promise<void>((resolve) => {
    found = resolve
  })
  let asked = false
  const id = await requestCall(office.desk())
  await reserveMoney(id)
  await office.startedDesk({
    ...options,
    gate: { ...SIMULATED_GATE, mode, hours },
    findVisitor: async () => {
      asked = true
      await looked
      return { slug: 'acme' }
    },
  })
  await expect.poll(() => asked, { timeout: 5000 }).toBe(true)
  return { id, found }
}

async function spent(db: Db, id: string) {
  const { rows } = await db.query<{ spent: number | null }>(
    'select spent from call_desk.ledger where request_id = $1',
    [id],
  )
  return rows[0]?.spent
}

describe('a request that waits', () => {
  it('is refused while calls are paused, and its money given back', async () => {
    const id = await requestCall(office.desk())
    await reserveMoney(id)
    await pauseCalls(office.db)
    await office.startedDesk()
    await office.becomes(id, {
      state: 'refused',
      refusal: 'paused',
      refused_at: expect.any(Date),
      failed_at: null,
    })
    expect(await spent(office.db, id)).toBe(0)
    expect(office.platform.dialled).toHaveLength(0)
  })

  it('is refused at once when a pause is told, without waiting for the poll', async () => {
    const { id } = await slowDesk()
    await office.startedDesk({ timings: { pollMs: 60_000 } })
    await pauseCalls(office.db)
    await office.becomes(id, { state: 'refused', refusal: 'paused' })
  })

  it('stays refused after calls were resumed', async () => {
    const { id, found } = await slowDesk()
    await pauseCalls(office.db)
    await resumeCalls(office.db)
    found()
    await office.becomes(id, { state: 'refused', refusal: 'paused' })
    expect(office.platform.dialled).toHaveLength(0)
  })
})

describe('the last look before the dial', () => {
  const guards: [code: string, guard: (db: Db) => Promise<unknown>][] = [
    // The switch alone: the sweep does not see the row in time.
    ['paused', (db) => db.exec('update call_desk.switches set paused_at = now()')],
    ['breaker_open', (db) => tripBreaker(db, 'failures')],
    ['dnc', (db) => addNumbers(db, [phone], 'command')],
  ]

  it.each(guards)('refuses what became %s since it was stored', async (code, guard) => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    const { id, found } = await slowDesk({ mode: 'full', logger })
    await guard(office.db)
    found()
    await office.becomes(id, {
      state: 'refused',
      refusal: code,
      dialling_at: null,
      sent_at: null,
      attempts: 0,
    })
    expect(await spent(office.db, id)).toBe(0)
    expect(office.platform.dialled).toHaveLength(0)
    await expect.poll(() => lines.join('')).toMatch(new RegExp(`${id}.*"refusal":"${code}"`))
    expect(lines.join('')).not.toContain('4155552671')
  })

  const never = { from: 0, to: 0 }

  it('refuses what has come into the quiet hours since it was stored', async () => {
    const { id, found } = await slowDesk({ mode: 'full', hours: never })
    found()
    await office.becomes(id, { state: 'refused', refusal: 'quiet_hours', sent_at: null, attempts: 0 })
    expect(await spent(office.db, id)).toBe(0)
    expect(office.platform.dialled).toHaveLength(0)
  })

  it('fails a repeated try that has come into the quiet hours', async () => {
    office.platform.answer = (_, response) => json(response, 429, { message: 'Too many' })
    const desk = await office.startedDesk()
    const id = await requestCall(desk)
    await office.becomes(id, { state: 'dialling', attempts: 1, sent_at: null })
    await desk.close()
    await office.startedDesk({ gate: { ...SIMULATED_GATE, mode: 'full', hours: never } })
    await office.db.exec('update call_desk.call_requests set run_at = now()')
    await office.becomes(id, { state: 'failed', refusal: 'quiet_hours', last_error: 'quiet_hours' })
    expect(office.platform.dialled).toHaveLength(1)
  })

  it.each([
    { mode: 'full', hours: { from: 0, to: 24 } },
    { mode: 'simulated', hours: never },
  ] as const)('lets pass what may ring: $mode, $hours', async (gate) => {
    const { id, found } = await slowDesk(gate)
    found()
    await office.becomes(id, { platform_call_id: 'call-1' })
  })

  it('does not heed the breaker on the simulated carrier', async () => {
    const { id, found } = await slowDesk()
    await tripBreaker(office.db, 'failures')
    found()
    await office.becomes(id, { state: 'dialling', platform_call_id: 'call-1' })
  })

  it.each(guards)('fails a repeated try that became %s', async (code, guard) => {
    office.platform.answer = (_, response) => json(response, 429, { message: 'Too many' })
    const desk = await office.startedDesk({ gate: { ...SIMULATED_GATE, mode: 'simulated' } })
    const id = await requestCall(desk)
    await office.becomes(id, { state: 'dialling', attempts: 1, sent_at: null })
    await desk.close()
    await reserveMoney(id)
    await guard(office.db)
    await office.startedDesk({ gate: { ...SIMULATED_GATE, mode: 'full' } })
    await office.becomes(id, {
      state: 'failed',
      refusal: code,
      last_error: code,
      failed_at: expect.any(Date),
      refused_at: null,
    })
    expect(await spent(office.db, id)).toBe(0)
    expect(office.platform.dialled).toHaveLength(1)
  })
})

describe('a pause while the platform is being asked', () => {
  it('has the call ended as soon as it is placed', async () => {
    let answerNow = () => {}
    office.platform.answer = (place, response) => {
      answerNow = () => json(response, 201, place())
    }
    const id = await requestCall(await office.startedDesk({ timings: { pollMs: 60_000 } }))
    await expect.poll(() => office.platform.dialled.length).toBe(1)
    await pauseCalls(office.db)
    answerNow()
    await expect
      .poll(() => office.platform.commands, { timeout: 5000 })
      .toMatchObject([{ callId: 'call-1', body: { type: 'end-call' } }])
    await office.becomes(id, { hang_up_reason: 'paused', platform_call_id: 'call-1' })
    expect(office.platform.dialled).toHaveLength(1)
  })
})

describe('what is placed', () => {
  it('carries the longest duration that was reserved for it', async () => {
    const id = await requestCall(office.desk())
    await office.db.query('update call_desk.call_requests set max_seconds = 90 where id = $1', [id])
    await office.startedDesk()
    await office.becomes(id, { platform_call_id: 'call-1', max_seconds: 90 })
    expect(office.platform.dialled).toMatchObject([{ assistantOverrides: { maxDurationSeconds: 90 } }])
  })

  it('has its control address in the record', async () => {
    const id = await requestCall(await office.startedDesk())
    await office.becomes(id, { control_url: `${office.platform.url}/call/call-1/control` })
  })

  it('greets as the stored assistant does where the visitor has no words', async () => {
    office.platform.assistant = { firstMessage: 'Welcome to the bakery!' }
    const id = await requestCall(
      await office.startedDesk({ findVisitor: async () => ({ slug: 'acme' }), disclosure: 'An AI calls.' }),
    )
    await office.becomes(id, { platform_call_id: 'call-1' })
    expect(office.platform.dialled).toMatchObject([
      { assistantOverrides: { firstMessage: 'An AI calls. Welcome to the bakery!' } },
    ])
  })

  it('says the disclosure alone where the assistant cannot be read', async () => {
    const id = await requestCall(
      await office.startedDesk({ findVisitor: async () => ({ slug: 'acme' }), disclosure: 'An AI calls.' }),
    )
    await office.becomes(id, { platform_call_id: 'call-1' })
    expect(office.platform.dialled).toMatchObject([{ assistantOverrides: { firstMessage: 'An AI calls.' } }])
  })

  it('gives its money back when the platform refuses it', async () => {
    office.platform.answer = (_, response) => json(response, 400, { message: 'No' })
    const id = await requestCall(office.desk())
    await reserveMoney(id)
    await office.startedDesk()
    await office.becomes(id, { state: 'failed' })
    expect(await spent(office.db, id)).toBe(0)
  })

  it('keeps its money reserved while nobody knows whether it was placed', async () => {
    office.platform.answer = (_, response) => json(response, 500, { message: 'Oops' })
    const id = await requestCall(office.desk())
    await reserveMoney(id)
    await office.startedDesk()
    await office.becomes(id, { state: 'unknown' })
    expect(await spent(office.db, id)).toBe(null)
  })
})

it('logs why a visitor could not be read, by its code alone', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const id = await requestCall(office.desk())
  await office.startedDesk({
    logger,
    findVisitor: async () => {
      throw Object.assign(new Error('secret text'), { code: 'ECONNREFUSED' })
    },
  })
  await office.becomes(id, { last_error: expect.stringMatching(/^lookup_failed/) })
  await expect.poll(() => lines.join('')).toContain('"cause":"Error ECONNREFUSED"')
  expect(lines.join('')).not.toContain('secret text')
})
