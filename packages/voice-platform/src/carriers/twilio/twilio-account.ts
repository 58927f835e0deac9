import { boundedText } from '@heyline/kit/bounded-bytes'
import { z } from 'zod'
import { boundedJson } from '../../work/bounded-json.js'
import {
  type AccountCredentials,
  type InboundRoute,
  type NumberAccount,
  NumberAccountError,
  type NumberRight,
} from '../number-account.js'
import { type InboundNumber, inboundNumber, routeOf, sentTo } from './inbound-number.js'
import { inboundUrl } from './twilio-callback.js'

/** Longest wait for an answer, in milliseconds: a start asks, and must not hang. */
const PATIENCE_MS = 5_000
/** Most bytes of an answer. */
const MOST_BYTES = 1_000_000

export interface TwilioAccountOptions {
  /** `AC…` */
  accountSid: string
  authToken: string
  /** Without a final slash; `https://api.twilio.com`, or that of a carrier which speaks the same wire. */
  apiUrl: string
  /** Where Twilio reaches this server. Without it nothing can be said of calls that come in. */
  publicUrl?: string | undefined
  fetch?: typeof fetch
  /** Longest wait for an answer, in milliseconds; 5000. */
  timeoutMs?: number
}

const numbers = z.array(
  z.object({
    phone_number: z.string(),
    // Numbers that were bought for texts alone place no calls. Verified ones have no such field.
    capabilities: z.object({ voice: z.boolean().optional() }).optional(),
  }),
)
const bought = z.object({ incoming_phone_numbers: z.array(inboundNumber) })
const verified = z.object({ outgoing_caller_ids: numbers })
const permission = z.object({ low_risk_numbers_enabled: z.boolean() })

/**
 * What a Twilio account may call from and where to: its numbers, its verified caller ids, and its geo permissions. Calls to a number are
 * the one thing that it can change.
 */
export class TwilioAccount implements NumberAccount {
  readonly sid: string
  readonly #options: TwilioAccountOptions
  readonly #voiceUrl: string
  readonly #ours: string | undefined

  constructor(options: TwilioAccountOptions) {
    this.sid = options.accountSid
    this.#options = options
    this.#voiceUrl = voiceUrlOf(options.apiUrl)
    this.#ours = options.publicUrl && inboundUrl(options.publicUrl.replace(/\/+$/, ''))
  }

  async find(number: string, credentials?: AccountCredentials): Promise<NumberRight | undefined> {
    const [own, proven] = await Promise.all([
      this.#bought(number, credentials),
      this.#ask(`${this.#account}/OutgoingCallerIds.json${searchFor(number)}`, verified, { credentials }),
    ])
    if (own) return 'bought'
    return proven.outgoing_caller_ids.some((each) => isIt(each, number)) ? 'verified' : undefined
  }

  async inbound(number: string): Promise<InboundRoute | undefined> {
    const own = await this.#bought(number)
    return own && routeOf(own, this.#ours)
  }

  async receive(number: string, { overwrite }: { overwrite: boolean }): Promise<boolean> {
    const ours = this.#ours
    if (ours === undefined || (isTwilio(this.#options.apiUrl) && !ours.startsWith('https:')))
      throw new NumberAccountError(
        'no_address',
        'PUBLIC_URL must be the https address at which Twilio reaches this server.',
      )
    const own = await this.#bought(number)
    if (!own)
      throw new NumberAccountError(
        'not_bought',
        'Only calls to a number that was bought at Twilio can come here; this one is a verified caller id, or not of the account.',
      )
    const route = routeOf(own, ours)
    if (route.to === 'here') return false
    if (route.to === 'elsewhere' && !overwrite)
      throw new NumberAccountError(
        'taken',
        `Calls to this number go to ${route.where} now. Nothing was changed: add --overwrite to have them come here.`,
      )
    const path = `${this.#account}/IncomingPhoneNumbers/${encodeURIComponent(own.sid)}.json`
    const changed = await this.#ask(path, inboundNumber, { form: sentTo(ours) })
    if (routeOf(changed, ours).to === 'here') return true
    throw new NumberAccountError(
      'unanswered',
      'Twilio took the change, but still sends calls to this number elsewhere.',
    )
  }

  /** The number as the account has it, where it was bought and can call. */
  async #bought(number: string, credentials?: AccountCredentials): Promise<InboundNumber | undefined> {
    const url = `${this.#account}/IncomingPhoneNumbers.json${searchFor(number)}`
    const { incoming_phone_numbers } = await this.#ask(url, bought, { credentials })
    return incoming_phone_numbers.find((each) => isIt(each, number))
  }

  get #account(): string {
    return `${this.#options.apiUrl}/2010-04-01/Accounts/${encodeURIComponent(this.sid)}`
  }

  /** Whether the account's geo permissions let it call ordinary numbers of this country (ISO 3166, two letters). Rejects with a `NumberAccountError`. */
  async mayCall(country: string): Promise<boolean> {
    const url = `${this.#voiceUrl}/v1/DialingPermissions/Countries/${encodeURIComponent(country)}`
    return (await this.#ask(url, permission)).low_risk_numbers_enabled
  }

  /** GET, or POST with a form. */
  async #ask<Schema extends z.ZodType>(
    url: string,
    schema: Schema,
    { credentials, form }: { credentials?: AccountCredentials | undefined; form?: URLSearchParams } = {},
  ): Promise<z.infer<Schema>> {
    const { accountSid, authToken, timeoutMs = PATIENCE_MS } = this.#options
    const { user, password } = credentials ?? { user: accountSid, password: authToken }
    const signal = AbortSignal.timeout(timeoutMs)
    let response: Response
    let text: string
    try {
      response = await (this.#options.fetch ?? fetch)(url, {
        method: form ? 'POST' : 'GET',
        body: form ?? null,
        headers: {
          authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
          accept: 'application/json',
        },
        redirect: 'manual',
        signal,
      })
      text = await boundedText(response, MOST_BYTES, signal)
    } catch (cause) {
      if (cause instanceof RangeError)
        throw new NumberAccountError('unanswered', `Twilio's answer cannot be read: ${cause.message}.`, {
          cause,
        })
      throw new NumberAccountError('unanswered', `Twilio did not answer within ${timeoutMs} ms.`, { cause })
    }
    if (response.status === 401 || response.status === 403)
      throw new NumberAccountError('refused', 'Twilio does not take these credentials for the account.')
    const answer = schema.safeParse(response.ok ? boundedJson(text) : undefined)
    if (answer.success) return answer.data
    throw new NumberAccountError(
      'unanswered',
      `Twilio answered ${response.status}, which says nothing of what was asked.`,
    )
  }
}

/** Twilio takes a part of a number for a search, so others may be listed too. */
const searchFor = (number: string): string =>
  `?${new URLSearchParams({ PhoneNumber: number, PageSize: '50' })}`

const isIt = (each: z.infer<typeof numbers>[number], number: string): boolean =>
  each.phone_number === number && each.capabilities?.voice !== false

/** Not one that only speaks its wire. */
const isTwilio = (apiUrl: string): boolean => /(^|\.)twilio\.com$/.test(new URL(apiUrl).hostname)

/** Twilio's own hosts have one for each product; one that only speaks its wire has a single one. */
function voiceUrlOf(apiUrl: string): string {
  const url = new URL(apiUrl)
  if (/^api\.([a-z0-9-]+\.)*twilio\.com$/.test(url.hostname)) url.hostname = `voice${url.hostname.slice(3)}`
  return url.href.replace(/\/$/, '')
}
