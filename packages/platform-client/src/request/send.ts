import { ConnectionError } from '../errors/connection-error.js'
import { InvalidRequestError } from '../errors/invalid-request-error.js'
import { PlatformError } from '../errors/platform-error.js'
import { readPlatformError } from '../errors/read-platform-error.js'
import type { RequestErrorContext } from '../errors/request-error.js'
import { TimeoutError } from '../errors/timeout-error.js'
import type { Operation } from '../operations/operation.js'
import { fillPath } from '../operations/path.js'
import { Deadline } from './deadline.js'
import { queryString } from './query-string.js'
import type { RequestOptions } from './request-options.js'
import { isRetryable, retryDelay } from './retry.js'

/** What `send` needs of an operation: any operation of the platform can be named so, also one that has no row in the table. */
export type RequestOperation = Pick<Operation, 'method' | 'path'> & Partial<Operation>

/** What goes out with a request. */
export interface RequestInput {
  /** Values of the path's parameters, by name. */
  path?: Readonly<Record<string, string | number>>
  /** Arrays repeat the name; `Date` becomes ISO 8601; `undefined` and `null` are left out. */
  query?: object
  /** Sent as JSON; left out when undefined. */
  body?: unknown
}

export interface SendSettings {
  token: string
  /** Without a slash at its end. */
  baseUrl: string
  fetch: typeof globalThis.fetch
  /** Bound of one request, all its tries together. */
  timeoutMs: number
  /** Tries after the first. */
  retries: number
}

export type Send = (
  operation: RequestOperation,
  input?: RequestInput,
  options?: RequestOptions,
) => Promise<unknown>

/** Writes the body, before anything is sent. */
function writeBody(body: unknown, context: RequestErrorContext): string | undefined {
  try {
    return body === undefined ? undefined : JSON.stringify(body)
  } catch (cause) {
    const message = `The body of ${context.method} ${context.path} cannot be written as JSON`
    throw new InvalidRequestError('invalid_body', message, { ...context, cause })
  }
}

/** Reads a good answer: JSON parsed, other text as it is, undefined for an empty one. */
function readBody(response: Response, body: string, context: RequestErrorContext): unknown {
  if (body === '') return undefined
  const type = response.headers.get('content-type') ?? ''
  const invalid = (what: string) => {
    const message = `${context.method} ${context.path} was answered with ${what}: check the base URL`
    return new PlatformError({
      ...context,
      status: response.status,
      code: 'invalid_response',
      message,
    })
  }
  if (/^text\/html\b/i.test(type)) throw invalid('a web page')
  if (!/\bjson\b/i.test(type)) return body
  try {
    return JSON.parse(body)
  } catch {
    // The parser's error quotes the body, so it is not kept as the cause.
    throw invalid('JSON that does not parse')
  }
}

/** The one way in which a request reaches the platform. */
export function createSend({ token, baseUrl, fetch, timeoutMs, retries }: SendSettings): Send {
  async function sendOnce(url: string, init: RequestInit, context: RequestErrorContext): Promise<unknown> {
    let response: Response
    let body: string
    try {
      response = await fetch(url, init)
      body = await response.text()
    } catch (cause) {
      if (init.signal?.aborted) throw init.signal.reason
      throw new ConnectionError({ ...context, cause })
    }
    if (!response.ok) throw readPlatformError(response, body, token, context)
    return readBody(response, body, context)
  }

  return async (operation, input = {}, options = {}) => {
    const context = { method: operation.method, path: operation.path }
    options.signal?.throwIfAborted()
    const url = `${baseUrl}${fillPath(context.method, context.path, input.path)}${queryString(context.method, context.path, input.query)}`
    const body = writeBody(input.body, context)
    const headers = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(operation.auth === 'none' ? {} : { authorization: `Bearer ${token}` }),
    }
    const deadline = new Deadline(timeoutMs, () => new TimeoutError(timeoutMs, context), options.signal)
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await sendOnce(
            url,
            { method: context.method, headers, body, signal: deadline.signal },
            context,
          )
        } catch (error) {
          if (attempt > retries || !isRetryable(context.method, error)) throw error
          const delay = retryDelay(attempt, error, Math.random)
          // A wait past the time limit would only hide what the platform said.
          if (delay >= deadline.remainingMs) throw error
          await deadline.wait(delay)
        }
      }
    } finally {
      deadline.close()
    }
  }
}
