import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CheckContext } from '../human-check/human-check.js'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { addressOf, ask, clearDesk, openGate } from '../testing/gate-desk.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const shown: [string, CheckContext][] = []
const humanCheck = {
  isToken: (text: string) => /^(good|bad)/.test(text),
  verify: async (token: string, context: CheckContext) => {
    shown.push([token, context])
    return token.startsWith('good') ? token : undefined
  },
}
const desk = (mode: 'full' | 'simulated' = 'full') =>
  deskOf(db, 'http://127.0.0.1:1', { gate: { ...openGate, mode }, addressOf, humanCheck })
const token = (text: string) => ({ headers: { 'x-human-check': text } })
const refusals = async () =>
  (
    await db.query<{ refusal: string | null }>(
      'select refusal from call_desk.call_requests order by created_at',
    )
  ).rows.map(({ refusal }) => refusal)

describe('a human check', () => {
  it.each(['full', 'simulated'] as const)(
    'stands before every call where there is one (%s)',
    async (mode) => {
      expect(await ask(desk(mode))).toMatchObject({ status: 403, code: 'call_refused' })
      expect(await ask(desk(mode), token('nonsense'))).toMatchObject({ status: 403, code: 'call_refused' })
      expect(await refusals()).toEqual([])
      expect(await ask(desk(mode), token('bad'))).toMatchObject({ status: 403, code: 'call_refused' })
      expect(await refusals()).toEqual(['human_check_failed'])
      expect(await ask(desk(mode), token('good'))).toMatchObject({ status: 202 })
    },
  )

  it('is told of the page as it was posted, and of the address', async () => {
    shown.length = 0
    await ask(desk(), { ...token('good'), slug: 'ACME', address: '2001:db8::1' })
    expect(shown).toEqual([['good', { slug: 'ACME', address: '2001:db8::1' }]])
  })

  it('counts once, also where the call was refused', async () => {
    expect(await ask(desk(), { ...token('good'), phone: '+447400123456' })).toMatchObject({ status: 403 })
    expect(await ask(desk(), token('good'))).toMatchObject({ status: 403 })
    expect((await refusals()).sort()).toEqual(['country_not_allowed', 'human_check_failed'])
  })

  it('that is not good tells nothing of calls in flight', async () => {
    await ask(desk(), token('good 1'))
    for (const text of ['', 'nonsense', 'bad']) {
      expect(await ask(desk(), token(text))).toMatchObject({ status: 403 })
      const headers = { ...token(text).headers, 'idempotency-key': 'k' }
      expect(await ask(desk(), { headers })).toMatchObject({ status: 403 })
    }
    expect(await ask(desk(), token('good 2'))).toMatchObject({ status: 202 })
  })

  it('counts once, also where the number is on a call: nobody can watch with it when that ends', async () => {
    await ask(desk(), token('good 1'))
    expect(await ask(desk(), token('good 2'))).toMatchObject({ status: 202 })
    expect(await ask(desk(), token('good 2'))).toMatchObject({ status: 403, code: 'call_refused' })
    const keyed = (key: string) => ({ headers: { ...token('good 3').headers, 'idempotency-key': key } })
    expect(await ask(desk(), keyed('k-1'))).toMatchObject({ status: 409, code: 'in_flight' })
    expect(await ask(desk(), keyed('k-2'))).toMatchObject({ status: 403, code: 'call_refused' })
    expect(await refusals()).toEqual([
      null,
      'repeated',
      'human_check_failed',
      'in_flight',
      'human_check_failed',
    ])
  })

  it('needs no second answer for a request that is repeated under its key', async () => {
    const headers = { ...token('good').headers, 'idempotency-key': 'k' }
    const first = await ask(desk(), { headers })
    expect(await ask(desk(), { headers })).toEqual(first)
  })
})
