import { once } from 'node:events'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as encryptedRequest } from 'node:https'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { guardedLookup, RefusedAddressError, type Resolve } from '@heyline/kit/guarded-lookup'
import { HostNames } from '@heyline/kit/host-names'
import { readRetryAfter } from './retry-after.js'
import { urlProblem } from './target-url.js'
import type { TryResult } from './try-result.js'

/** Longest that a try may take in all: name, connection, request and answer, in ms. */
const TRY_MS = 10_000
/** So much of an answer is read, in bytes. */
const ANSWER_MOST = 65_536

/** One for all posts of the process: they share lookups, and what is remembered. */
const hostNames = new HostNames()

export interface PostOptions {
  /** Addresses of private networks and of this machine are permitted, and so is http. */
  allowPrivate: boolean
  /** Instead of the system's. */
  resolve?: Resolve | undefined
  /** Instead of `TRY_MS`. */
  tryMs?: number | undefined
  clock?: Pick<Clock, 'now'>
}

/** A message for a program. */
export interface Message {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Posts a message to somebody's program, which may be anybody's. It never rejects; the status decides, whatever the answer's body is. */
export async function guardedPost(message: Message, options: PostOptions): Promise<TryResult> {
  const problem = urlProblem(message.url, options.allowPrivate)
  if (problem) return { status: null, error: `The address ${problem}` }
  const { tryMs = TRY_MS, clock = systemClock } = options
  const ended = AbortSignal.timeout(tryMs)
  try {
    const answer = await answered(message, options, ended)
    await readSome(answer)
    return judged(answer, clock.now())
  } catch (error) {
    return {
      status: null,
      error: ended.aborted ? `No answer within ${tryMs / 1000} seconds` : reasonOf(error),
    }
  }
}

async function answered(
  { url, headers, body }: Message,
  { allowPrivate, resolve = hostNames.find }: PostOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = new URL(url).protocol === 'https:' ? encryptedRequest : plainRequest
  const sent = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: guardedLookup(resolve, allowPrivate),
    // A connection of its own: one that was checked for another delivery is not used again.
    agent: false,
    signal,
  })
  // Whatever happens after the answer began changes nothing any more.
  sent.on('error', () => {})
  const [answer] = await Promise.all([once(sent, 'response'), sent.end(body)])
  return answer[0] as IncomingMessage
}

/** Lets the receiver finish a short answer, and drops a long or slow one. */
async function readSome(answer: IncomingMessage): Promise<void> {
  let size = 0
  try {
    for await (const piece of answer) {
      size += (piece as Buffer).length
      if (size > ANSWER_MOST) break
    }
  } catch {
    // It was cut off, by its sender or by the time limit: the status is known.
  }
  answer.destroy()
}

/** These may say when to come back. */
const BUSY: readonly number[] = [429, 503]

function judged({ statusCode = 0, headers }: IncomingMessage, now: number): TryResult {
  if (statusCode >= 200 && statusCode < 300) return { status: statusCode, error: null }
  if (statusCode >= 300 && statusCode < 400) {
    const to = headers.location === undefined ? '' : ` to ${headers.location}`
    return { status: statusCode, error: `It redirects${to}, and redirects are not followed` }
  }
  const asked = BUSY.includes(statusCode) ? headers['retry-after'] : undefined
  return {
    status: statusCode,
    error: `It answered ${statusCode}`,
    ...(asked !== undefined && { retryAfterMs: readRetryAfter(asked, now) }),
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the host is not known',
  ETIMEOUT: 'The name of the host could not be looked up in time',
  EAI_AGAIN: 'The name of the host could not be looked up',
  ECONNREFUSED: 'Nobody listens there (ECONNREFUSED)',
  ECONNRESET: 'The connection was cut off (ECONNRESET)',
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddressError) return error.message
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: '', message: '' }
  return REASONS[code ?? ''] ?? (message || code || 'The connection failed')
}
