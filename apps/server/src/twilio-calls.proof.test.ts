import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { StandInCall } from '../../../packages/voice-platform/src/testing/stand-in-call.js'
import { problem, TwilioStandIn } from '../../../packages/voice-platform/src/testing/twilio-stand-in.js'
import { runningCalls } from './calls/running-calls.js'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { readServerKeys } from './testing/server-keys.js'

/** A number of the stand-in's account, and one that it does not have. */
const OURS = '+14155552671'
const NOT_OURS = '+14155550199'
const CALLEE = '+12125550188'
/** The loudest sample that is still silence: the noise of an open line is below it. */
const QUIET = 200

const directory = mkdtempSync(join(tmpdir(), 'heyline-twilio-'))
let standIn: TwilioStandIn
let started = 0
const dataDirectory = () => join(directory, String(started))
beforeAll(async () => {
  standIn = new TwilioStandIn()
  await standIn.listen()
})
afterAll(async () => {
  await standIn.close()
  rmSync(directory, { recursive: true })
})

const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

function start(environment: Record<string, string> = {}) {
  started += 1
  return startHeyline({
    settings: readSettings({
      PORT: '0',
      DATA_DIR: dataDirectory(),
      CARRIER: 'twilio',
      TWILIO_ACCOUNT_SID: standIn.accountSid,
      TWILIO_AUTH_TOKEN: standIn.authToken,
      TWILIO_API_URL: standIn.url,
      TWILIO_CALLER_ID: OURS,
      COMPANY_NAME: 'Example Telephone Assistants',
      ...OPEN_GATE,
      ...environment,
    }),
    logger: pino({ level: 'silent' }),
  })
}

describe('a server with an account at Twilio', () => {
  let heyline: Heyline
  beforeEach(async () => {
    standIn.calls.length = 0
    heyline = await start()
  })
  afterEach(() => heyline.close())

  const callMe = (phone: string) =>
    fetch(`${heyline.url}/-/backend/functions/v1/call-me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone, slug: 'default' }),
    })
  const office = () => runningCalls(heyline.url, readServerKeys(dataDirectory()).secret)
  const records = async () => (await office().list({ limit: 10 })).calls
  const loudest = (call: StandInCall) => {
    call.pass(500)
    return call.heard.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  }

  it('calls whoever asks for it on a page, from its number, and is heard', async () => {
    standIn.callees.set(CALLEE, 'answers')
    expect((await callMe(CALLEE)).status).toBe(202)
    await soon(() => expect(standIn.calls).toHaveLength(1))
    expect(standIn.call.form.get('From')).toBe(OURS)
    await soon(() => expect(loudest(standIn.call)).toBeGreaterThan(QUIET))
    standIn.call.hangUp()
    await soon(async () => expect(await records()).toMatchObject([{ state: 'ended' }]))
    expect(standIn.calls).toHaveLength(1)
  })

  it('leaves nothing on a voicemail box', async () => {
    standIn.callees.set(CALLEE, 'machine')
    await callMe(CALLEE)
    await soon(async () => expect(await records()).toMatchObject([{ state: 'ended' }]))
    expect(loudest(standIn.call)).toBeLessThan(QUIET)
  })

  it('counts a begun minute for whatever was answered, also where nobody came to talk, and nothing for the rest', async () => {
    const minute = 250_000
    const costs = async () => (await records()).map(({ costMicrousd }) => costMicrousd).reverse()
    const over = async (all: number[]) => soon(async () => expect(await costs()).toEqual(all))
    standIn.callees.set(CALLEE, 'machine')
    await callMe(CALLEE)
    await over([minute])
    standIn.callees.set(CALLEE, 'rings')
    await callMe(CALLEE)
    await soon(() => expect(standIn.calls.at(-1)?.status).toBe('ringing'))
    await soon(() => expect(standIn.calls).toHaveLength(2))
    await standIn.calls.at(-1)?.answer()
    standIn.calls.at(-1)?.hangUp()
    await over([minute, minute])
    standIn.callees.set(CALLEE, 'busy')
    await callMe(CALLEE)
    await over([minute, minute, 0])
    const reasons = (await Promise.all((await records()).map(({ id }) => office().show(id)))).map(
      ({ endedReason, inProgressAt }) => [endedReason, inProgressAt],
    )
    expect(reasons.reverse()).toEqual([
      ['voicemail', null],
      ['customer-ended-call', null],
      ['customer-busy', null],
    ])
  })

  it('tells the page of a call that Twilio refuses at once, and calls nobody again', async () => {
    let asked = 0
    standIn.intercept = ({ method, url }, response) => {
      if (method !== 'POST' || !url?.endsWith('/Calls.json')) return false
      asked += 1
      const refusal = problem(400, 21215, `Account not authorized to call ${CALLEE}.`)
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
      return true
    }
    try {
      const answer = await callMe(CALLEE)
      expect([answer.status, await answer.json()]).toMatchObject([502, { code: 'call_failed' }])
      const [record] = await records()
      const { lastError } = await office().show(record?.id ?? '')
      expect(lastError).toMatch(/Geo permissions.*21215/)
      expect(lastError).not.toContain(CALLEE.slice(2))
      expect(asked).toBe(1)
    } finally {
      standIn.intercept = () => false
    }
  })

  it('takes a call to its number within the gate, and refuses it while calls are paused', async () => {
    const callIn = () => {
      const form = new URLSearchParams({
        From: CALLEE,
        To: OURS,
        StirVerstat: 'TN-Validation-Passed-A',
        Url: `${heyline.url}/-/carriers/twilio/inbound`,
      })
      const call = new StandInCall({
        accountSid: standIn.accountSid,
        authToken: () => standIn.authToken,
        form,
      })
      standIn.calls.push(call)
      return call
    }
    standIn.callees.set(CALLEE, 'answers')
    await callMe(CALLEE)
    await soon(() => expect(loudest(standIn.call)).toBeGreaterThan(QUIET))
    standIn.call.hangUp()
    await soon(async () => expect(await records()).toMatchObject([{ state: 'ended' }]))

    const back = callIn()
    const stream = await back.fetchStream()
    await back.connect(stream?.url ?? '', stream?.parameters ?? {})
    await soon(() => expect(loudest(back)).toBeGreaterThan(QUIET))
    back.hangUp()
    await soon(async () => {
      const states = (await records()).map(({ state }) => state)
      expect(states).toEqual(['ended', 'ended'])
    })

    await office().pause()
    const refused = callIn()
    expect(await refused.fetchStream()).toBeUndefined()
    expect(refused.twiml).toContain('<Response><Reject reason="busy"/></Response>')
  })
})

describe('a start with an account at Twilio', () => {
  it.each([
    ['without a number', { TWILIO_CALLER_ID: '' }, /^TWILIO_CALLER_ID: is needed with CARRIER=twilio/],
    [
      'with a number that the account does not have',
      { TWILIO_CALLER_ID: NOT_OURS },
      /^TWILIO_CALLER_ID: is neither/,
    ],
  ])('is refused %s', async (_, environment, words) => {
    await expect(start(environment)).rejects.toThrow(words)
  })
})
