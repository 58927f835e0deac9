import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Installed, installForTheRun } from '../../../../../bench/installed-for-a-run.js'
import { sentTo } from './inbound-number.js'
import { TwilioApi } from './twilio-api.js'
import { isSigned, twilioSignature } from './twilio-signature.js'
import { connectStream, dial, HANG_UP, reject, sayAndHangUp } from './twiml.js'

/** Twilio's own library for Node. MIT. It has 1,500 files, so it is installed for this run. */
const LIBRARY = 'twilio@6.2.0'
/** What gives up installing has this long. */
const INSTALLED_MS = 150_000
const TOKEN = '12345'

/** What is used of it here. */
interface Twilio {
  (accountSid: string, authToken: string, options: { httpClient: unknown }): TwilioClient
  getExpectedTwilioSignature(token: string, url: string, form: Record<string, string>): string
  validateRequest(token: string, signature: string, url: string, form: Record<string, string>): boolean
  twiml: { VoiceResponse: new () => VoiceResponse }
}

interface TwilioClient {
  calls: { list(query: object): Promise<unknown> }
  incomingPhoneNumbers(sid: string): { update(changes: object): Promise<unknown> }
}

interface VoiceResponse {
  connect(): { stream(options: object): { parameter(options: object): void } }
  dial(options: object): { number(options: object, number: string): void }
  reject(options: object): void
  say(words: string): void
  hangup(): void
}

let installed: Installed
let twilio: Twilio
beforeAll(async () => {
  const there = await installForTheRun(LIBRARY)
  if (!there) throw new Error(`npm could not install ${LIBRARY}: does it reach its registry?`)
  installed = there
  twilio = createRequire(join(there.folder, 'run.js'))('twilio')
}, INSTALLED_MS)
afterAll(() => installed?.remove())

/** What our parts make, beside what Twilio's own library makes of the same. */
describe('Twilio’s own library', () => {
  const url = 'https://demo.example/-/carriers/twilio/status/8f14e45f-ceea-467f-a8f0-3d2c1b5a9e01'
  const forms: [string, Record<string, string>][] = [
    ['a status', { CallSid: 'CA1', CallStatus: 'completed', To: '+14155552671', From: '+14155552672' }],
    ['nothing', {}],
    ['names in another order', { b: '2', a: '1', A: '0' }],
    ['other scripts', { Body: 'Grüße, 你好 & more' }],
  ]

  it.each(forms)('signs %s as we do, and takes our signature', (_, form) => {
    const ours = twilioSignature(TOKEN, url, Object.entries(form))
    expect(ours).toBe(twilio.getExpectedTwilioSignature(TOKEN, url, form))
    expect(twilio.validateRequest(TOKEN, ours, url, form)).toBe(true)
    expect(isSigned(TOKEN, url, Object.entries(form), ours)).toBe(true)
  })

  it.each([
    ['another token', '54321', url],
    ['another address', TOKEN, `${url}0`],
  ])('signs otherwise with %s, which we refuse', (_, token, address) => {
    const form = { CallSid: 'CA1' }
    const theirs = twilio.getExpectedTwilioSignature(token, address, form)
    expect(isSigned(TOKEN, url, Object.entries(form), theirs)).toBe(false)
  })

  it('signs a stream’s address as we expect it', () => {
    const stream = 'wss://demo.example/-/carriers/twilio/media'
    expect(isSigned(TOKEN, stream, [], twilio.getExpectedTwilioSignature(TOKEN, stream, {}))).toBe(true)
  })

  it('writes the same TwiML for a stream', () => {
    const response = new twilio.twiml.VoiceResponse()
    const stream = response.connect().stream({ url: 'wss://demo.example/media' })
    stream.parameter({ name: 'call', value: 'c1 & "c2"' })
    stream.parameter({ name: 'key', value: 'k<1>' })
    const ours = connectStream('wss://demo.example/media', { call: 'c1 & "c2"', key: 'k<1>' })
    expect(read(ours)).toBe(read(response.toString()))
  })

  it('writes the same TwiML for a transfer', () => {
    const response = new twilio.twiml.VoiceResponse()
    const action = 'https://demo.example/-/carriers/twilio/dialled/1?a=1&b=2'
    const options = { callerId: '+14155552671', timeout: 30, timeLimit: 120, action, method: 'POST' }
    response.dial(options).number({ sendDigits: 'ww1' }, '+14155552673')
    const ours = dial('+14155552673', {
      callerId: '+14155552671',
      timeout: 30,
      timeLimit: 120,
      action,
      sendDigits: 'ww1',
    })
    expect(read(ours)).toBe(read(response.toString()))
  })

  it.each(['busy', 'rejected'] as const)('writes the same TwiML for a refusal: %s', (reason) => {
    const refused = new twilio.twiml.VoiceResponse()
    refused.reject({ reason })
    expect(read(reject(reason))).toBe(read(refused.toString()))
  })

  it('writes the same TwiML for an end, with words and without', () => {
    const words = new twilio.twiml.VoiceResponse()
    words.say('Nobody is here & sorry.')
    words.hangup()
    expect(read(sayAndHangUp('Nobody is here & sorry.'))).toBe(read(words.toString()))
    const silent = new twilio.twiml.VoiceResponse()
    silent.hangup()
    expect(read(HANG_UP)).toBe(read(silent.toString()))
  })
})

