import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { levelOf } from '@heyline/room-protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { Resampler } from '../../audio/resampler.js'
import { tone } from '../../link/link.contract.js'
import { listen, shut } from '../../testing/local-server.js'
import { StandInCall } from '../../testing/stand-in-call.js'
import {
  CALL_ID,
  dialRequest,
  expectNoLegs,
  openBench,
  ring,
  shareDb,
  type TwilioBench,
  until,
} from '../../testing/twilio-bench.js'
import { CarrierRefusal } from '../carrier.js'
import { StallGuard } from '../stall-guard.js'
import { TwilioError } from './twilio-api.js'
import type { TwilioCarrierOptions } from './twilio-carrier.js'

shareDb()
let bench: TwilioBench | undefined
afterEach(async () => {
  await bench?.close()
  bench = undefined
})

async function make(options: Partial<TwilioCarrierOptions> = {}): Promise<TwilioBench> {
  bench = await openBench(options)
  return bench
}

const ringing = async () => ring(await make())

/** A call that was answered, with its link. */
async function answered() {
  const made = await ringing()
  expect(await made.call.answer()).toBe('streaming')
  await until(() => expect(made.links).toHaveLength(1))
  const [link] = made.links
  if (link === undefined) throw new Error('There is no link.')
  return { ...made, link }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a process that stands still before it asks Twilio', () => {
  const stalled = { name: 'CarrierRefusal', code: 'stalled', mayPass: true }

  it('asks for nothing once it wakes, and forgets the leg', async () => {
    const made = await make()
    const guard = new StallGuard(made.clock)
    made.clock.advance(6_000)
    await expect(made.carrier.dial(dialRequest(), guard)).rejects.toMatchObject(stalled)
    expect(made.standIn.calls).toEqual([])
    await expectNoLegs(made)
    expect(made.reports).toEqual([])
  })

  it('does not ask again where Twilio had no time', async () => {
    const made = await make()
    let asked = 0
    made.standIn.intercept = (_request, response) => {
      asked += 1
      response.writeHead(429, { 'retry-after': '3' }).end()
      return true
    }
    // It is asked before each request.
    const guard = {
      check() {
        if (asked > 0) throw new CarrierRefusal('stalled', 'The server stood still.', { mayPass: true })
      },
    }
    let refused: unknown
    void failure(made.carrier.dial(dialRequest(), guard)).then((error) => {
      refused = error
    })
    await until(() => {
      made.clock.advance(500)
      expect(refused).toMatchObject(stalled)
    })
    expect(asked).toBe(1)
    await expectNoLegs(made)
  })
})

