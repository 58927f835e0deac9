import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../e2e/free-port.js'
import { TwilioStandIn } from '../../packages/voice-platform/src/testing/twilio-stand-in.js'
import { InspectedHeyline } from '../conversation/inspected-heyline.js'
import { FarEnd, type PhoneHeyline } from './far-end.js'
import { placeCall } from './place-call.js'

const PATIENCE_MS = 10_000

/** A server that places its calls through a stand-in of Twilio. */
export class TwilioHeyline implements PhoneHeyline {
  readonly #heyline: InspectedHeyline
  readonly #standIn: TwilioStandIn
  #dialled = 0

  private constructor(heyline: InspectedHeyline, standIn: TwilioStandIn) {
    this.#heyline = heyline
    this.#standIn = standIn
  }

  static async start(): Promise<TwilioHeyline> {
    const standIn = new TwilioStandIn()
    await standIn.listen()
    const port = await freePort()
    const heyline = await InspectedHeyline.start({
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      CARRIER: 'twilio',
      TWILIO_ACCOUNT_SID: standIn.accountSid,
      TWILIO_AUTH_TOKEN: standIn.authToken,
      TWILIO_API_URL: standIn.url,
      TWILIO_CALLER_ID: standIn.account.bought[0]?.number ?? '',
      TWILIO_MACHINE_DETECTION: 'off',
    })
    return new TwilioHeyline(heyline, standIn)
  }

  cpuMs(): Promise<number> {
    return this.#heyline.cpuMs()
  }

  async ring(assistant: object): Promise<FarEnd> {
    this.#dialled += 1
    const number = `+1202555${String(1_000 + this.#dialled)}`
    await placeCall(this.#heyline, assistant, number)
    const end = performance.now() + PATIENCE_MS
    while (performance.now() < end) {
      const call = this.#standIn.calls.find(({ to }) => to === number)
      if (call?.status === 'ringing') return new FarEnd(call)
      await delay(5)
    }
    throw new Error(`${number} does not ring.`)
  }

  async stop(): Promise<void> {
    await this.#heyline.stop()
    await this.#standIn.close()
  }
}
