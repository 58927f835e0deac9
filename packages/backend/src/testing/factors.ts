import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { createClient, isAuthError, type SupabaseClient } from '@supabase/supabase-js'
import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { afterAll, beforeAll, describe } from 'vitest'
import type { BackendAuthOptions } from '../index.js'
import { createBackend } from '../index.js'
import { serveHttp } from './http-server.js'
import { KEYS } from './keys.js'
import { authOptions, PASSWORD, type RunningAuth, runAuth } from './running-auth.js'

/** A step of an authenticator app, in ms. */
export const STEP_MS = 30_000

/** The auth wire as two processes on one database, and the carrier of its text messages. */
export interface FactorWire extends RunningAuth {
  texts: { to: string; body: string }[]
  /** What sending does before it succeeds. */
  carrier: { send: () => Promise<void> }
  /** A client that is signed in by password; each is a browser of its own, and comes to the other process than the one before. */
  signIn(email: string, address?: string): Promise<SupabaseClient>
}

async function runFactors(open: () => Promise<Db>): Promise<FactorWire> {
  const texts: FactorWire['texts'] = []
  const carrier = { send: async () => {} }
  const sendText: BackendAuthOptions['sendText'] = async (text) => {
    await carrier.send()
    texts.push(text)
  }
  const first = await runAuth({ open, auth: { sendText } })
  const second = createBackend({
    db: first.db,
    keys: KEYS,
    functions: {},
    auth: { ...authOptions(first.clock), sendText },
    logger: pino({}, { write: (line: string) => first.log.push(JSON.parse(line)) }),
  })
  const other = await serveHttp((request) => second.fetch(request))
  const urls = [first.url, other.url]
  let turn = 0
  return {
    ...first,
    texts,
    carrier,
    async signIn(email, address = '192.0.2.1') {
      turn += 1
      const client = createClient(urls[turn % 2] ?? '', KEYS.publishable, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { headers: { 'x-test-address': address } },
      })
      const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
      if (error) throw error
      return client
    },
    async close() {
      await other.close()
      await second.close()
      await first.close()
    },
  }
}

/** What tests of second factors do, with real clients over HTTP. */
export class FactorTests {
  wire!: FactorWire

  /** The e-mail of a new account. */
  async anyone(): Promise<string> {
    return (await this.wire.newUser()).email
  }

  /** So many browsers that are signed in to it. */
  async tabs(email: string, many: number): Promise<SupabaseClient[]> {
    const clients = []
    for (let n = 0; n < many; n += 1) clients.push(await this.wire.signIn(email))
    return clients
  }

  /** What an app with this secret shows, now or so many steps later. */
  shown(secret: string, steps = 0): string {
    const timestamp = this.wire.clock.now() + steps * STEP_MS
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  }

  /** Six digits that it shows neither now nor one step before or after. */
  wrong(secret: string): string {
    const right = [-1, 0, 1].map((steps) => this.shown(secret, steps))
    return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? ''
  }

  async enrol(client: SupabaseClient, friendlyName = 'App'): Promise<{ factorId: string; secret: string }> {
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
    if (error) throw error
    return { factorId: data.id, secret: data.totp.secret }
  }

  /** Enrols an app and verifies it; afterwards its next code is good. */
  async verified(
    client: SupabaseClient,
    friendlyName = 'App',
  ): Promise<{ factorId: string; secret: string }> {
    const { factorId, secret } = await this.enrol(client, friendlyName)
    const code = this.shown(secret)
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
    if (error) throw error
    this.wire.clock.advance(STEP_MS)
    return { factorId, secret }
  }

  /** A phone that answers the text it was sent. */
  async verifiedPhone(client: SupabaseClient, phone: string): Promise<string> {
    const { data, error } = await client.auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: phone })
    if (error) throw error
    const challengeId = await this.challenge(client, data.id)
    const answer = await client.auth.mfa.verify({ factorId: data.id, challengeId, code: this.texted() })
    if (answer.error) throw answer.error
    return data.id
  }

  /** The digits of the newest text. */
  texted(): string {
    return /^[0-9]{6}/.exec(this.wire.texts.at(-1)?.body ?? '')?.[0] ?? ''
  }

  async challenge(client: SupabaseClient, factorId: string): Promise<string> {
    const { data, error } = await client.auth.mfa.challenge({ factorId })
    if (error) throw error
    return data.id
  }

  /** Ten recovery codes. */
  async recoveryCodes(client: SupabaseClient): Promise<string[]> {
    const answer = await this.ask(client, 'POST', '/recovery_codes')
    return (answer.body as { codes: string[] }).codes
  }

  /** A request of ours in place of the client's, with its token or another. */
  async ask(
    client: SupabaseClient,
    method: string,
    path: string,
    { body, token }: { body?: unknown; token?: string } = {},
  ): Promise<{ status: number; body: unknown }> {
    const response = await this.wire.ask(method, path, {
      body,
      token: token ?? (await this.tokenOf(client)),
      address: '192.0.2.1',
    })
    return { status: response.status, body: await response.json() }
  }

  async tokenOf(client: SupabaseClient): Promise<string> {
    return (await client.auth.getSession()).data.session?.access_token ?? ''
  }

  async userIdOf(client: SupabaseClient): Promise<string> {
    return (await client.auth.getUser()).data.user?.id ?? ''
  }

  /** Where the session is, and where it could be. */
  async levels(client: SupabaseClient): Promise<unknown[]> {
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    return [data?.currentLevel, data?.nextLevel]
  }

  async count(rows: string, parameters: unknown[]): Promise<number> {
    const sql = `select count(*)::int as n from ${rows}`
    return (await this.wire.db.query<{ n: number }>(sql, parameters)).rows[0]?.n ?? -1
  }
}

/** How a call was refused: `422 mfa_verification_failed: Invalid …`; `ok` if it was not. */
export async function outcome(asked: Promise<{ error: unknown }>): Promise<string> {
  const { error } = await asked
  if (error === null) return 'ok'
  if (!isAuthError(error)) throw error
  return `${error.status} ${error.code}: ${error.message}`
}

/** Runs the tests on every kind of database, with two processes that take the requests in turn. */
export function describeFactors(name: string, tests: (at: FactorTests) => void): void {
  describe.each(DATABASES)(`${name}, on $name`, ({ open }) => {
    const at = new FactorTests()
    beforeAll(async () => {
      at.wire = await runFactors(open)
    })
    afterAll(() => at.wire.close())
    tests(at)
  })
}
