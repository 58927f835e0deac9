import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { CALL_ID, openBench, ring, shareDb, type TwilioBench, until } from '../../testing/twilio-bench.js'
import { CarrierRefusal } from '../carrier.js'
import { TwilioError } from './twilio-api.js'
import { callbackUrl } from './twilio-callback.js'
import { createTwilioCarrier } from './twilio-carrier.js'
import { twilioSignature } from './twilio-signature.js'

shareDb()
let bench: TwilioBench | undefined
afterEach(async () => {
  await bench?.close()
  bench = undefined
})

const SALES = { callId: CALL_ID, to: '+12025550142', from: '+12025550100', seconds: 300 }

/** A call that somebody has answered, and whose link is open. */
async function answered() {
  bench = await openBench()
  const made = await ring(bench)
  await made.call.answer()
  await until(() => expect(made.reports).toEqual(['ringing', 'answered']))
  const closed: string[] = []
  made.links[0]?.open({
    onAudio: () => {},
    onMessage: () => {},
    onDigit: () => {},
    onClosed: (reason) => closed.push(reason),
  })
  const transfer = (more: object = {}) => made.carrier.transfer?.({ ...SALES, ...more })
  return { ...made, closed, transfer }
}
const legs = async () => (await bench?.db.query('select from voice_platform.carrier_legs'))?.rowCount

describe('a transfer at Twilio', () => {
  it('takes the place of the media stream, for a limited time; the leg goes on', async () => {
    const { call, transfer, closed, reports } = await answered()
    await transfer({ extension: 'w12' })
    expect(call.dial?.number).toBe('+12025550142')
    expect(
      ['callerId', 'timeout', 'timeLimit', 'sendDigits', 'method'].map((name) => call.dial?.attribute(name)),
    ).toEqual(['+12025550100', '30', '300', 'w12', 'POST'])
    await until(() => expect(closed).toEqual(['left']))
    expect(reports).toEqual(['ringing', 'answered'])
    expect(await legs()).toBe(1)
  })

  it('is over for this process too when another one hears of its end', async () => {
    const { call, transfer, reports, standIn, url, db } = await answered()
    await transfer()
    const elsewhere: string[] = []
    const { accountSid, authToken } = standIn
    const other = createTwilioCarrier({
      ...{ accountSid, authToken, db, apiUrl: standIn.url, publicUrl: url },
      logger: pino({ level: 'silent' }),
    })
    other.connect({
      onRinging: () => {},
      onAnswered: () => {},
      onMachine: () => {},
      onIncoming: async () => ({ refusal: 'Nobody is here.' }),
      onEnded: (_, end) => elsewhere.push(end),
    })
    const status = callbackUrl(url, 'status', CALL_ID)
    const body = new URLSearchParams({ CallSid: call.sid, CallStatus: 'completed' })
    const headers = { 'x-twilio-signature': twilioSignature(authToken, status, body) }
    expect((await other.fetch(new Request(status, { method: 'POST', headers, body }))).status).toBe(204)
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'ended hung-up']))
    expect(elsewhere).toEqual(['hung-up'])
    await other.close()
  })

  it('lasts as long as Twilio can bound, at most', async () => {
    const { call, transfer } = await answered()
    await transfer({ seconds: 43_200 })
    expect(call.dial?.attribute('timeLimit')).toBe('14400')
  })

  it('is over when Twilio says that the call is', async () => {
    const { call, transfer, reports } = await answered()
    await transfer()
    expect((await call.dial?.over('completed'))?.twiml).toContain('<Response><Hangup/></Response>')
    await call.become('completed')
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'ended hung-up']))
    expect(await legs()).toBe(0)
  })

  it.each(['no-answer', 'busy', 'failed', 'canceled'])(
    'that ends with %s is told to the caller',
    async (status) => {
      const { call, transfer } = await answered()
      await transfer()
      expect(await call.dial?.over(status)).toEqual({
        status: 200,
        twiml: expect.stringMatching(/<Response><Say>Sorry, nobody could be reached.*<\/Say><Hangup\/>/),
      })
    },
  )

  it('takes only signed news of its end', async () => {
    const { call, transfer } = await answered()
    await transfer()
    expect((await call.dial?.over('completed', { spoilt: true }))?.status).toBe(403)
  })

  it('is hung up like any other call', async () => {
    const { call, carrier, transfer, reports } = await answered()
    await transfer()
    await carrier.hangUp(CALL_ID)
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'ended hung-up']))
    expect(call.status).toBe('completed')
  })

  it('of a call that nobody has answered is refused, and so is one of a call that is over', async () => {
    bench = await openBench()
    const { carrier, standIn, call } = await ring(bench)
    await expect(carrier.transfer?.(SALES)).rejects.toThrow(CarrierRefusal)
    await call.become('busy')
    await until(async () => expect(await legs()).toBe(0))
    await expect(carrier.transfer?.(SALES)).rejects.toThrow(CarrierRefusal)
    expect(standIn.call.dial).toBeUndefined()
  })

  it('that Twilio refuses leaves the call as it was', async () => {
    const { standIn, transfer, closed, call, reports } = await answered()
    standIn.intercept = (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 13214, message: 'Invalid callerId +12025550100', status: 400 }))
      return true
    }
    const refusal = await transfer()?.catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(CarrierRefusal)
    expect(String(refusal)).not.toContain('2025550100')
    standIn.intercept = () => false
    expect(closed).toEqual([])
    // Its end is an end again.
    call.hangUp()
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'ended hung-up']))
  })

  it('whose answer is unclear is not tried again', async () => {
    const { standIn, transfer } = await answered()
    let asked = 0
    standIn.intercept = (request, response) => {
      if (request.method === 'POST') asked += 1
      return Boolean(response.writeHead(502).end())
    }
    await expect(transfer()).rejects.toThrow(TwilioError)
    expect(asked).toBe(1)
    standIn.intercept = () => false
  })
})
