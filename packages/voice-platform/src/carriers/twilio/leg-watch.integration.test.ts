import { afterEach, describe, expect, it } from 'vitest'
import { Outage } from '../../testing/outage.js'
import { openPlatformDb } from '../../testing/platform-db.js'
import {
  CALL_ID,
  dialRequest,
  expectNoLegs,
  legsOf,
  looksInMs,
  openBench,
  ring,
  shareDb,
  type TwilioBench,
  until,
} from '../../testing/twilio-bench.js'
import { problem } from '../../testing/twilio-stand-in.js'
import { TwilioError } from './twilio-api.js'

shareDb()
let bench: TwilioBench | undefined
afterEach(async () => {
  await bench?.close()
  bench = undefined
})

const make = async () => {
  bench = await openBench()
  return bench
}
const ringing = async () => ring(await make())

describe('a call of which nothing is heard', () => {
  const AFTER_RINGING = 55_000

  it('is asked for, and ends as Twilio says', async () => {
    const { standIn, call, clock, reports } = await ringing()
    standIn.signingToken = 'spoilt, so that the callback is refused'
    await call.become('no-answer')
    expect(call.answers.at(-1)).toBe(403)
    clock.advance(AFTER_RINGING)
    await until(() => expect(reports).toEqual(['ringing', 'ended no-answer']))
  })

  it('is left alone while it rings', async () => {
    const made = await ringing()
    const { clock, reports } = made
    clock.advance(AFTER_RINGING)
    await until(async () => expect(await looksInMs(made)).toBeGreaterThanOrEqual(AFTER_RINGING + 30_000))
    expect(await legsOf(made)).toMatchObject([{ state: 'ringing', looked_in_vain: 0 }])
    expect(reports).toEqual(['ringing'])
  })

  it('fails and is hung up when it was answered but brings no audio', async () => {
    const { standIn, call, clock, reports, pickedUp, log } = await ringing()
    const { signingToken } = standIn
    standIn.signingToken = 'spoilt, so that the callback is refused'
    await call.become('in-progress')
    standIn.signingToken = signingToken
    expect(pickedUp).toEqual([])
    clock.advance(AFTER_RINGING)
    await until(() => expect(reports).toEqual(['ringing', 'ended failed']))
    expect(pickedUp).toHaveLength(1)
    expect(log.join('')).toContain('check that PUBLIC_URL reaches this server')
    await until(() => expect(call.status).toBe('completed'))
  })

  it('fails when Twilio cannot say either', async () => {
    const made = await ringing()
    const { standIn, clock, reports } = made
    standIn.intercept = (_request, response) => Boolean(response.writeHead(500).end())
    for (const [inVain, wait] of [AFTER_RINGING, 30_000, 30_000].entries()) {
      await until(async () => expect(await legsOf(made)).toMatchObject([{ looked_in_vain: inVain }]))
      expect(reports).toEqual(['ringing'])
      clock.advance(wait)
    }
    await until(() => expect(reports).toEqual(['ringing', 'ended failed']))
    standIn.intercept = () => false
  })

  it('fails when its placing stayed unclear and Twilio never named it', async () => {
    const { carrier, standIn, clock, reports } = await make()
    standIn.intercept = (_request, response) => Boolean(response.writeHead(502).end())
    await expect(carrier.dial(dialRequest())).rejects.toThrow(TwilioError)
    clock.advance(AFTER_RINGING)
    await until(() => expect(reports).toEqual(['ended failed']))
    standIn.intercept = () => false
  })
})

describe('a Twilio that has no time', () => {
  const busy = (bench: TwilioBench, times: number, retryAfter?: string) => {
    let asked = 0
    bench.standIn.intercept = (_request, response) => {
      asked += 1
      if (asked > times) return false
      const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) }
      const body = problem(429, 20429, 'Too Many Requests')
      return Boolean(response.writeHead(429, headers).end(JSON.stringify(body)))
    }
    return () => asked
  }

  it.each([
    [undefined, 1_000],
    ['2', 2_000],
  ])('and says Retry-After %s is asked again then, and the call is placed once', async (retryAfter, wait) => {
    const made = await make()
    const asked = busy(made, 1, retryAfter)
    const idle = made.clock.pending
    const dialled = made.carrier.dial(dialRequest())
    await until(() => expect(asked()).toBe(1))
    // The answer is on its way, and the wait that it asks for begins when it is there.
    await until(() => expect(made.clock.pending).toBe(idle + 1))
    made.clock.advance(wait - 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(asked()).toBe(1)
    made.clock.advance(1)
    await dialled
    expect(made.standIn.calls).toHaveLength(1)
  })

  it.each([
    ['twice', 2, '1'],
    ['for long', 1, '30'],
  ])('%s refuses the call', async (_, times, retryAfter) => {
    const made = await make()
    const asked = busy(made, times, retryAfter)
    const refused = made.carrier.dial(dialRequest()).catch((error: unknown) => error)
    await until(() => expect(asked()).toBe(1))
    // The answer is on its way, and the wait that it asks for begins when it is there.
    await until(async () => {
      made.clock.advance(1_000)
      expect(await Promise.race([refused, 'waits'])).not.toBe('waits')
    })
    expect(await refused).toMatchObject({ name: 'CarrierRefusal', code: '20429' })
    expect(made.standIn.calls).toEqual([])
    await expectNoLegs(made)
  })

  it('hangs up later what it could not hang up now', async () => {
    const made = await ringing()
    busy(made, 1, '60')
    await expect(made.carrier.hangUp(CALL_ID)).rejects.toThrow(TwilioError)
    made.clock.advance(30_000)
    await until(() => expect(made.reports).toEqual(['ringing', 'ended canceled']))
    expect(made.call.status).toBe('canceled')
  })
})

describe('a database that is away', () => {
  it('refuses the call before Twilio is asked, and answers callbacks with 503', async () => {
    const db = await openPlatformDb()
    const outage = new Outage(db)
    bench = await openBench({ db: outage.db })
    const { call, reports } = await ring(bench)
    outage.fails = /carrier_legs/
    await call.report('in-progress')
    expect(await call.fetchStream()).toBeUndefined()
    expect(call.answers.slice(-2)).toEqual([503, 503])
    const another = { ...dialRequest(), callId: crypto.randomUUID() }
    await expect(bench.carrier.dial(another)).rejects.toMatchObject({
      name: 'CarrierRefusal',
      code: 'unavailable',
      mayPass: true,
    })
    expect(bench.standIn.calls).toHaveLength(1)
    outage.fails = undefined
    await call.become('completed')
    await until(() => expect(reports).toEqual(['ringing', 'ended hung-up']))
    await bench.close()
    bench = undefined
    await db.close()
  })
})
