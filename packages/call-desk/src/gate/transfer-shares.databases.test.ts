import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import { clearDesk, openGate } from '../testing/gate-desk.js'
import { DEFAULT_GATE } from './gate-settings.js'
import { isBeyondIncomingShare } from './incoming-share.js'
import { networkSpend } from './network-share.js'
import { createTransferGate } from './transfer-gate.js'

const PRICE = openGate.countries.get('US') ?? 0
const NETWORK = '203.0.113.0/24'
const CALLER = '+14155550001'

describe.each(DATABASES)('the money of a transfer on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => clearDesk(db))

  /** A call of the desk, with no money of its own. Resolves with the platform's id of it. */
  const call = async (inbound: boolean, unproven = false, slug = 'acme') => {
    const callId = randomUUID()
    await db.query(
      `insert into call_desk.call_requests (kind, inbound, unproven, state, phone, country, prefix, slug, body_hash, network, platform_call_id)
       values ('phone', $1, $2, 'in-progress', $3, 'US', '1415', $6, '', $4, $5)`,
      [inbound, unproven, CALLER, inbound ? null : NETWORK, callId, slug],
    )
    return callId
  }
  const transfer = (callId: string, inbound: boolean, dayBudget?: number) =>
    createTransferGate({ db, settings: { ...openGate, dayBudget } })({
      ...{ callId, inbound },
      number: '+14155552671',
      seconds: 60,
    })

  it('counts as of the network of its call', async () => {
    await transfer(await call(false), false)
    await transfer('none of the desk’s', false)
    const sql = networkSpend('phone', PRICE, { dayBudget: PRICE, monthBudget: undefined })
    const { rows } = await db.query(`select ${sql} as spend from (select $1::text as network) asked`, [
      NETWORK,
    ])
    expect(rows).toEqual([{ spend: { day: PRICE, dayOfOthers: PRICE, month: PRICE, monthOfOthers: PRICE } }])
  })

  it('counts as of the number that called us, which has its share only', async () => {
    const dayBudget = 8 * PRICE
    const ofCaller = await call(true)
    expect(await transfer(ofCaller, true, dayBudget)).toEqual(expect.any(Function))
    expect(await transfer(ofCaller, true, dayBudget)).toEqual(expect.any(Function))
    // Half of the budget is for calls that came in, and half of that for one number.
    expect(await transfer(ofCaller, true, dayBudget)).toBe('budget_exhausted')
    const shared = { amount: PRICE, dayBudget, monthBudget: undefined }
    const isBeyond = (phone: string) =>
      db.transaction((tx) => isBeyondIncomingShare(tx, { ...shared, caller: { phone, proven: true } }))
    expect(await isBeyond(CALLER)).toBe(true)
    expect(await isBeyond('+14155550002')).toBe(false)
  })

  it('fits once for a number that is not proven, and then only within its share', async () => {
    const { dayBudget, monthBudget } = DEFAULT_GATE
    const cost = 3 * PRICE
    const callId = await call(true, true)
    await db.query(
      `insert into call_desk.ledger (request_id, at, reserved, kind, inbound)
       select id, now(), $2, 'phone', true from call_desk.call_requests where platform_call_id = $1`,
      [callId, cost],
    )
    const gate = createTransferGate({ db, settings: { ...openGate, dayBudget, monthBudget } })
    const asked = { callId, inbound: true, number: '+14155552671' }
    expect(await gate({ ...asked, seconds: 180 })).toEqual(expect.any(Function))
    expect(await gate({ ...asked, seconds: 60 })).toBe('budget_exhausted')
    const isBeyond = (phone: string) =>
      db.transaction((tx) =>
        isBeyondIncomingShare(tx, { caller: { phone, proven: false }, amount: cost, dayBudget, monthBudget }),
      )
    expect([await isBeyond(CALLER), await isBeyond('+14155550002')]).toEqual([true, false])
  })

  it('leaves visitors a quarter of the budget where the call is a campaign’s', async () => {
    const dayBudget = 4 * PRICE
    const ofCampaign = await call(false, false, CAMPAIGN_SLUG)
    for (let asked = 0; asked < 3; asked++)
      expect(await transfer(ofCampaign, false, dayBudget)).toEqual(expect.any(Function))
    expect(await transfer(ofCampaign, false, dayBudget)).toBe('budget_exhausted')
    expect(await transfer('none of the campaign’s', false, dayBudget)).toEqual(expect.any(Function))
  })
})
