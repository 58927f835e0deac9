import { z } from 'zod'
import {
  type AccountCredentials,
  type NumberAccount,
  NumberAccountError,
  type NumberRight,
} from '../number-account.js'

/** Longest wait for an answer, in milliseconds: a start asks, and must not hang. */
const PATIENCE_MS = 5_000
/** Longest answer that is read, in characters. */
const LONGEST = 1_000_000

export interface TwilioAccountOptions {
  /** `AC…` */
  accountSid: string
  authToken: string
  /** Without a final slash; `https://api.twilio.com`, or that of a carrier which speaks the same wire. */
  apiUrl: string
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
const bought = z.object({ incoming_phone_numbers: numbers })
const verified = z.object({ outgoing_caller_ids: numbers })
const permission = z.object({ low_risk_numbers_enabled: z.boolean() })

/** What a Twilio account may call from and where to: its numbers, its verified caller ids, and its geo permissions. Only GET. */
export class TwilioAccount implements NumberAccount {
  readonly sid: string
  readonly #options: TwilioAccountOptions
  readonly #voiceUrl: string

  constructor(options: TwilioAccountOptions) {
    this.sid = options.accountSid
    this.#options = options
    this.#voiceUrl = voiceUrlOf(options.apiUrl)
  }

  async find(number: string, credentials?: AccountCredentials): Promise<NumberRight | undefined> {
    const query = `?${new URLSearchParams({ PhoneNumber: number, PageSize: '50' })}`
    const account = `${this.#options.apiUrl}/2010-04-01/Accounts/${encodeURIComponent(this.sid)}`
    const [own, proven] = await Promise.all([
      this.#get(`${account}/IncomingPhoneNumbers.json${query}`, bought, credentials),
      this.#get(`${account}/OutgoingCallerIds.json${query}`, verified, credentials),
    ])
    // Twilio takes a part of a number for a search, so others may be listed too.
    const isIt = (each: z.infer<typeof numbers>[number]) =>
      each.phone_number === number && each.capabilities?.voice !== false
    if (own.incoming_phone_numbers.some(isIt)) return 'bought'
    return proven.outgoing_caller_ids.some(isIt) ? 'verified' : undefined
  }

  /** Whether the account's geo permissions let it call ordinary numbers of this country (ISO 3166, two letters). Rejects with a `NumberAccountError`. */
  async mayCall(country: string): Promise<boolean> {
    const url = `${this.#voiceUrl}/v1/DialingPermissions/Countries/${encodeURIComponent(country)}`
    return (await this.#get(url, permission)).low_risk_numbers_enabled
  }

  async #get<Schema extends z.ZodType>(
    url: string,
    schema: Schema,
    credentials?: AccountCredentials,
  ): Promise<z.infer<Schema>> {
    const { accountSid, authToken, timeoutMs = PATIENCE_MS } = this.#options
    const { user, password } = credentials ?? { user: accountSid, password: authToken }
    let response: Response
    let text: string
    try {
      response = await (this.#options.fetch ?? fetch)(url, {
        headers: {
          authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
          accept: 'application/json',
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      text = await response.text()
    } catch (cause) {
      throw new NumberAccountError('unanswered', `Twilio did not answer within ${timeoutMs} ms.`, { cause })
    }
    if (response.status === 401 || response.status === 403)
      throw new NumberAccountError('refused', 'Twilio does not take these credentials for the account.')
    const answer = schema.safeParse(response.ok && text.length <= LONGEST ? jsonOf(text) : undefined)
    if (answer.success) return answer.data
    throw new NumberAccountError(
      'unanswered',
      `Twilio answered ${response.status}, which says nothing of what was asked.`,
    )
  }
}

/** Twilio's own hosts have one for each product; one that only speaks its wire has a single one. */
function voiceUrlOf(apiUrl: string): string {
  const url = new URL(apiUrl)
  if (/^api\.([a-z0-9-]+\.)*twilio\.com$/.test(url.hostname)) url.hostname = `voice${url.hostname.slice(3)}`
  return url.href.replace(/\/$/, '')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
