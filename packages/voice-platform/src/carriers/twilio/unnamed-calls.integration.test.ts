import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  CALL_ID,
  dialRequest,
  expectNoLegs,
  legsOf,
  looksInMs,
  openBench,
  shareDb,
  type TwilioBench,
  until,
} from '../../testing/twilio-bench.js'
import { TwilioError } from './twilio-api.js'

shareDb()
let bench: TwilioBench
beforeEach(async () => {
  bench = await openBench()
  await store(CALL_ID)
})
afterEach(async () => {
  await bench.db.exec('delete from voice_platform.calls')
  await bench.close()
})

/** A call as the platform stores it before it is dialled. */
async function store(id: string, sid?: string) {
  const { to, from } = dialRequest()
  await bench.db.query(
    `with n as (insert into voice_platform.phone_numbers (number) values ($3)
       on conflict (number) do update set number = excluded.number returning id)
     insert into voice_platform.calls (id, type, assistant, owner, phone_number_id, customer, carrier_call_id)
     select $1, 'outboundPhoneCall', '{}', $1, n.id, jsonb_build_object('number', $2::text), $4 from n`,
    [id, to, from, sid],
  )
}

const LATER = 15_000
const AGAIN = 30_000
const dial = () => bench.carrier.dial(dialRequest())
const inVain = (times: number) =>
  until(async () => expect(await legsOf(bench)).toMatchObject([{ looked_in_vain: times, provider_id: null }]))
/** Twilio places the call, and we never hear of that. */
async function dialUnheard() {
  bench.standIn.losesAnswer = true
  await expect(dial()).rejects.toThrow(TwilioError)
  // The look comes only once the leg is to be looked at sooner.
  await until(async () => expect(await looksInMs(bench)).toBeLessThan(2 * LATER))
}
const found = () =>
  until(async () => expect(await legsOf(bench)).toMatchObject([{ provider_id: bench.standIn.call.sid }]))

describe('a call whose placing stayed unclear', () => {
  it('is found in the list of calls, followed, and never placed again', async () => {
    const { clock, standIn, reports, log } = bench
    await dialUnheard()
    clock.advance(LATER)
    await found()
    expect(log.join('')).not.toContain('555')
    expect(reports).toEqual([])
    standIn.call.status = 'busy'
    clock.advance(AGAIN)
    await until(() => expect(reports).toEqual(['ended busy']))
    expect(standIn.calls).toHaveLength(1)
    await expectNoLegs(bench)
  })

  it('ends at once where it is over by then', async () => {
    await dialUnheard()
    bench.standIn.call.status = 'no-answer'
    bench.clock.advance(LATER)
    await until(() => expect(bench.reports).toEqual(['ended no-answer']))
  })

  it('is hung up once it is found, where that was asked for', async () => {
    await dialUnheard()
    await bench.carrier.hangUp(CALL_ID)
    bench.clock.advance(AGAIN)
    await until(() => expect(bench.reports).toEqual(['ended canceled']))
    expect(bench.standIn.call.status).toBe('canceled')
  })

  it('fails where Twilio has none, twice in a row, and is never placed again', async () => {
    const { clock, standIn, reports } = bench
    const posts: string[] = []
    standIn.intercept = ({ method, url }, response) => {
      if (method !== 'POST') return false
      posts.push(url ?? '')
      return Boolean(response.writeHead(503).end())
    }
    await expect(dial()).rejects.toThrow(TwilioError)
    await until(async () => expect(await looksInMs(bench)).toBeLessThan(2 * LATER))
    clock.advance(LATER)
    await inVain(1)
    expect(reports).toEqual([])
    clock.advance(AGAIN)
    await until(() => expect(reports).toEqual(['ended failed']))
    expect(posts).toHaveLength(1)
  })

  it('is not guessed where two calls may be it', async () => {
    const { clock, standIn, reports, log } = bench
    await dialUnheard()
    const [one] = standIn.calls
    standIn.losesAnswer = true
    // Somebody else's call of the same account and numbers.
    await fetch(`${standIn.url}/2010-04-01/Accounts/${standIn.accountSid}/Calls.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${standIn.accountSid}:${standIn.authToken}`)}` },
      body: one?.form ?? null,
    }).catch(() => undefined)
    expect(standIn.calls).toHaveLength(2)
    clock.advance(LATER)
    await inVain(1)
    clock.advance(AGAIN)
    await inVain(2)
    expect(reports).toEqual([])
    clock.advance(AGAIN)
    await until(() => expect(reports).toEqual(['ended failed']))
    expect(standIn.calls.map(({ status }) => status)).toEqual(['ringing', 'ringing'])
    expect(log.join('')).toContain('several calls that it may be')
  })

  it('is not mixed up with a call to the same number that we know', async () => {
    const { clock, standIn, reports } = bench
    standIn.callees.set(dialRequest().to, 'busy')
    const earlier = randomUUID()
    const { id } = await bench.carrier.dial({ ...dialRequest(), callId: earlier })
    await until(() => expect(reports).toContain('ended busy'))
    await store(earlier, id)
    reports.length = 0
    standIn.intercept = ({ method }, response) => method === 'POST' && Boolean(response.writeHead(500).end())
    await expect(dial()).rejects.toThrow(TwilioError)
    await until(async () => expect(await looksInMs(bench)).toBeLessThan(2 * LATER))
    clock.advance(LATER)
    await inVain(1)
    clock.advance(AGAIN)
    await until(() => expect(reports).toEqual(['ended failed']))
  })

  it('is asked for again where Twilio does not list its calls', async () => {
    const { clock, standIn } = bench
    await dialUnheard()
    standIn.intercept = (_request, response) => Boolean(response.writeHead(500).end())
    clock.advance(LATER)
    await inVain(1)
    standIn.intercept = () => false
    clock.advance(AGAIN)
    await found()
    expect(await legsOf(bench)).toMatchObject([{ looked_in_vain: 0 }])
  })
})
