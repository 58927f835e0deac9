import { once } from 'node:events'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as encryptedRequest } from 'node:https'
import type { Clock } from '@heyline/kit/clock'
import { guardedLookup, RefusedAddressError, type Resolve } from '@heyline/kit/guarded-lookup'
import { HostNames } from '@heyline/kit/host-names'
import { urlProblem } from '@heyline/kit/target-url'

/** Most bytes of an answer that are read. */
const ANSWER_MOST = 100_000

/** One for all requests of the process: they share lookups, and what is remembered. */
const hostNames = new HostNames()

export interface OutgoingRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  /** Longest that all of it may take, in seconds. */
  timeoutSeconds: number
}

export interface Guard {
  /** Addresses of private networks and of this machine are permitted, and so is http. */
  allowPrivate: boolean
  /** Instead of the system's. */
  resolve?: Resolve | undefined
  signal: AbortSignal
}

export interface GuardOptions extends Guard {
  clock: Pick<Clock, 'after'>
}

/** The answer, or why there is none, in words for the model. Neither shows an address. */
export type Answer = { status: number; text: string } | { error: string }

/**
 * Asks somebody's server, which may be anybody's. The address is checked once its name is looked up, and nothing but what was checked is
 * connected to. Redirects are not followed, and of a long answer only the beginning is read. Never rejects.
 */
export async function guardedRequest(asked: OutgoingRequest, options: GuardOptions): Promise<Answer> {
  const late = new AbortController()
  const stop = options.clock.after(asked.timeoutSeconds * 1000, () => late.abort())
  try {
    const signal = AbortSignal.any([options.signal, late.signal])
    const answer = await guardedAnswer(asked, { ...options, signal })
    const { statusCode: status = 0 } = answer
    if (status >= 300 && status < 400) {
      answer.destroy()
      return { error: 'The server of the tool redirects, and redirects are not followed.' }
    }
    return { status, text: await beginningOf(answer) }
  } catch (error) {
    if (late.signal.aborted)
      return { error: `The server of the tool did not answer within ${asked.timeoutSeconds} seconds.` }
    if (error instanceof RefusedAddressError) return { error: 'The address of the tool is not permitted.' }
    return { error: 'The server of the tool could not be reached.' }
  } finally {
    stop()
  }
}

/** The answer as it begins. Rejects, also where the address is refused. */
export async function guardedAnswer(
  { method, url, headers, body }: Omit<OutgoingRequest, 'timeoutSeconds'>,
  { allowPrivate, resolve = hostNames.find, signal }: Guard,
): Promise<IncomingMessage> {
  const problem = urlProblem(url, allowPrivate, 'TOOLS_ALLOW_PRIVATE')
  if (problem) throw new RefusedAddressError(`The address ${problem}`)
  const request = new URL(url).protocol === 'https:' ? encryptedRequest : plainRequest
  const sent = request(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    lookup: guardedLookup(resolve, allowPrivate),
    // A connection of its own: one that was checked for another request is not used again.
    agent: false,
    signal,
  })
  // What fails after the answer began shows where the answer is read.
  sent.on('error', () => {})
  const [[answer]] = await Promise.all([once(sent, 'response', { signal }), sent.end(body)])
  return answer as IncomingMessage
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    pieces.push(piece)
    size += piece.length
    if (size >= ANSWER_MOST) break
  }
  answer.destroy()
  return Buffer.concat(pieces).subarray(0, ANSWER_MOST).toString('utf8')
}
