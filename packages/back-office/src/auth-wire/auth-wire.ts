import { AuthWireError } from './auth-wire-error.js'

/** For whom the server asks. What is limited by address is then limited by theirs, and a session has the name of their browser. */
export interface WireClient {
  /** Undefined where it is not known. */
  address: string | undefined
  userAgent: string | undefined
}

export interface AuthWireOptions {
  /** The auth wire, e.g. `https://PROJECT.supabase.co/auth/v1`. */
  url: string
  /** Opens the admin calls, and stands for the installation in all others. */
  secretKey: string
  /** How the wire is reached; by default over the network. */
  fetch?: typeof fetch
  /** How our own end is reached, which is told who that client is. Left out: as `fetch`. */
  fetchFor?: ((client: WireClient) => typeof fetch) | undefined
}

/** What is asked. */
export interface WireCall {
  body?: unknown
  /** An access token; left out: the secret key. */
  token?: string
  client?: WireClient
}

/** Longest that the wire may take to answer, in ms. */
const PATIENCE_MS = 10_000
/** Has GoTrue answer errors in its newer form. */
const VERSION = '2024-01-01'

/** GoTrue's wire, the same for our own end and for a Supabase project. */
export class AuthWire {
  readonly url: string
  readonly #secretKey: string
  readonly #fetch: typeof fetch
  readonly #fetchFor: (client: WireClient) => typeof fetch

  constructor({ url, secretKey, fetch: reach = fetch, fetchFor = () => reach }: AuthWireOptions) {
    this.url = url
    this.#secretKey = secretKey
    this.#fetch = reach
    this.#fetchFor = fetchFor
  }

  /** Resolves with the JSON of the answer; with undefined where it has none. Rejects with an `AuthWireError`. */
  async ask(method: string, path: string, { body, token, client }: WireCall = {}): Promise<unknown> {
    const headers = {
      apikey: this.#secretKey,
      authorization: `Bearer ${token ?? this.#secretKey}`,
      'x-supabase-api-version': VERSION,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      // A project takes it from whoever has its secret key, if its setting "IP address forwarding" is on.
      ...(client?.address !== undefined && { 'sb-forwarded-for': client.address }),
    }
    const reach = client ? this.#fetchFor(client) : this.#fetch
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const answer = await reach(`${this.url}${path}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'error',
        signal,
      })
      if (!answer.ok) throw await AuthWireError.of(answer)
      const text = await answer.text()
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      if (error instanceof AuthWireError) throw error
      const origin = new URL(this.url).origin
      throw new AuthWireError(0, 'unreachable', `The accounts at ${origin} can't be reached: try again`, {
        cause: error,
      })
    }
  }
}
