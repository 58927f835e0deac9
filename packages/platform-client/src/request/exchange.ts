import { ConnectionError } from '../errors/connection-error.js'
import { invalidAnswer } from '../errors/platform-error.js'
import { readPlatformError } from '../errors/read-platform-error.js'
import { type RequestErrorContext, TimeoutError } from '../errors/request-error.js'
import { Deadline } from './deadline.js'
import { fillPath } from './path.js'
import { queryString } from './query-string.js'
import { writeBody } from './request-body.js'
import type { RequestInput, RequestOperation, RequestOptions } from './request-input.js'
import { isRepeatable } from './retry.js'

export interface ConnectionSettings {
  token: string
  /** Without a slash at its end. */
  baseUrl: string
  fetch: typeof globalThis.fetch
  /** Bound of one request, all its tries together. */
  timeoutMs: number
  /** Tries after the first. */
  retries: number
}

/** One request with its time limit, ready to be sent, and sent again. Close it. */
export class Exchange {
  readonly deadline: Deadline
  /** Tries after the first. */
  readonly retries: number
  readonly context: RequestErrorContext
  readonly #settings: ConnectionSettings
  readonly #url: string
  readonly #init: RequestInit

  /** Throws an `InvalidRequestError`, or the signal's reason when it is aborted already. */
  constructor(
    settings: ConnectionSettings,
    { method, path, body: kind, auth }: RequestOperation,
    input: RequestInput = {},
    options: RequestOptions = {},
    accept = 'application/json',
  ) {
    const { baseUrl, token } = settings
    const { signal, timeoutMs = settings.timeoutMs } = options
    const context = { method, path }
    signal?.throwIfAborted()
    const { body, headers } = writeBody(kind, input.body, context)
    if (auth !== 'none') headers.authorization = `Bearer ${token}`
    this.#settings = settings
    this.retries = settings.retries
    this.context = context
    this.#url = baseUrl + fillPath(method, path, input.path) + queryString(method, path, input.query)
    this.deadline = new Deadline(timeoutMs, () => new TimeoutError(timeoutMs, context), signal)
    this.#init = {
      method,
      headers: { accept, ...headers },
      ...(body === undefined ? {} : { body }),
      signal: this.deadline.signal,
      // What may be sent once only is not sent to another address, nor turned into a GET.
      redirect: isRepeatable(method) ? 'follow' : 'manual',
    }
  }

  /** Sends it and resolves with an answer of a good status, its body unread. Rejects with the error of another one. */
  async send(): Promise<Response> {
    const { fetch, token } = this.#settings
    const response = await this.reading(() => fetch(this.#url, this.#init))
    if (response.ok) return response
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      response.body?.cancel().catch(() => {})
      throw invalidAnswer(this.context, response.status, 'a redirect')
    }
    throw readPlatformError(response, await this.reading(() => response.text()), token, this.context)
  }

  /** Waits for something of the connection; rejects with a `ConnectionError`, a `TimeoutError` or the signal's reason. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.deadline
    try {
      return await this.deadline.race(work)
    } catch (cause) {
      throw signal.aborted ? signal.reason : new ConnectionError({ ...this.context, cause })
    }
  }
}
