import { createServer, type Server } from 'node:http'
import { twilioSignature } from '../packages/voice-platform/src/carriers/twilio/twilio-signature.js'
import { listen, shut, textOf } from '../packages/voice-platform/src/testing/local-server.js'
import { StandInAccount } from '../packages/voice-platform/src/testing/stand-in-account.js'

const ACCOUNT_SID = `AC${'1'.repeat(32)}`
const AUTH_TOKEN = 'f'.repeat(32)

/** A carrier that speaks Twilio's wire, and at which nobody has any number: each call fails at once. */
export class EmptyNumbers {
  /** The numbers that were dialled, in order. */
  readonly dialled: string[] = []
  /** What the network answers (`SipResponseCode`); undefined where that is not told. */
  sipCode: string | undefined
  /** Settings of a server that dials here. */
  readonly settings: Readonly<Record<string, string>>
  readonly #server: Server

  private constructor(url: string, server: Server, account: StandInAccount) {
    this.settings = {
      TWILIO_ACCOUNT_SID: ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: AUTH_TOKEN,
      TWILIO_API_URL: url,
      TWILIO_CALLER_ID: account.bought[0]?.number ?? '',
      COMPANY_NAME: 'Acme',
    }
    this.#server = server
  }

  /** Tells the server at this address on this machine what becomes of its calls. */
  static async start(serverUrl: string): Promise<EmptyNumbers> {
    const server = createServer()
    const account = new StandInAccount(ACCOUNT_SID)
    const carrier = new EmptyNumbers(await listen(server), server, account)
    server.on('request', async (request, response) => {
      if (request.method === 'GET') {
        const { status, body } = account.answer(request.url ?? '') ?? { status: 404, body: {} }
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return
      }
      const form = new URLSearchParams(await textOf(request))
      const sid = `CA${String(carrier.dialled.push(form.get('To') ?? '')).padStart(32, '0')}`
      response.writeHead(201, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ sid, status: 'queued' }))
      await carrier.#fail(sid, form.get('StatusCallback') ?? '', serverUrl).catch(() => undefined)
    })
    return carrier
  }

  /** The callback is signed for the server's public address. */
  async #fail(CallSid: string, callback: string, serverUrl: string): Promise<void> {
    const body = new URLSearchParams({ CallSid, CallStatus: 'failed' })
    if (this.sipCode !== undefined) body.set('SipResponseCode', this.sipCode)
    const headers = { 'x-twilio-signature': twilioSignature(AUTH_TOKEN, callback, body) }
    await fetch(serverUrl + new URL(callback).pathname, { method: 'POST', headers, body })
  }

  close(): Promise<void> {
    return shut(this.#server)
  }
}
