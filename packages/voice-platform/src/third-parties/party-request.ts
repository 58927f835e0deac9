import { boundedText } from '@heyline/kit/bounded-bytes'
import { RefusedAddressError } from '@heyline/kit/guarded-lookup'
import { jsonExcess } from '@heyline/kit/json-excess'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'

/** How long a third party may take, in milliseconds, and the most bytes and values of its answer: a list has a thousand entries at most. */
const LONGEST_MS = 20_000
const MOST_BYTES = 4_000_000
const MOST_VALUES = 250_000
/** Characters of a party’s own words that are told on. */
const MOST_WORDS = 300
const RETRY_SECONDS = 10

export interface Party {
  /** As errors name it. */
  name: string
  headers: Readonly<Record<string, string>>
  fetch: typeof fetch
}

/** Asks a third party, and reads its JSON. Rejects with an `ApiError` that says what the party does not do, and what to do about it. */
export async function askParty<Answer>(
  party: Party,
  url: URL,
  schema: z.ZodType<Answer>,
  init: { method?: 'POST'; body?: string | FormData; type?: string } = {},
): Promise<Answer> {
  const { status, text } = await answered(party, url, init)
  const body = await jsonOf(text)
  if (status === 401 || status === 403)
    throw new ApiError(
      400,
      `${party.name} does not accept the key of its credential. Store one that it accepts.`,
    )
  if (status === 429)
    throw new ApiError(429, `${party.name} is asked too often. Try again in a moment.`, {
      retryAfterSeconds: RETRY_SECONDS,
    })
  if (status >= 400 && status < 500)
    throw new ApiError(status === 404 ? 404 : 400, `${party.name} refuses this: ${wordsOf(body, status)}`)
  const read = schema.safeParse(body)
  if (status >= 200 && status < 300 && read.success) return read.data
  throw unavailable(party, status < 300 ? 'sent an answer that cannot be read' : `answered ${status}`)
}

async function answered(
  { name, headers, fetch }: Party,
  url: URL,
  { method, body, type }: { method?: 'POST'; body?: string | FormData; type?: string },
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(LONGEST_MS)
  try {
    const response = await fetch(url, {
      method: method ?? 'GET',
      headers: { accept: 'application/json', ...headers, ...(type && { 'content-type': type }) },
      ...(body !== undefined && { body }),
      // A key goes to the party alone.
      redirect: 'error',
      signal,
    })
    return { status: response.status, text: await boundedText(response, MOST_BYTES, signal) }
  } catch (cause) {
    if (cause instanceof RefusedAddressError)
      throw new ApiError(
        400,
        `${name} is not asked: its address is on this machine or in a private network, or is not https. TOOLS_ALLOW_PRIVATE=on permits that.`,
        { cause },
      )
    throw unavailable({ name }, 'cannot be reached', cause)
  }
}

async function jsonOf(text: string): Promise<unknown> {
  try {
    return (await jsonExcess(text, { values: MOST_VALUES })) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const said = z.looseObject({ message: z.string() }).transform(({ message }) => message)
const words = z.union([
  z.string(),
  said,
  z.looseObject({ errors: z.tuple([said], z.unknown()) }).transform(({ errors }) => errors[0]),
])
const failure = z.looseObject({
  detail: words.optional().catch(undefined),
  message: words.optional().catch(undefined),
  error: words.optional().catch(undefined),
})

/** What a party says is wrong, where it says so in one of the usual fields. */
function wordsOf(body: unknown, status: number): string {
  const { data } = failure.safeParse(body)
  return (data?.detail ?? data?.message ?? data?.error)?.slice(0, MOST_WORDS) || `its answer is ${status}`
}

const unavailable = ({ name }: { name: string }, what: string, cause?: unknown): ApiError =>
  new ApiError(503, `${name} ${what}. Try again in a moment.`, { cause, retryAfterSeconds: RETRY_SECONDS })