describe('dialling', () => {
  it('asks Twilio for the call with its callbacks', async () => {
    const { leg, call, url } = await ringing()
    expect(leg.id).toBe(call.sid)
    expect(Object.fromEntries(call.form)).toMatchObject({
      To: '+12025550123',
      From: '+12025550100',
      Url: `${url}/-/carriers/twilio/voice/${CALL_ID}`,
      StatusCallback: `${url}/-/carriers/twilio/status/${CALL_ID}`,
      Timeout: '25',
    })
    expect(call.form.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed'])
    expect(call.form.has('MachineDetection')).toBe(false)
  })

  it.each([
    ['busy', 'ended busy'],
    ['no-answer', 'ended no-answer'],
  ] as const)('reports a callee who is %s', async (behaviour, report) => {
    const { carrier, standIn, reports, pickedUp } = await make()
    standIn.callees.set('+12025550123', behaviour)
    await carrier.dial(dialRequest())
    await until(() => expect(reports).toEqual(['ringing', report]))
    expect(pickedUp).toEqual([])
    if (bench) await expectNoLegs(bench)
  })

  it.each([
    ['404', 'ended misdialed'],
    ['410', 'ended misdialed'],
    ['484', 'ended misdialed'],
    ['604', 'ended misdialed'],
    ['503', 'ended failed'],
    ['', 'ended failed'],
  ])('reports a call that failed with the SIP answer “%s” as %s', async (SipResponseCode, report) => {
    const { call, reports } = await ringing()
    await call.report('failed', SipResponseCode ? { SipResponseCode } : {})
    expect(reports).toEqual(['ringing', report])
  })

  it('hears callbacks that overtake the answer to its own request', async () => {
    const { carrier, standIn, reports } = await make()
    standIn.callbacksFirst = true
    await carrier.dial(dialRequest())
    expect(reports).toEqual(['ringing'])
    expect(standIn.call.answers).toEqual([204, 204])
  })

  it('reports late, repeated and unordered callbacks once and in order', async () => {
    const { call, reports } = await ringing()
    await call.report('ringing')
    await call.answer()
    await until(() => expect(reports).toEqual(['ringing', 'answered']))
    await call.report('ringing')
    call.hangUp()
    await call.ended
    await call.report('completed')
    await call.report('no-answer')
    expect(reports).toEqual(['ringing', 'answered', 'ended hung-up'])
  })

  it.each([
    ['+15005550001', '21211', /not a valid phone number\. \(Twilio's error 21211\)$/],
    ['+15005550003', '21215', /Geo permissions/],
  ])('is refused %s with Twilio’s code and without the number', async (number, code, words) => {
    const { carrier, reports, log } = await make()
    const error = await failure(carrier.dial(dialRequest(number)))
    expect(error).toBeInstanceOf(CarrierRefusal)
    expect(error).toMatchObject({ code })
    expect(String(error)).toMatch(words)
    expect(String(error) + log.join('')).not.toContain('5005550')
    expect(reports).toEqual([])
    if (bench) await expectNoLegs(bench)
  })

  it('is refused when the account’s credentials are wrong', async () => {
    const { carrier } = await make({ authToken: 'wrong' })
    await expect(carrier.dial(dialRequest())).rejects.toMatchObject({ name: 'CarrierRefusal', code: '20003' })
  })

  it('is refused when Twilio cannot be reached', async () => {
    const server = createServer()
    const apiUrl = await listen(server)
    await shut(server)
    const { carrier } = await make({ apiUrl })
    await expect(carrier.dial(dialRequest())).rejects.toMatchObject({
      name: 'CarrierRefusal',
      code: 'unreachable',
      isOfLines: true,
    })
  })

  it('leaves open what became of a call when Twilio fails, breaks off or is silent', async () => {
    const { carrier, standIn } = await make({ requestTimeoutMs: 50 })
    const dial = (callId: string) => failure(carrier.dial({ ...dialRequest(), callId }))
    standIn.intercept = (_request, response) => Boolean(response.writeHead(503).end('down'))
    expect(await dial(crypto.randomUUID())).toMatchObject({ name: 'TwilioError', code: 'unexpected_answer' })
    standIn.intercept = (_request, response) => Boolean(response.writeHead(201).end('{}'))
    expect(await dial(crypto.randomUUID())).toMatchObject({ name: 'TwilioError', code: 'unexpected_answer' })
    standIn.intercept = (request) => Boolean(request.socket.destroy())
    expect(await dial(crypto.randomUUID())).toMatchObject({ name: 'TwilioError', code: 'connection_lost' })
    standIn.intercept = () => true
    const error = await dial(crypto.randomUUID())
    expect(error).toBeInstanceOf(TwilioError)
    expect(error).toMatchObject({ code: 'timeout' })
  })

  it('dials a call once', async () => {
    const { carrier, standIn } = await ringing()
    await expect(carrier.dial(dialRequest())).rejects.toMatchObject({ code: 'already_dialled' })
    expect(standIn.calls).toHaveLength(1)
  })

  it('warns when Twilio could not open a stream to the public URL', async () => {
    const { log } = await make({ apiUrl: undefined })
    expect(log.join('')).toContain('until PUBLIC_URL is https')
  })

  it('logs no number and no secret', async () => {
    const { log, standIn, call, link } = await answered()
    link.close('assistant-ended-call')
    await call.ended
    expect(log.join('')).toContain('twilio call placed')
    expect(log.join('')).not.toMatch(/202555/)
    expect(log.join('')).not.toContain(standIn.authToken)
  })
})

describe('a text', () => {
  const TEXT = { to: '+12025550123', from: '+12025550100', body: 'Your code is 424242 & +1 %' }

  it('is sent once through the Messages resource, and is in no log', async () => {
    const { carrier, standIn, log } = await make()
    const asked: (string | undefined)[] = []
    standIn.intercept = ({ method, url, headers }) => {
      asked.push(`${method} ${url} ${headers['content-type']}`)
      return false
    }
    await carrier.sendText(TEXT)
    expect(asked).toEqual([
      `POST /2010-04-01/Accounts/${standIn.accountSid}/Messages.json application/x-www-form-urlencoded;charset=UTF-8`,
    ])
    expect(standIn.texts.accepted).toEqual([TEXT])
    expect(log.join('')).toContain('twilio text accepted')
    expect(log.join('')).not.toMatch(/424242|202555/)
  })

  it.each([
    ['+15005550001', '21211', 'The number to text is not a valid phone number.'],
    ['+15005550002', '21612', 'Twilio cannot bring a text from our number to this one.'],
    ['+15005550003', '21408', 'The Twilio account may not text the country of this number.'],
    [
      '+15005550004',
      '21610',
      'The person with this number has opted out of texts. They can text START to opt in again.',
    ],
    ['+15005550009', '21614', 'The number to text is not a mobile number.'],
    [
      '+12025550188',
      '21608',
      'A Twilio trial account texts only numbers that were verified with Twilio, and this one was not.',
    ],
  ])('to %s is refused with Twilio’s code %s and a plain sentence', async (to, code, message) => {
    const { carrier, standIn } = await make()
    const error = await failure(carrier.sendText({ ...TEXT, to }))
    expect(error).toBeInstanceOf(CarrierRefusal)
    expect(error).toMatchObject({ code, message })
    expect(standIn.texts.accepted).toEqual([])
  })

  it.each([
    ['+15005550001', '21212'],
    ['+15005550007', '21606'],
    ['+15005550008', '21611'],
  ])('from %s is refused with Twilio’s code %s', async (from, code) => {
    const { carrier } = await make()
    await expect(carrier.sendText({ ...TEXT, from })).rejects.toMatchObject({ name: 'CarrierRefusal', code })
  })

  it('is refused with the code alone where we know no sentence, and with nothing that Twilio quotes', async () => {
    const { carrier, standIn } = await make()
    const answers = [
      [400, { code: 21999, message: 'Your code is 424242' }, '21999'],
      [451, '<html>', 'http_451'],
      [201, { sid: 'SM1', status: 'failed', error_code: 30003, error_message: '424242' }, '30003'],
      [201, { sid: 'SM1', status: 'canceled', error_code: null }, 'canceled'],
    ] as const
    for (const [status, body, code] of answers) {
      standIn.intercept = (_request, response) =>
        Boolean(response.writeHead(status).end(JSON.stringify(body)))
      const error = await failure(carrier.sendText(TEXT))
      expect(error).toMatchObject({ name: 'CarrierRefusal', code })
      expect(String(error)).toBe(`CarrierRefusal: Twilio refused the text with its error ${code}.`)
    }
  })

  it('is refused when Twilio cannot be reached or does not know the account', async () => {
    const server = createServer()
    const apiUrl = await listen(server)
    await shut(server)
    const { carrier: cutOff } = await make({ apiUrl })
    await expect(cutOff.sendText(TEXT)).rejects.toMatchObject({ name: 'CarrierRefusal', code: 'unreachable' })
    await bench?.close()
    const { carrier } = await make({ authToken: 'wrong' })
    await expect(carrier.sendText(TEXT)).rejects.toMatchObject({ name: 'CarrierRefusal', code: '20003' })
  })

  it('whose fate is unclear is not sent again, and is no refusal', async () => {
    const { carrier, standIn } = await make({ requestTimeoutMs: 50 })
    let asked = 0
    const ends: ((request: IncomingMessage, response: ServerResponse) => unknown)[] = [
      (_request, response) => response.writeHead(503).end('down'),
      (_request, response) => response.writeHead(408).end(),
      (_request, response) => response.writeHead(302, { location: '/' }).end(),
      (_request, response) => response.writeHead(201).end('{}'),
      (request) => request.socket.destroy(),
      () => undefined,
    ]
    for (const end of ends) {
      standIn.intercept = (request, response) => {
        asked += 1
        end(request, response)
        return true
      }
      const error = await failure(carrier.sendText(TEXT))
      expect(error).toBeInstanceOf(TwilioError)
      expect(String(error)).not.toMatch(/424242|202555/)
    }
    expect(asked).toBe(ends.length)
    expect(standIn.texts.accepted).toEqual([])
  })
})

describe('an answered call', () => {
  it('has audio both ways', async () => {
    const { link, call, clock } = await answered()
    const heard: Int16Array[] = []
    const handlers = { onMessage: () => {}, onDigit: () => {}, onClosed: () => {} }
    link.open({ ...handlers, onAudio: (samples) => void heard.push(samples) })
    call.pass(400, new Resampler(16_000, 8_000).process(tone(400, 0.4)))
    await until(() => expect(heard).toHaveLength(20))
    expect(levelOf(heard[10] ?? new Int16Array())).toBeCloseTo(0.28, 1)
    link.send(tone(300, 0.4))
    const played = link.mark()
    await until(() => {
      clock.advance(320)
      call.pass(320)
      expect(call.heard.length).toBeGreaterThan(2_300)
    })
    expect(await played).toBe('played')
    expect(levelOf(call.heard.subarray(800, 1_600))).toBeCloseTo(0.28, 1)
  })

  it('ends when the callee hangs up', async () => {
    const { link, call, reports } = await answered()
    const order: string[] = []
    link.open({
      onAudio: () => {},
      onMessage: () => {},
      onDigit: () => {},
      onClosed: (reason) => void order.push(`${reason} before ${reports.length}`),
    })
    call.hangUp()
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'ended hung-up']))
    expect(order).toEqual(['left before 2'])
    if (bench) await expectNoLegs(bench)
  })

  it('ends when the session closes its link', async () => {
    const { link, call, reports } = await answered()
    link.close('assistant-ended-call')
    await call.ended
    expect(call.closeCode).toBe(1000)
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'ended hung-up']))
  })

  it('ends when the platform hangs up, and twice is once', async () => {
    const { carrier, call, reports } = await answered()
    await Promise.all([carrier.hangUp(CALL_ID), carrier.hangUp(CALL_ID)])
    await call.ended
    await carrier.hangUp(CALL_ID)
    await until(() => expect(reports).toEqual(['ringing', 'answered', 'ended hung-up']))
  })

  it('ends when a status callback says so, though its stream lives', async () => {
    const { link, call, reports } = await answered()
    const closed: string[] = []
    link.open({ onAudio() {}, onMessage() {}, onDigit() {}, onClosed: (reason) => void closed.push(reason) })
    await call.report('completed')
    expect(reports).toEqual(['ringing', 'answered', 'ended hung-up'])
    expect(closed).toEqual(['left'])
    await call.ended
  })
})

