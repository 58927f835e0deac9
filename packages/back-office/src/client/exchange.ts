import { LinesError } from '../lines/lines-error.js'
import type { Operation } from '../operations/operation.js'
import type { GivenLines } from './given-lines.js'
import { OfficeError } from './office-error.js'

export interface ExchangeOptions {
  /** The server's address; the API is below `/-/office` there. */
  url: string
  headers?: Record<string, string>
  fetch?: typeof fetch
  /** What is thrown in place of an `OfficeError`. */
  errorOf?: (error: OfficeError) => Error
}

const PATIENCE_MS = 10_000

/** Then nothing has been sent. */
const NOT_CONNECTED: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** A read that the server has too many of is asked for again, so many times. */
const MOST_TRIES = 6
/** Codes of such refusals. */
const TOO_MANY: readonly unknown[] = ['too_many_reads', 'too_many_pages']
/** Longest that the server may have us wait, in seconds, before it is asked again. */
const LONGEST_WAIT = 5

/** Asks, and resolves with an answer that is no refusal. Rejects with an `OfficeError`. */
export async function exchange(
  { url, headers, fetch: reach = fetch }: ExchangeOptions,
  operation: Operation,
  { query, given, ...init }: RequestInit & { query: URLSearchParams; given?: GivenLines; duplex?: 'half' },
): Promise<Response> {
  const search = query.size > 0 ? `?${query}` : ''
  const signal = init.signal ?? signalOf(operation)
  for (let tried = 1; ; tried++) {
    let answer: Response
    try {
      answer = await reach(`${url}/-/office${operation.path}${search}`, {
        method: operation.method,
        ...init,
        signal,
        headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) },
      })
    } catch (error) {
      if (given?.failure) throw given.failure.error
      throw unanswered(url, operation, error)
    }
    if (answer.ok) return answer
    const error = refusal(answer.status, await answer.json().catch(() => undefined))
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
    if (!TOO_MANY.includes(error.code) || tried >= MOST_TRIES || !(seconds <= LONGEST_WAIT)) throw error
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    if (signal?.aborted) throw error
  }
}

/** By hand: the console's first screen has no room for zod. */
function refusal(status: number, said: unknown): OfficeError {
  const { code, message, field }: Record<string, unknown> =
    typeof said === 'object' && said ? { ...said } : {}
  if (typeof code !== 'string' || typeof message !== 'string')
    return new OfficeError(status, 'unknown', `status ${status}`)
  return new OfficeError(status, code, message, { field: typeof field === 'string' ? field : undefined })
}

/** The JSON of an answer. */
export async function jsonOf(answer: Response, operation: Operation): Promise<unknown> {
  try {
    return await answer.json()
  } catch (error) {
    throw noAnswer(operation, error)
  }
}

const signalOf = ({ patienceMs = PATIENCE_MS }: Operation): AbortSignal | null =>
  Number.isFinite(patienceMs) ? AbortSignal.timeout(patienceMs) : null

function unanswered(url: string, operation: Operation, error: unknown): OfficeError {
  const cause = error instanceof TypeError ? error.cause : error
  if (cause instanceof LinesError) return new OfficeError(413, cause.code, cause.message, { cause })
  if (!NOT_CONNECTED.includes(Reflect.get(Object(cause), 'code'))) return noAnswer(operation, error)
  return new OfficeError(0, 'unreachable', `${new URL(url).origin} can't be reached`, { cause: error })
}

const noAnswer = ({ method, reads }: Operation, cause: unknown) =>
  reads || method === 'GET'
    ? new OfficeError(0, 'unreachable', 'The server sent no whole answer: try again', { cause })
    : new OfficeError(0, 'no_answer', 'The server sent no answer: whether it was done is unknown', { cause })
