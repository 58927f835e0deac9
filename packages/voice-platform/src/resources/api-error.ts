import type { ContentfulStatusCode } from 'hono/utils/http-status'

/**
 * The statuses that the platform answers with when it refuses, and their names in the body. 422 is what the hosted platform has and this
 * one does not serve: clients try again after a 5xx, and 400 and 404 would say that the request is wrong or the thing is gone.
 */
const ERROR_NAMES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  422: 'Not Served',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const satisfies Partial<Record<ContentfulStatusCode, string>>

export type ErrorStatus = keyof typeof ERROR_NAMES

/** The platform's error body. A list of messages where a body was checked, one text otherwise. */
export interface ErrorBody {
  message: string | string[]
  error: string
  statusCode: number
  /** Tells this refusal from others of its status, where a client has to know. */
  code?: string
}

export interface ApiErrorOptions extends ErrorOptions {
  /** When the request may be made again (`Retry-After`), in seconds. */
  retryAfterSeconds?: number | undefined
  code?: string
}

/** A refused request. It holds what the client is told, and nothing else. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: ErrorStatus
  readonly body: ErrorBody
  readonly retryAfterSeconds: number | undefined

  constructor(status: ErrorStatus, message: string | string[], options: ApiErrorOptions = {}) {
    super(Array.isArray(message) ? message.join('; ') : message, options)
    this.status = status
    this.retryAfterSeconds = options.retryAfterSeconds
    const { code } = options
    this.body = {
      message,
      error: ERROR_NAMES[status],
      statusCode: status,
      ...(code !== undefined && { code }),
    }
  }

  /** A part of the hosted platform that this one lacks. The message says which, and what to do instead where there is something. */
  static notServed(message: string): ApiError {
    return new ApiError(422, message)
  }
}
