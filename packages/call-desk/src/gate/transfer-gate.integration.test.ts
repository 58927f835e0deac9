import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDeskDb } from '../testing/desk-db.js'
import { clearDesk, openGate } from '../testing/gate-desk.js'
import { addNumbers } from './do-not-call.js'
import { type GateSettings, SIMULATED_GATE } from './gate-settings.js'
import { pauseCalls, resumeCalls } from './switches.js'
import { createTransferGate } from './transfer-gate.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const NUMBER = '+14155552671'
const ask = (number = NUMBER, seconds = 90, changes: Partial<GateSettings> = {}, inbound = false) =>
  createTransferGate({
    db,
    settings: { ...openGate, ...changes },
    ownNumbers: async () => ['+14155550199'],
  })({ callId: 'none', number, seconds, inbound })
const GIVES_BACK = expect.any(Function)
const spent = async () => {
  const { rows } = await db.query<{ spent: string }>(
    'select coalesce(sum(spent), 0)::text as spent from call_desk.ledger',
  )
  return Number(rows[0]?.spent)
}

describe('the gate of transfers', () => {
  it('lets an ordinary number pass, and spends the most that it can cost', async () => {
    expect(await ask()).toEqual(GIVES_BACK)
    // Two minutes have begun.
    expect(await spent()).toBe(2 * (openGate.countries.get('US') ?? 0))
  })

  it.each([
    ['+442079460123', 'country_not_allowed'],
    ['+19005551234', 'premium_blocked'],
    ['+18005551234', 'type_not_allowed'],
    ['+16417150000', 'prefix_blocked'],
    ['+14155550199', 'prefix_blocked'],
    ['+123', 'type_not_allowed'],
  ])('refuses %s: %s', async (number, refusal) => {
    expect(await ask(number)).toBe(refusal)
    expect(await spent()).toBe(0)
  })

  it('refuses a number on the do-not-call list', async () => {
    await addNumbers(db, [NUMBER], 'command')
    expect(await ask()).toBe('dnc')
  })

  it('refuses all while calls are paused or the breaker is open', async () => {
    await pauseCalls(db)
    expect(await ask()).toBe('paused')
    await resumeCalls(db)
    await db.exec("update call_desk.switches set breaker_at = now(), breaker_reason = 'failures'")
    expect(await ask()).toBe('breaker_open')
  })

  it('lets calls that came in have half of what the others leave of the budget', async () => {
    const price = openGate.countries.get('US') ?? 0
    const budget = { dayBudget: 5 * price }
    expect(await ask(NUMBER, 60, budget)).toEqual(GIVES_BACK)
    const answers = []
    for (const _ of [1, 2, 3]) answers.push(await ask(NUMBER, 60, budget, true))
    expect(answers).toEqual([GIVES_BACK, GIVES_BACK, 'budget_exhausted'])
    expect(await ask(NUMBER, 120, budget)).toEqual(GIVES_BACK)
  })

  it('refuses what the budget does not hold, also of many that ask at once', async () => {
    const price = openGate.countries.get('US') ?? 0
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(NUMBER, 60, { dayBudget: 2 * price })))
    expect(answers.filter((answer) => typeof answer === 'function')).toHaveLength(2)
    expect(answers.filter((answer) => answer === 'budget_exhausted')).toHaveLength(2)
    expect(await spent()).toBe(2 * price)
  })

  it('gives back what a transfer was to cost that came to nothing', async () => {
    const budget = { dayBudget: openGate.countries.get('US') ?? 0 }
    const giveBack = await ask(NUMBER, 60, budget)
    expect(await ask(NUMBER, 60, budget)).toBe('budget_exhausted')
    if (typeof giveBack === 'function') await giveBack()
    expect(await spent()).toBe(0)
    expect(await ask(NUMBER, 60, budget)).toEqual(GIVES_BACK)
  })

  it('asks only the list and the pause where calls are simulated', async () => {
    const settings = SIMULATED_GATE
    const simulated = createTransferGate({ db, settings })
    expect(
      await simulated({ callId: 'none', number: '+442079460123', seconds: 60, inbound: false }),
    ).toBeUndefined()
    expect(await spent()).toBe(0)
    await addNumbers(db, ['+442079460123'], 'caller')
    expect(await simulated({ callId: 'none', number: '+442079460123', seconds: 60, inbound: false })).toBe(
      'dnc',
    )
  })
})
