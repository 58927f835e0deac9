import { boundedText } from '@heyline/kit/bounded-bytes'
import type { Clock } from '@heyline/kit/clock'
import { z } from 'zod'
import { boundedJson } from '../../work/bounded-json.js'
import { CarrierRefusal, type DialGuard, type LegEnd } from '../carrier.js'
import { callRefusal } from './call-refusals.js'
import { textRefusal } from './text-refusals.js'
import { SID } from './twilio-sid.js'

/** Failures that leave open whether a call was placed or ended. */
export type TwilioErrorCode = 'already_dialled' | 'connection_lost' | 'timeout' | 'unexpected_answer'

/** Twilio's answer is missing or unclear: the request may have taken effect. The message holds no phone number. */
export class TwilioError extends Error {
  override readonly name = 'TwilioError'
  readonly code: TwilioErrorCode

  constructor(code: TwilioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Twilio's final call statuses (Call resource, `CallStatus`). Any other status means that the call goes on. */
const ENDS: ReadonlyMap<string, LegEnd> = new Map([
  ['completed', 'hung-up'],
  ['busy', 'busy'],
  ['no-answer', 'no-answer'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
])

/**
 * SIP answers that are about the number: nobody has it (404), nobody has it any more (410), it is incomplete or ambiguous (484, 485), it
 * exists nowhere (604). Source: RFC 3261, section 21.
 */
const MISDIALED: ReadonlySet<string> = new Set(['404', '410', '484', '485', '604'])

/** How a leg with this `CallStatus` ended, and this `SipResponseCode` where it is told. Undefined while it goes on, and for an unknown status. */
export function endOf(status: string | undefined, sipCode?: string): LegEnd | undefined {
  if (status === undefined) return undefined
  if (status === 'failed' && sipCode !== undefined && MISDIALED.has(sipCode)) return 'misdialed'
  return ENDS.get(status)
}

export interface TwilioApiOptions {
  accountSid: string
  authToken: string
  /** Without a final slash; `https://api.twilio.com`, or that of a carrier which speaks the same wire. */
  apiUrl: string
  fetch: typeof fetch
  /** Longest wait for an answer, in milliseconds. */
  timeoutMs: number
  clock: Clock
}

/** Most bytes of an answer: a list of fifty calls has a tenth of it. And characters of Twilio's own words that are told on. */
const MOST_BYTES = 1_000_000
const MOST_WORDS = 1_000

/** How long a request that Twilio had no time for waits for its second try, where Twilio does not say it, and at most. In milliseconds. */
const PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 3_000

const callResource = z.object({ sid: z.string().regex(SID), status: z.string().max(50) })
/** A call in the list of calls. `date_created` is RFC 2822. */
const listedCall = callResource.extend({ direction: z.string().nullish(), date_created: z.string() })
const callList = z.object({ calls: z.array(listedCall) })
const messageResource = callResource.extend({ error_code: z.coerce.string().nullish() })
const problem = z.object({
  code: z.union([z.string().max(20), z.number()]).transform(String),
  message: z.string().transform((text) => text.slice(0, MOST_WORDS)),
})

/** Statuses of a text that goes nowhere (Message resource, `Status`). */
const NOT_SENT: ReadonlySet<string> = new Set(['failed', 'undelivered', 'canceled'])

/** A call of the account, as its list has it. */
export interface ListedCall {
  sid: string
  status: string
  /** Milliseconds since the epoch, in whole seconds. */
  createdAt: number
}

/** How the failure of a request that makes something is told. */
interface Creation {
  unsent: string
  /** By Twilio's error code and message. */
  refusal(code: string, said: string): CarrierRefusal
}

const CALL: Creation = {
  unsent: 'no call was placed',
  refusal: (code, said) => callRefusal(code, withoutNumbers(said)),
}
const TEXT: Creation = { unsent: 'no text was sent', refusal: textRefusal }

const REDIRECT: Creation = {
  unsent: 'the call goes on as before',
  refusal: (code, said) =>
    new CarrierRefusal(code, `Twilio refused to transfer the call: ${withoutNumbers(said)}`),
}

/** Failures of Node's `fetch` before any byte of the request was sent. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/

/** What a phone leg needs of Twilio's Calls resource (2010-04-01), and a text of its Messages resource. Basic authentication, form bodies. */
export class TwilioApi {
  readonly #options: TwilioApiOptions

  constructor(options: TwilioApiOptions) {
    this.#options = options
  }

  /**
   * Places a call; resolves with its sid. Rejects with a `CarrierRefusal` when Twilio said no (its own code) or could not be
   * reached (`unreachable`), and with a `TwilioError` when the call may have been placed: timeout, lost connection, 5xx.
   */
  async createCall(form: URLSearchParams, guard?: DialGuard): Promise<string> {
    const body = await this.#create('Calls.json', form, CALL, guard)
    const call = callResource.safeParse(body)
    if (call.success) return call.data.sid
    throw new TwilioError('unexpected_answer', 'Twilio accepted the call but its answer names no call.')
  }

  /**
   * Sends a text; resolves with its sid. Asks once: a text whose answer is missing or unclear is not sent again. Rejects as
   * `createCall` does.
   */
  async createMessage(form: URLSearchParams): Promise<string> {
    const body = await this.#create('Messages.json', form, TEXT)
    const message = messageResource.safeParse(body)
    if (!message.success)
      throw new TwilioError('unexpected_answer', 'Twilio accepted the text but its answer names no text.')
    const { sid, status, error_code } = message.data
    if (NOT_SENT.has(status)) throw TEXT.refusal(error_code ?? status, '')
    return sid
  }

  /** Gives an answered call new TwiML. Asks once, and rejects as `createCall` does: after a `TwilioError` it may have it. */
  async redirectCall(sid: string, twiml: string): Promise<void> {
    await this.#create(callPath(sid), new URLSearchParams({ Twiml: twiml }), REDIRECT)
  }

  /** Ends a ringing or answered call. Resolves with its new status; `completed` when it was over before. Rejects with a `TwilioError`. */
  async completeCall(sid: string): Promise<string> {
    const response = await this.#request(callPath(sid), new URLSearchParams({ Status: 'completed' }))
    const body = await readJson(response)
    // Twilio answers 400 (21220) for a call that is over, and 404 (20404) for one that it has forgotten. A proxy's own 404 says nothing of a call.
    if ((response.status === 404 || response.status === 400) && problem.safeParse(body).success)
      return 'completed'
    return statusIn(response, body)
  }

  /** The `CallStatus` of a call. Rejects with a `TwilioError`. */
  async callStatus(sid: string): Promise<string> {
    const response = await this.#request(callPath(sid))
    return statusIn(response, await readJson(response))
  }

  /**
   * The calls that were placed by this API from one number to another, and dialled since then (ms since the epoch), 50 at most. Rejects with a
   * `TwilioError`.
   */
  async listCalls({ to, from, since }: { to: string; from: string; since: number }): Promise<ListedCall[]> {
    // Twilio writes times without fractions.
    const time = `${new Date(since).toISOString().slice(0, 19)}Z`
    const query = new URLSearchParams({ To: to, From: from, 'StartTime>': time, PageSize: '50' })
    const response = await this.#request(`Calls.json?${query}`)
    const list = callList.safeParse(await readJson(response))
    if (!response.ok || !list.success) throw unexpected(response)
    return list.data.calls
      .filter(({ direction }) => direction === 'outbound-api')
      .map(({ sid, status, date_created }) => ({ sid, status, createdAt: Date.parse(date_created) }))
  }

  /** Twilio's answer to a request that it has accepted. */
  async #create(
    path: string,
    form: URLSearchParams,
    { unsent, refusal }: Creation,
    guard?: DialGuard,
  ): Promise<unknown> {
    let response: Response
    try {
      response = await this.#request(path, form, guard)
    } catch (error) {
      if (!wasNeverSent(error)) throw error
      const message = `Twilio could not be reached, so ${unsent}; check the network and TWILIO_API_URL.`
      throw new CarrierRefusal('unreachable', message, { cause: error, isOfLines: true })
    }
    const body = await readJson(response)
    if (response.ok) return body
    if (response.status < 400 || response.status >= 500 || response.status === 408) throw unexpected(response)
    const { data } = problem.safeParse(body)
    throw refusal(data?.code ?? `http_${response.status}`, data?.message ?? 'no reason given')
  }

  /** A request with 429 had no effect, so it is made again, once, unless Twilio wants it much later. */
  async #request(path: string, form?: URLSearchParams, guard?: DialGuard): Promise<Response> {
    guard?.check()
    const response = await this.#ask(path, form)
    const pause = pauseAfter(response)
    if (response.status !== 429 || pause > LONGEST_PAUSE_MS) return response
    await response.body?.cancel()
    await new Promise<void>((resolve) => void this.#options.clock.after(pause, resolve))
    guard?.check()
    return await this.#ask(path, form)
  }

  async #ask(path: string, form?: URLSearchParams): Promise<Response> {
    const { accountSid, authToken, apiUrl, fetch, timeoutMs } = this.#options
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
    try {
      return await fetch(`${apiUrl}/2010-04-01/Accounts/${accountSid}/${path}`, {
        method: form ? 'POST' : 'GET',
        headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
        body: form ?? null,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        throw new TwilioError('timeout', `Twilio did not answer within ${timeoutMs} ms.`, { cause: error })
      throw new TwilioError('connection_lost', 'The connection to Twilio broke.', { cause: error })
    }
  }
}

/** `Retry-After` in milliseconds. A date, which Twilio does not send, counts as much later. */
function pauseAfter(response: Response): number {
  const header = response.headers.get('retry-after')
  if (header === null) return PAUSE_MS
  const seconds = Number(header)
  return Number.isNaN(seconds) ? Number.POSITIVE_INFINITY : seconds * 1000
}

const callPath = (sid: string): string => `Calls/${encodeURIComponent(sid)}.json`

async function readJson(response: Response): Promise<unknown> {
  return boundedJson(await boundedText(response, MOST_BYTES).catch(() => ''))
}

function statusIn(response: Response, body: unknown): string {
  const call = callResource.safeParse(body)
  if (response.ok && call.success) return call.data.status
  throw unexpected(response)
}

const unexpected = (response: Response): TwilioError =>
  new TwilioError(
    'unexpected_answer',
    `Twilio answered ${response.status}, which says nothing of what was asked.`,
  )

/** Walks the causes of a failed `fetch`. It wraps the socket's error, or an aggregate with one error for each address. */
function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && BEFORE_SENDING.test(error.code)) return true
  if ('syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')) return true
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent)
  return wasNeverSent(error.cause)
}

/** Twilio quotes the number that it refuses. Records and logs must not have it. E.164 numbers have at least seven digits. */
const withoutNumbers = (text: string): string => text.replace(/\+?\d[\d ().-]{5,}\d/g, '[number]')
