import { twilioSignature } from '../carriers/twilio/twilio-signature.js'

/** What follows `<Dial>`, as the carrier answered. */
export interface AfterDial {
  status: number
  twiml: string
}

/** A call that Twilio connects with another number, by the TwiML that took the place of its media stream. */
export class StandInDial {
  readonly #callSid: string
  readonly #twiml: string
  readonly #authToken: () => string

  /** Undefined for TwiML without `<Dial>`. */
  static of(twiml: string, callSid: string, authToken: () => string): StandInDial | undefined {
    return /<Dial\b/.test(twiml) ? new StandInDial(twiml, callSid, authToken) : undefined
  }

  private constructor(twiml: string, callSid: string, authToken: () => string) {
    this.#twiml = twiml
    this.#callSid = callSid
    this.#authToken = authToken
  }

  /** The number that rings. */
  get number(): string {
    return />([^<>]+)<\/Number>/.exec(this.#twiml)?.[1] ?? ''
  }

  /** An attribute of `<Dial>` or `<Number>`. */
  attribute(name: string): string | undefined {
    return new RegExp(` ${name}="([^"]*)"`).exec(this.#twiml)?.[1]
  }

  /** The dialled number is done with: asks the carrier what follows. `spoilt` signs with another token. */
  async over(dialCallStatus: string, { spoilt = false } = {}): Promise<AfterDial> {
    const url = this.attribute('action') ?? ''
    const body = new URLSearchParams({
      CallSid: this.#callSid,
      CallStatus: 'in-progress',
      DialCallStatus: dialCallStatus,
    })
    const signature = twilioSignature(spoilt ? 'another-token' : this.#authToken(), url, body)
    const response = await fetch(url, { method: 'POST', headers: { 'x-twilio-signature': signature }, body })
    return { status: response.status, twiml: await response.text() }
  }
}