describe('that a call was picked up, and is billed', () => {
  it.each([
    ['its status', (call: StandInCall) => call.become('in-progress')],
    ['the question what to do with it', (call: StandInCall) => call.fetchStream()],
  ])('is told by %s', async (_, answer) => {
    const { call, pickedUp, reports } = await ringing()
    expect(pickedUp).toEqual([])
    await answer(call)
    expect(pickedUp).toEqual([CALL_ID])
    expect(reports).toEqual(['ringing'])
  })

  it('is told before anybody talks', async () => {
    const { pickedUp } = await answered()
    expect(new Set(pickedUp)).toEqual(new Set([CALL_ID]))
  })

  it('is told with its end, where nothing was heard before', async () => {
    const { call, pickedUp, reports } = await ringing()
    await call.report('completed')
    expect(pickedUp).toEqual([CALL_ID])
    expect(reports).toEqual(['ringing', 'ended hung-up'])
  })

  it('is not told of a call that was called off while it rang', async () => {
    const { carrier, pickedUp, reports } = await ringing()
    await carrier.hangUp(CALL_ID)
    await until(() => expect(reports).toEqual(['ringing', 'ended canceled']))
    expect(pickedUp).toEqual([])
  })
})

describe('hanging up', () => {
  it('cancels a call that rings', async () => {
    const { carrier, call, reports } = await ringing()
    await carrier.hangUp(CALL_ID)
    await until(() => expect(reports).toEqual(['ringing', 'ended canceled']))
    expect(call.status).toBe('canceled')
    if (bench) await expectNoLegs(bench)
  })

  it('waits for the sid of a call that is being placed', async () => {
    const { carrier, standIn, reports } = await make()
    const dialled = carrier.dial(dialRequest())
    await carrier.hangUp(CALL_ID)
    await dialled
    await until(() => expect(reports.at(-1)).toBe('ended canceled'))
    expect(standIn.call.status).toBe('canceled')
  })

  it('hangs up a call whose placing stayed unclear, when it turns out to live', async () => {
    const { carrier, standIn, reports } = await make()
    standIn.intercept = (_request, response) => Boolean(response.writeHead(502).end())
    await expect(carrier.dial(dialRequest())).rejects.toThrow(TwilioError)
    await carrier.hangUp(CALL_ID)
    expect(reports).toEqual([])
    standIn.intercept = () => false
    const form = new URLSearchParams({
      To: '+12025550123',
      Url: `${bench?.url}/-/carriers/twilio/voice/${CALL_ID}`,
      StatusCallback: `${bench?.url}/-/carriers/twilio/status/${CALL_ID}`,
    })
    const call = new StandInCall({ accountSid: standIn.accountSid, authToken: () => standIn.authToken, form })
    standIn.calls.push(call)
    await call.become('ringing')
    await until(() => expect(reports).toEqual(['ended canceled']))
    expect(call.status).toBe('canceled')
  })

  it('does nothing to a call that it does not know', async () => {
    const { carrier, reports } = await make()
    await carrier.hangUp('somebody-elses')
    expect(reports).toEqual([])
  })

  it.each([
    ['Twilio fails', 500],
    ['a proxy in between answers', 404],
  ])('rejects when %s, and can be tried again', async (_, status) => {
    const { carrier, standIn, reports } = await ringing()
    standIn.intercept = (_request, response) => Boolean(response.writeHead(status).end('Not here.'))
    await expect(carrier.hangUp(CALL_ID)).rejects.toThrow(TwilioError)
    standIn.intercept = () => false
    await carrier.hangUp(CALL_ID)
    await until(() => expect(reports).toEqual(['ringing', 'ended canceled']))
  })

  it('hangs up every leg at close, and dials no more', async () => {
    const { carrier, call, reports } = await answered()
    await carrier.close()
    await call.ended
    expect(reports).toEqual(['ringing', 'answered', 'ended hung-up'])
    await expect(carrier.dial(dialRequest())).rejects.toMatchObject({ code: 'closed', mayPass: true })
    if (bench) await expectNoLegs(bench)
  })
})
