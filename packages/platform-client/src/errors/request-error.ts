import type { HttpMethod } from '../operations/operation.js'

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
