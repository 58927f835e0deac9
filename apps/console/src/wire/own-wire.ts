import { OwnWireError } from './own-wire-error.js'

/** Who is signed in, as the table of operators has it. */
export interface Operator {
  email: string
  role: 'owner' | 'editor' | 'viewer'
}

/** A session of one's own. Times are ISO. */
export interface OwnSession {
  id: string
  created_at: string
  refreshed_at: string | null
  user_agent: string | null
  ip: string | null
  aal: string | null
  current: boolean
}

export interface OwnWireOptions {
  /** Absolute. */
  authUrl: string
  key: string
  /** Absolute address of what is `/-` at our server. */
  serverUrl: string
  fetch: typeof fetch
  /** The access token of who is signed in. */
  token(): Promise<string>
}

/** What is asked beside Supabase's own auth calls. All reject with an `OwnWireError`, or as `fetch` does. */
export class OwnWire {
  readonly #options: OwnWireOptions

  constructor(options: OwnWireOptions) {
    this.#options = options
  }

  /** Makes the first owner. */
  async setUp(owner: { code: string; email: string; password: string }): Promise<void> {
    await this.#ask(`${this.#options.serverUrl}/operators/setup`, 'POST', {}, owner)
  }

  /** Rejects with `not_an_operator` or `second_factor_needed` too. */
  async operator(): Promise<Operator> {
    return await this.#askAsMe(`${this.#options.serverUrl}/office/operators/me`, 'GET')
  }

  async sessions(): Promise<OwnSession[]> {
    return await this.#askAsMe(`${this.#options.authUrl}/sessions`, 'GET')
  }

  async endSession(id: string): Promise<void> {
    await this.#askAsMe(`${this.#options.authUrl}/sessions/${encodeURIComponent(id)}`, 'DELETE')
  }

  /** Ten new ones. Those before them end. */
  async newRecoveryCodes(): Promise<string[]> {
    const { codes } = await this.#askAsMe<{ codes: string[] }>(
      `${this.#options.authUrl}/recovery_codes`,
      'POST',
    )
    return codes
  }

  async #askAsMe<Answer>(url: string, method: string): Promise<Answer> {
    const { key, token } = this.#options
    return await this.#ask(url, method, { authorization: `Bearer ${await token()}`, apikey: key })
  }

  async #ask<Answer>(
    url: string,
    method: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> {
    const answer = await this.#options.fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.ok) return text && JSON.parse(text)
    throw refusal(answer.status, text)
  }
}

function refusal(status: number, text: string): OwnWireError {
  try {
    const { code, error_code, message, msg } = JSON.parse(text)
    return new OwnWireError(status, error_code ?? code, String(message ?? msg ?? status))
  } catch {
    return new OwnWireError(status, undefined, `The server answered ${status}`)
  }
}
