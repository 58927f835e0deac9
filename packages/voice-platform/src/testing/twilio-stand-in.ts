import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { listen, shut, textOf } from './local-server.js'
import { StandInAccount } from './stand-in-account.js'
import { StandInCall } from './stand-in-call.js'
import { StandInDial } from './stand-in-dial.js'
import { StandInTexts } from './stand-in-texts.js'

/** What a callee does. `rings` waits for the test to answer. Who answers is told where the carrier asked for it. */
export type Behaviour = 'answers' | 'machine' | 'rings' | 'busy' | 'no-answer'

/** The numbers of Twilio's test credentials that are refused, and their codes. */
const REFUSED: Readonly<Record<string, { code: number; message: string }>> = {
  '+15005550001': { code: 21211, message: "The 'To' number +15005550001 is not a valid phone number." },
  '+15005550003': { code: 21215, message: 'Account not authorized to call +15005550003.' },
}

/** The body of a refusal (https://www.twilio.com/docs/usage/twilios-response). */
export const problem = (status: number, code: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
})

/** Twilio as a carrier sees it: the Calls resource over HTTP, then callbacks and a media stream of each call, and the Messages resource. */
export class TwilioStandIn {
  readonly accountSid = 'AC00000000000000000000000000000001'
  /** What requests must be authenticated with. */
  readonly authToken = 'sample-auth-token'
  /** What callbacks are signed with. */
  signingToken = this.authToken
  readonly calls: StandInCall[] = []
  readonly texts = new StandInTexts(this.accountSid)
  readonly account = new StandInAccount(this.accountSid)
  /** By number called; others ring. */
  readonly callees = new Map<string, Behaviour>()
  /** Callbacks come before the answer to the request that placed the call. */
  callbacksFirst = false
  /** The next call is placed and rings, but the answer to its request is lost, and its callbacks too. */
  losesAnswer = false
  /** Takes a request over before it is served; true when it did. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  /** Where it listens. */
  url = ''
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      if (this.intercept(request, response)) return
      this.#serve(request, response).catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : undefined),
      )
    })
  }

  async listen(): Promise<void> {
    this.url = await listen(this.#server)
  }

  /** The only call so far. */
  get call(): StandInCall {
    const [call] = this.calls
    if (call === undefined) throw new Error('No call was placed.')
    return call
  }

  async close(): Promise<void> {
    await Promise.all(this.calls.map((call) => call.close()))
    await shut(this.#server)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const credentials = Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64')
    if (request.headers.authorization !== `Basic ${credentials}`)
      return void reply(401, problem(401, 20003, 'Authenticate'))
    const told = request.method === 'GET' ? this.account.answer(request.url ?? '') : undefined
    if (told) return void reply(told.status, told.body)
    const account = `/2010-04-01/Accounts/${this.accountSid}`
    const base = `${account}/Calls`
    const form = new URLSearchParams(await textOf(request))
    const changed = request.method === 'POST' ? this.account.change(request.url ?? '', form) : undefined
    if (changed) return void reply(changed.status, changed.body)
    if (request.url === `${base}.json` && request.method === 'POST')
      return this.#create(form, reply, () => response.destroy())
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in')
    if (pathname === `${base}.json` && request.method === 'GET')
      return void reply(200, this.#list(searchParams))
    if (request.url === `${account}/Messages.json` && request.method === 'POST') {
      const { status, body } = this.texts.create(form)
      return void reply(status, body)
    }
    const call = this.calls.find(({ sid }) => request.url === `${base}/${sid}.json`)
    if (call === undefined)
      return void reply(404, problem(404, 20404, `The requested resource ${request.url} was not found`))
    const twiml = form.get('Twiml')
    if (twiml !== null) return this.#redirect(call, twiml, reply)
    if (request.method === 'POST') {
      if (form.get('Status') !== 'completed')
        return void reply(400, problem(400, 20001, 'Status is not one to change to.'))
      if ((call.closeCode !== undefined && !call.dial) || call.status === 'completed')
        return void reply(400, problem(400, 21220, 'Call is not in-progress. Cannot redirect.'))
      if (call.status === 'in-progress') call.hangUp()
      void call.become(call.status === 'in-progress' ? 'completed' : 'canceled')
    }
    reply(200, { sid: call.sid, status: call.status })
  }

  /** New TwiML for an answered call: its stream ends. */
  #redirect(call: StandInCall, twiml: string, reply: (status: number, body: object) => void): void {
    call.dial = StandInDial.of(twiml, call.sid, () => this.signingToken)
    if (!call.dial || call.status !== 'in-progress' || call.closeCode !== undefined) {
      reply(400, problem(400, 21220, 'Call is not in-progress. Cannot redirect.'))
      return
    }
    call.hangUp()
    reply(200, { sid: call.sid, status: call.status })
  }

  async #create(
    form: URLSearchParams,
    reply: (status: number, body: object) => void,
    lose: () => void,
  ): Promise<void> {
    const refusal = REFUSED[form.get('To') ?? '']
    if (refusal !== undefined) return reply(400, problem(400, refusal.code, refusal.message))
    const call = new StandInCall({
      accountSid: this.accountSid,
      authToken: () => this.signingToken,
      form,
    })
    this.calls.push(call)
    if (this.losesAnswer) {
      this.losesAnswer = false
      call.status = 'ringing'
      return lose()
    }
    if (this.callbacksFirst) await this.#ring(call)
    reply(201, { sid: call.sid, status: 'queued', direction: 'outbound-api' })
    if (!this.callbacksFirst) await this.#ring(call)
    const behaviour = this.callees.get(call.to) ?? 'rings'
    if (behaviour === 'answers' || behaviour === 'machine') {
      await call.answer()
      const waits = call.form.get('MachineDetection') === 'DetectMessageEnd'
      await call.detect(behaviour === 'answers' ? 'human' : waits ? 'machine_end_beep' : 'machine_start')
    } else if (behaviour !== 'rings') await call.become(behaviour)
  }

  /** Calls as a filter means them (https://www.twilio.com/docs/voice/api/call-resource#read-multiple-call-resources). */
  #list(filter: URLSearchParams): object {
    const since = Date.parse(filter.get('StartTime>') ?? '')
    const found = this.calls.filter(
      ({ form, createdAt, status }) =>
        form.get('To') === filter.get('To') &&
        form.get('From') === filter.get('From') &&
        status !== 'queued' &&
        createdAt.getTime() >= since,
    )
    const time = (at: Date) => at.toUTCString().replace('GMT', '+0000')
    return {
      calls: found.toReversed().map((call) => ({
        sid: call.sid,
        status: call.status,
        direction: 'outbound-api',
        to: call.to,
        from: call.form.get('From'),
        date_created: time(call.createdAt),
        start_time: time(call.createdAt),
      })),
      page: 0,
      page_size: Number(filter.get('PageSize')),
      next_page_uri: null,
    }
  }

  async #ring(call: StandInCall): Promise<void> {
    await call.become('initiated')
    await call.become('ringing')
  }
}
