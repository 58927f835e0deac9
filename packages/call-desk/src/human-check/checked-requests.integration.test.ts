import type { Db } from '@heyline/database'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallDesk } from '../index.js'
import { callRequest, deskOf, openDeskDb } from '../testing/desk.js'
import { ADDRESS_HEADER, addressOf } from '../testing/gate-desk.js'
import { createAltcha } from './altcha.js'
import type { HumanCheck } from './human-check.js'
import { createTurnstile } from './turnstile.js'

let db: Db
let desk: CallDesk

const deskWith = (humanCheck: HumanCheck | undefined) =>
  deskOf(db, 'http://127.0.0.1:1', {
    addressOf: (request) => addressOf(request) ?? '203.0.113.7',
    ...(humanCheck && { humanCheck }),
  })

beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.exec('delete from call_desk.call_requests')
  desk = deskWith(createAltcha({ secret: 'check-secret', db, logger: pino({ level: 'silent' }), cost: 4 }))
})

/** What the page does before it sends its form. */
async function makeToken(slug = 'acme'): Promise<string> {
  const answer = await desk.challenge(new Request(`https://desk.example/-/human-check?slug=${slug}`))
  const challenge = await answer.json()
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

async function post(token: string | undefined, phone = '+14155552671', address = '203.0.113.7') {
  const headers = { [ADDRESS_HEADER]: address, ...(token !== undefined && { 'x-human-check': token }) }
  const response = await desk.webhook(callRequest({ phone, slug: 'acme' }, headers))
  const { code } = await response.json()
  return { status: response.status, code }
}

const refusals = async () => {
  const { rows } = await db.query<{ refusal: string }>(
    "select refusal from call_desk.call_requests where state = 'refused'",
  )
  return rows.map(({ refusal }) => refusal)
}

describe('a request for a call, where a human check stands', () => {
  it('passes with a token of its page', async () => {
    expect(await post(await makeToken())).toMatchObject({ status: 202 })
    expect(await refusals()).toEqual([])
  })

  it('is refused without one, and with another page’s', async () => {
    const tokens = [undefined, '', 'x', await makeToken('other')]
    for (const token of tokens) expect(await post(token)).toMatchObject({ status: 403, code: 'call_refused' })
    // Nothing is stored of those that cannot be a token.
    expect(await refusals()).toEqual(['human_check_failed'])
  })

  it('passes once of many at the same time with one token', async () => {
    const token = await makeToken()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) => post(token, `+1415555267${place}`, `10.${place}.0.1`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(403)])
    expect(await refusals()).toEqual(Array(9).fill('human_check_failed'))
  })

  it.each([
    ['another page’s token', () => makeToken('other')],
    [
      'a used token',
      async () => {
        const token = await makeToken()
        await post(token, '+14155552000')
        return token
      },
    ],
  ])('does not wait behind a flood of others with %s', async (_, tokenOf) => {
    const token = await tokenOf()
    let begun = 0
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Db = {
      ...db,
      async transaction(...work) {
        begun++
        await released
        return await db.transaction(...work)
      },
    }
    const check = createAltcha({ secret: 'check-secret', db, logger: pino({ level: 'silent' }), cost: 4 })
    const honest = await makeToken()
    let lookedUp = 0
    const findVisitor = async (slug: string) => {
      lookedUp++
      return { slug }
    }
    desk = deskOf(slow, 'http://127.0.0.1:1', { addressOf, humanCheck: check, findVisitor })
    const flood = Array.from({ length: 60 }, (_, place) => post(token, '+14155552001', `10.${place}.0.1`))
    await expect.poll(() => begun).toBe(1)
    const passed = post(honest, '+14155552002', '203.0.113.7')
    await expect.poll(() => begun).toBe(2)
    release()
    expect(await passed).toMatchObject({ status: 202 })
    for (const answer of flood) expect(await answer).toMatchObject({ status: 403, code: 'call_refused' })
    // Those that found the line full left no row, and asked the backend for nobody.
    expect(await refusals()).toHaveLength(21)
    expect(lookedUp).toBe(22)
  })

  it('makes the next token harder to come by', async () => {
    const most = async () => {
      const answer = await desk.challenge(new Request('https://desk.example/-/human-check?slug=acme'))
      return (await answer.json()).parameters.data.most
    }
    expect(await most()).toBe(4)
    await post(await makeToken('other'))
    expect(await most()).toBe(8)
  })

  it('is answered 503, and nothing is stored, where no verdict is had', async () => {
    desk = deskWith(createTurnstile({ secretKey: 'secret-key', url: 'http://127.0.0.1:1/' }))
    expect(await post('token')).toMatchObject({ status: 503, code: 'unavailable' })
    const { rows } = await db.query('select from call_desk.call_requests')
    expect(rows).toEqual([])
  })

  it('is told to the log once a minute, however many have no verdict', async () => {
    const lines: string[] = []
    const logger = pino({ base: null }, { write: (line: string) => lines.push(line) })
    const humanCheck = createTurnstile({ secretKey: 'secret-key', url: 'http://127.0.0.1:1/' })
    desk = deskOf(db, 'http://127.0.0.1:1', { addressOf, humanCheck, logger })
    for (let place = 1; place <= 5; place++)
      expect(await post(`token-${place}`, '+14155552671', `10.${place}.0.1`)).toMatchObject({ status: 503 })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, reason: 'HumanCheckError unreachable' },
    ])
  })

  it('has no challenge where the check needs none of ours', async () => {
    for (const check of [createTurnstile({ secretKey: 'secret-key' }), undefined]) {
      desk = deskWith(check)
      const answer = await desk.challenge(new Request('https://desk.example/-/human-check?slug=acme'))
      expect(answer.status).toBe(404)
    }
  })
})
