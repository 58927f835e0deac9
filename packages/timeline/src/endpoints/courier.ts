import type { Clock } from '@heyline/kit/clock'
import { type Digest, digestMail, type EventMail, eventMail } from '../messages/event-mail.js'
import { signedHeaders } from '../messages/signature.js'
import { slackBody, slackDigestBody } from '../messages/slack-body.js'
import type { EventLinks, ToldEvent } from '../messages/told-event.js'
import { webhookBody } from '../messages/webhook-body.js'
import { guardedPost, type PostOptions } from '../outgoing/guarded-post.js'
import { type TryResult, timed } from '../outgoing/try-result.js'
import type { EndpointRow } from './endpoint-rows.js'
import type { EndpointSecrets } from './sealed-secrets.js'

export interface CourierOptions extends PostOptions, EventLinks {
  secrets: EndpointSecrets
  clock: Pick<Clock, 'now'>
  /** Undefined: there is no mail server. */
  sendMail?: ((mail: EventMail) => Promise<void>) | undefined
}

/** Longest that a mail server may take for one mail, in ms. */
const MAIL_MS = 30_000

export const NO_MAIL = 'There is no mail server: set SMTP_URL and MAIL_FROM'

/** Tries to tell one endpoint. What fails is in the result; nothing rejects. */
export class Courier {
  readonly #options: CourierOptions

  constructor(options: CourierOptions) {
    this.#options = options
  }

  tell(endpoint: EndpointRow, event: ToldEvent): Promise<TryResult & { ms: number }> {
    return timed(() => {
      switch (endpoint.kind) {
        case 'webhook':
          return this.#webhook(endpoint, event)
        case 'slack':
          return this.#post(endpoint.target, {}, slackBody(event, this.#options.pageOf(event)))
        case 'email':
          return this.#mail(eventMail(endpoint.target, event, this.#options.pageOf(event)))
      }
    })
  }

  /** One message of many events, to people. */
  tellAll({ kind, target }: EndpointRow, digest: Digest): Promise<TryResult & { ms: number }> {
    const { pageOf } = this.#options
    return timed(() =>
      kind === 'slack'
        ? this.#post(target, {}, slackDigestBody(digest, pageOf))
        : this.#mail(digestMail(target, digest, pageOf)),
    )
  }

  async #webhook(endpoint: EndpointRow, event: ToldEvent): Promise<TryResult> {
    const { secrets, clock, linkOf } = this.#options
    const at = clock.now()
    const signing = secrets.signing(endpoint, at)
    if (signing === undefined || signing.length === 0)
      return {
        status: null,
        error: 'Its secret was sealed with another key than this installation has now: give it a new one',
      }
    const body = webhookBody(event, linkOf(event))
    return await this.#post(endpoint.target, signedHeaders({ id: event.id, at, body }, signing), body)
  }

  async #post(url: string, headers: Record<string, string>, body: string): Promise<TryResult> {
    const all = { 'content-type': 'application/json', 'user-agent': 'Heyline', ...headers }
    return await guardedPost({ url, headers: all, body }, this.#options)
  }

  async #mail(mail: EventMail): Promise<TryResult> {
    const { sendMail } = this.#options
    if (!sendMail) return { status: null, error: NO_MAIL }
    try {
      await within(MAIL_MS, sendMail(mail))
      return { status: null, error: null }
    } catch (error) {
      return { status: null, error: error instanceof Error ? error.message : 'The mail was not taken' }
    }
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let late: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`The mail server took longer than ${ms / 1000} seconds`)), ms)
  })
  try {
    await Promise.race([work, limit])
  } finally {
    clearTimeout(late)
  }
}
