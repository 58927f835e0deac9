import { checkTimeout } from './deadline.js'
import { type ConnectionSettings, Exchange } from './exchange.js'
import { request } from './request.js'
import type { RequestInput, RequestOperation, RequestOptions } from './request-input.js'

export interface PlatformClientOptions {
  /** A public token (browsers, `calls.createWeb` only) or a private one. */
  token: string
  /** Where the platform's API is. Default `https://api.vapi.ai`; a slash at its end is dropped. */
  baseUrl?: string | undefined
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** Bound of one request, all its tries together, in milliseconds (1 – 2,147,483,647). Default 30,000. In a stream it bounds each silence. */
  timeoutMs?: number | undefined
  /** Tries after the first of a GET, PUT or DELETE. Default 2. A POST or PATCH is always sent once. */
  retries?: number | undefined
}

/** The hosted platform's public API. */
export const DEFAULT_BASE_URL = 'https://api.vapi.ai'

/** Refuses settings that could only fail later, or show the token in an error of `fetch`. */
function check({ token, timeoutMs, retries }: ConnectionSettings): void {
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('token must be visible ASCII characters, without spaces')
  }
  checkTimeout(timeoutMs)
  if (!(Number.isInteger(retries) && retries >= 0)) {
    throw new TypeError('retries must be 0 or a positive integer')
  }
}

/** An absolute address without a slash at its end; in a browser a relative one is taken from the page. Throws a `TypeError` for no web address. */
function resolveBaseUrl(baseUrl: string): string {
  let url: URL | undefined
  try {
    url = new URL(baseUrl, globalThis.location?.href)
  } catch {
    // Said below, without a cause: the address may hold a secret.
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError('baseUrl must be a web address (http or https) without a query')
  }
  return url.href.replace(/\/+$/, '')
}

/** The client without its table of operations, for code that needs only a few: one per token and base URL, with no state beside them. */
export class PlatformCore {
  readonly #settings: ConnectionSettings

  /** Throws a `TypeError` for an option that cannot work. */
  constructor({ token, baseUrl, fetch, timeoutMs, retries }: PlatformClientOptions) {
    this.#settings = {
      token,
      baseUrl: resolveBaseUrl(baseUrl ?? DEFAULT_BASE_URL),
      // Looked up at each request, and called without a receiver, as browsers demand.
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs: timeoutMs ?? 30_000,
      retries: retries ?? 2,
    }
    check(this.#settings)
  }

  /** Where the platform's API is, without a slash at its end. */
  get baseUrl(): string {
    return this.#settings.baseUrl
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
    return (await request(this.exchange(operation, input, options), operation.answer)) as Answer
  }

  /** One request with its time limit, not sent yet. */
  protected exchange(
    operation: RequestOperation,
    input?: RequestInput,
    options?: RequestOptions,
    accept?: string,
  ): Exchange {
    return new Exchange(this.#settings, operation, input, options, accept)
  }
}
