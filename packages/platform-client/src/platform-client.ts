import { createResources } from './operations/create-resources.js'
import type { Resources } from './operations/resources.js'
import type { RequestOptions } from './request/request-options.js'
import { createSend, type RequestInput, type RequestOperation, type Send } from './request/send.js'

export interface PlatformClientOptions {
  /** A public token (browsers, `calls.createWeb` only) or a private one. */
  token: string
  /** Where the platform's API is. Default `https://api.vapi.ai`; a slash at its end is dropped. */
  baseUrl?: string
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** Bound of one request, all its tries together, in milliseconds (1 – 2,147,483,647). Default 30,000. */
  timeoutMs?: number
  /** Tries after the first of a GET, PUT or DELETE. Default 2. A POST or PATCH is always sent once. */
  retries?: number
}

/** The hosted platform's public API. */
export const DEFAULT_BASE_URL = 'https://api.vapi.ai'
const defaultTimeoutMs = 30_000
const longestTimeoutMs = 2 ** 31 - 1
const defaultRetries = 2

/** Refuses settings that could only fail later, or show the token in an error of `fetch`. */
function checkOptions({
  token,
  timeoutMs = defaultTimeoutMs,
  retries = defaultRetries,
}: PlatformClientOptions): void {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token must be visible ASCII characters, without spaces')
  if (!(timeoutMs >= 1 && timeoutMs <= longestTimeoutMs)) {
    throw new TypeError(`timeoutMs must be 1 to ${longestTimeoutMs} milliseconds`)
  }
  if (!(Number.isInteger(retries) && retries >= 0))
    throw new TypeError('retries must be 0 or a positive integer')
}

/**
 * A client of the voice platform's REST API: one per token and base URL, with no state beside them.
 * It has the operations of the exported `operations` table, and no others; `request` reaches the rest.
 */
export class PlatformClient {
  /** `create`, `createWeb`, `list`, `get`. */
  readonly calls: Resources['calls']
  /** `list`, `create`. */
  readonly assistants: Resources['assistants']
  readonly #send: Send

  constructor(options: PlatformClientOptions) {
    checkOptions(options)
    this.#send = createSend({
      token: options.token,
      baseUrl: (options.baseUrl ?? DEFAULT_BASE_URL).replace(/\/+$/, ''),
      // Looked up at each request, and called without a receiver, as browsers demand.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      retries: options.retries ?? defaultRetries,
    })
    const resources = createResources(this.#send)
    this.calls = resources.calls
    this.assistants = resources.assistants
  }

  /**
   * Sends any request: `request({ method: 'GET', path: '/assistant/{id}' }, { path: { id } })`. Resolves with the parsed JSON,
   * the text of another answer, or undefined for an empty one; the type is what the caller expects of the platform.
   * Rejects with a `PlatformError`, `ConnectionError`, `TimeoutError` or `InvalidRequestError`, or with the signal's reason.
   */
  async request<Answer = unknown>(
    operation: RequestOperation,
    input?: RequestInput,
    options?: RequestOptions,
  ): Promise<Answer> {
    return (await this.#send(operation, input, options)) as Answer
  }
}
