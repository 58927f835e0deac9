import type { HttpMethod } from '../api/operation.js'

/** The request that an error is about. `path` is the operation's, with its braces: no id, token or body is in an error. */
export interface RequestErrorContext {
  method: HttpMethod
  path: string
  cause?: unknown
}

/** Base of every error of this client. An abort is none: it rejects with the signal's own reason. */
export abstract class RequestError extends Error {
  override readonly name: string = 'RequestError'
  /** Stable, in snake_case. */
  readonly code: string
  readonly method: HttpMethod
  readonly path: string

  constructor(code: string, message: string, { method, path, cause }: RequestErrorContext) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.method = method
    this.path = path
  }
}

/** The request could not be built and was not sent: `invalid_path_parameter`, `invalid_query`, `invalid_body`. */
export class InvalidRequestError extends RequestError {
  override readonly name = 'InvalidRequestError'
}

/** No whole answer within the client's time limit, all attempts together. Whether the platform acted is not known. */
export class TimeoutError extends RequestError {
  override readonly name = 'TimeoutError'
  readonly timeoutMs: number

  constructor(timeoutMs: number, context: RequestErrorContext) {
    super('timeout', `${context.method} ${context.path} was not answered within ${timeoutMs} ms`, context)
    this.timeoutMs = timeoutMs
  }
}