describe('a request of Twilio’s own library', () => {
  /** What it asks for, as `METHOD path?query`, and the form. */
  async function askedBy(work: (client: TwilioClient) => Promise<unknown>) {
    const asked: { uri: string; params: object; data: object }[] = []
    const httpClient = {
      async request({ uri = '', params = {}, data = {} }) {
        asked.push({ uri, params, data })
        return { statusCode: 500, body: '', headers: {} }
      },
    }
    const client = twilio('AC1', TOKEN, { httpClient })
    await work(client).catch(() => undefined)
    return asked[0]
  }

  it('lists calls by the same fields', async () => {
    const [to, from] = ['+14155552671', '+14155552672']
    const startTimeAfter = new Date('2026-11-23T06:00:00Z')
    const theirs = await askedBy((client) => client.calls.list({ to, from, startTimeAfter, pageSize: 50 }))
    const ours: string[] = []
    const api = new TwilioApi({
      ...{ accountSid: 'AC1', authToken: TOKEN, apiUrl: 'https://api.twilio.com', timeoutMs: 1_000 },
      clock: new ManualClock(),
      fetch: async (url) => {
        ours.push(String(url))
        return Response.json({ calls: [] })
      },
    })
    await api.listCalls({ to, from, since: startTimeAfter.getTime() + 7 })
    const { origin, pathname, searchParams } = new URL(ours[0] ?? '')
    expect(origin + pathname).toBe(theirs?.uri)
    expect(Object.fromEntries(searchParams)).toEqual(
      Object.fromEntries(Object.entries(theirs?.params ?? {}).map(([name, value]) => [name, String(value)])),
    )
  })

  it('changes where calls to a number go by the same fields', async () => {
    const [voiceUrl, voiceMethod] = ['https://demo.example/-/carriers/twilio/inbound', 'POST']
    const theirs = await askedBy((client) =>
      client
        .incomingPhoneNumbers('PN1')
        .update({ voiceUrl, voiceMethod, voiceApplicationSid: '', trunkSid: '' }),
    )
    expect(theirs?.uri).toContain('/Accounts/AC1/IncomingPhoneNumbers/PN1.json')
    expect(Object.fromEntries(sentTo(voiceUrl))).toEqual(theirs?.data)
  })
})

/** What a reader of XML makes of it: some signs may be escaped or not. */
const read = (twiml: string): string => twiml.replaceAll('&gt;', '>').replaceAll('&apos;', "'")
