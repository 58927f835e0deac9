import { randomUUID } from 'node:crypto'

interface Refusal {
  code: number
  message: string
}

/** Recipients that get no text: those of Twilio's test credentials, and one that a trial account has not verified. */
const REFUSED_TO: Readonly<Record<string, Refusal>> = {
  '+15005550001': { code: 21211, message: "The 'To' number +15005550001 is not a valid phone number." },
  '+15005550002': { code: 21612, message: "The 'To' and 'From' numbers cannot be connected." },
  '+15005550003': { code: 21408, message: 'Permission to send an SMS to +15005550003 has not been enabled.' },
  '+15005550004': { code: 21610, message: 'Attempt to send to unsubscribed recipient' },
  '+15005550009': { code: 21614, message: "'To' number is not a valid mobile number: +15005550009" },
  '+12025550188': { code: 21608, message: 'The number +12025550188 is unverified.' },
}

/** Senders that send no text, of Twilio's test credentials. */
const REFUSED_FROM: Readonly<Record<string, Refusal>> = {
  '+15005550001': { code: 21212, message: "The 'From' number +15005550001 is not a valid phone number." },
  '+15005550007': { code: 21606, message: "The 'From' phone number +15005550007 is not SMS-capable." },
  '+15005550008': { code: 21611, message: "The 'From' number +15005550008 has too many messages queued." },
}

const MISSING: Readonly<Record<'To' | 'From' | 'Body', Refusal>> = {
  To: { code: 21604, message: "A 'To' phone number is required." },
  From: { code: 21603, message: "A 'From' phone number is required." },
  Body: { code: 21602, message: 'Message body is required.' },
}

/** Twilio's Messages resource. https://www.twilio.com/docs/messaging/api/message-resource */
export class StandInTexts {
  /** What was accepted. */
  readonly accepted: { to: string; from: string; body: string }[] = []
  readonly #accountSid: string

  constructor(accountSid: string) {
    this.#accountSid = accountSid
  }

  /** The answer to a request that makes a text. */
  create(form: URLSearchParams): { status: number; body: object } {
    const [to, from, body] = [form.get('To') ?? '', form.get('From') ?? '', form.get('Body') ?? '']
    const missing = (['To', 'From', 'Body'] as const).find((name) => !form.get(name))
    const refusal = missing ? MISSING[missing] : (REFUSED_TO[to] ?? REFUSED_FROM[from])
    if (refusal) {
      const more_info = `https://www.twilio.com/docs/errors/${refusal.code}`
      return { status: 400, body: { ...refusal, more_info, status: 400 } }
    }
    this.accepted.push({ to, from, body })
    return { status: 201, body: this.#resource({ to, from, body }) }
  }

  #resource(text: { to: string; from: string; body: string }): object {
    const sid = `SM${randomUUID().replaceAll('-', '')}`
    const path = `/2010-04-01/Accounts/${this.#accountSid}/Messages/${sid}`
    const now = new Date().toUTCString()
    return {
      account_sid: this.#accountSid,
      api_version: '2010-04-01',
      body: text.body,
      date_created: now,
      date_sent: null,
      date_updated: now,
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
      from: text.from,
      messaging_service_sid: null,
      num_media: '0',
      num_segments: '1',
      price: null,
      price_unit: null,
      sid,
      status: 'queued',
      subresource_uris: { media: `${path}/Media.json` },
      to: text.to,
      uri: `${path}.json`,
    }
  }
}
