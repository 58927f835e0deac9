import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebGateSettings } from '../index.js'
import { deskOf } from '../testing/desk.js'
import { addressOf, ask, clearDesk, openGate } from '../testing/gate-desk.js'
import { openWebGate, reserveWeb } from '../testing/web-desk.js'

describe.each(DATABASES)('browser calls at once over two desks, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => clearDesk(db))

  const desks = (changes: Partial<WebGateSettings>) =>
    [1, 2].map(() =>
      deskOf(db, 'http://127.0.0.1:1', {
        gate: openGate,
        webGate: { ...openWebGate, ...changes },
        addressOf,
        findVisitor: async (slug) => ({ slug }),
      }),
    )

  it.each<[string, Partial<WebGateSettings>, (place: number) => object]>([
    ['starts', { startLimits: [{ most: 3, windowMs: 60_000 }] }, (place) => ({ address: `10.0.${place}.1` })],
    ['calls at once', { concurrent: 3 }, (place) => ({ address: `10.0.${place}.1`, slug: `page-${place}` })],
    ['calls at once of one network', { concurrent: 6 }, (place) => ({ address: `10.0.0.${place}` })],
    [
      'one visitor',
      { slugLimits: [{ most: 3, windowMs: 60_000 }] },
      (place) => ({ address: `10.0.${place}.1` }),
    ],
    [
      'money',
      { minutePrice: 1_000_000, maxSeconds: 60, dayBudget: 3_999_999 },
      (place) => ({ address: `10.0.${place}.1` }),
    ],
  ])('share the limit of %s', async (_, changes, asked) => {
    const both = desks(changes)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, pair) =>
        both.map((desk, which) => reserveWeb(desk, asked(pair * 2 + which))),
      ).flat(),
    )
    expect(answers.filter(({ result }) => result === 'reserved')).toHaveLength(3)
    const { rows } = await db.query("select from call_desk.call_requests where state = 'dialling'")
    expect(rows).toHaveLength(3)
  })

  it('let phone calls pass among them', async () => {
    const [desk] = desks({ concurrent: 3 })
    if (!desk) throw new Error('There is no desk.')
    const flood = Array.from({ length: 60 }, (_, place) => reserveWeb(desk, { address: `10.0.${place}.1` }))
    expect(await ask(desk, { address: '10.1.0.1' })).toMatchObject({ status: 202 })
    await Promise.all(flood)
  })
})
