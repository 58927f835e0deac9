import { afterEach, describe, expect, it } from 'vitest'
import {
  dialRequest,
  legsOf,
  openBench,
  ring,
  shareDb,
  type TwilioBench,
  until,
} from '../../testing/twilio-bench.js'
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
    await until(async () =>
      expect(await legsOf(made)).toMatchObject([
        { state: 'ringing', looked_in_vain: 0, look_at: new Date(clock.now() + 30_000) },
      ]),
    )
    expect(reports).toEqual(['ringing'])
  })

  it('fails and is hung up when it was answered but brings no audio', async () => {
    const { call, clock, reports, log } = await ringing()
    await call.become('in-progress')
    clock.advance(AFTER_RINGING)
    await until(() => expect(reports).toEqual(['ringing', 'ended failed']))
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
