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
      onBackFromTransfer: () => {},
      onIncoming: async () => ({ refusal: 'rejected' }),
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

  it.each(['no-answer', 'busy', 'failed'])('that ends with %s brings the call back', async (status) => {
    const { call, transfer, reports, links, standIn } = await answered()
    await transfer()
    expect(await call.dialOver(status)).toBe('streaming')
    await until(() => expect(reports).toEqual(['ringing', 'answered', `back ${status}`]))
    const heard: number[] = []
    const closed: string[] = []
    links[1]?.open({
      onAudio: (samples) => heard.push(samples.length),
      onMessage: () => {},
      onDigit: () => {},
      onClosed: (reason) => closed.push(reason),
    })
    call.pass(100)
    await until(() => expect(heard.length).toBeGreaterThan(0))
    links[1]?.send(new Int16Array(1_600))
    await until(() => {
      call.pass(20)
      expect(call.heard.length).toBeGreaterThan(0)
    })
    expect(standIn.calls).toHaveLength(1)
    call.hangUp()
    await until(() => expect(reports.at(-1)).toBe('ended hung-up'))
    expect(closed).toEqual(['left'])
    expect(await legs()).toBe(0)
  })

  it('brings the call back at once, though nobody knows yet who had answered it', async () => {
    bench = await openBench()
    const { call, carrier, reports, clock } = await ring(bench, { machines: 'end' })
    await call.answer()
    await until(() => {
      clock.advance(500)
      expect(reports).toEqual(['ringing', 'answered'])
    })
    await carrier.transfer?.(SALES)
    await call.dialOver('busy')
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'back busy']))
  })

  it('brings the call back once, however often and late Twilio says so, and dials nobody again', async () => {
    const { call, transfer, reports, standIn } = await answered()
    await transfer()
    const first = call.dial
    // The first answer is lost, so Twilio asks again.
    expect((await first?.over('busy'))?.twiml).toContain('<Connect><Stream')
    expect(await call.dialOver('busy')).toBe('streaming')
    await until(() => expect(reports.at(-1)).toBe('back busy'))
    expect((await first?.over('busy'))?.twiml).toMatch(/<Say>.*<Hangup\/>/)
    expect(await legs()).toBe(1)

    await transfer()
    const second = call.dial
    expect((await first?.over('no-answer'))?.twiml).toMatch(/<Say>.*<Hangup\/>/)
    expect(reports.at(-1)).toBe('back busy')
    expect((await second?.over('completed'))?.twiml).toContain('<Response><Hangup/></Response>')
    await call.become('completed')
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'back busy', 'ended hung-up']))
    expect(standIn.calls).toHaveLength(1)
  })

  it('whose call does not come back although it was asked for ends', async () => {
    const { call, transfer, reports, clock, log } = await answered()
    await transfer()
    expect((await call.dial?.over('busy'))?.twiml).toContain('<Connect><Stream')
    clock.advance(65_000)
    await until(() => {
      clock.advance(5_000)
      expect(reports.at(-1)).toBe('ended failed')
    })
    expect(log.join('')).toContain('twilio brings no audio')
  })

  it('is told to the caller in Twilio’s voice where the process that had asked for it is gone', async () => {
    const { call, transfer, standIn, url, db } = await answered()
    await transfer()
    const { accountSid, authToken } = standIn
    const other = createTwilioCarrier({
      ...{ accountSid, authToken, db, apiUrl: standIn.url, publicUrl: url },
      logger: pino({ level: 'silent' }),
    })
    const action = call.dial?.attribute('action') ?? ''
    const body = new URLSearchParams({ CallSid: call.sid, DialCallStatus: 'busy' })
    const headers = { 'x-twilio-signature': twilioSignature(authToken, action, body) }
    const answer = await other.fetch(new Request(action, { method: 'POST', headers, body }))
    expect(await answer.text()).toMatch(/<Response><Say>Sorry, nobody could be reached.*<\/Say><Hangup\/>/)
    await other.close()
  })

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
